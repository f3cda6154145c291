import { describe, expect, test } from 'vitest';
import { startTestServer } from '../../server/http.ts';
import { codeOf, createTestApp, testPassword } from '../../support/app.ts';

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

describe('where a user is signed in', () => {
  test('lists browser, address, last use and the session of the caller; ends one, the others, or all', async () => {
    const server = await startTestServer();
    const { app, send, clock } = server;
    await server.addUser('ann');
    const here = await server.signIn('ann');
    const others = [await server.signIn('ann'), await server.signIn('ann')];
    const root = await server.signIn('root');
    const data = async (method: string, path: string, headers = here) =>
      (await send(method, path, { headers: { ...headers, 'user-agent': chrome } })).json as {
        data: never;
        success: boolean;
      };
    const list = async (): Promise<
      { id: string; current: boolean; ip: string; last_seen: number }[]
    > => (await data('GET', '/api/turnpike/self/sessions')).data;
    const rows = await list();
    expect(rows).toHaveLength(3);
    expect(rows.filter(({ current }) => current)).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      method: 'password',
      ip: expect.any(String),
      user_agent: expect.any(String),
    });
    expect(JSON.stringify(rows)).not.toContain(here.cookie?.replace('session=', ''));

    clock.move(10 * 60_000);
    expect((await list()).find(({ current }) => current)?.last_seen).toBe(clock.now() / 1000);

    const strangers = await app.storage.sessions.listByUser(1);
    const foreign = strangers[0]?.idHash.slice(0, 32);
    expect(await data('DELETE', `/api/turnpike/self/sessions/${foreign}`)).toMatchObject({
      success: false,
    });
    expect((await data('GET', '/api/user/self', root)).success).toBe(true);

    const one = rows.find(({ current }) => !current)?.id;
    expect((await data('DELETE', `/api/turnpike/self/sessions/${one}`)).success).toBe(true);
    expect(await list()).toHaveLength(2);
    expect((await data('DELETE', '/api/turnpike/self/sessions?except_current=true')).data).toEqual({
      ended: 1,
    });
    for (const other of others)
      expect((await send('GET', '/api/user/self', { headers: other })).status).toBe(401);
    expect((await data('DELETE', '/api/turnpike/self/sessions')).data).toEqual({ ended: 1 });
    expect((await send('GET', '/api/user/self', { headers: here })).status).toBe(401);
  });

  test('expired ones are not listed', async () => {
    const { app, clock } = await createTestApp();
    await app.accounts.sessions.start(1, 'password', { ip: '192.0.2.1', userAgent: '' });
    clock.move(31 * 24 * 3600_000);
    expect(await app.accounts.signOut.list(1)).toEqual([]);
  });

  test('noting a use does not prolong the session, and names the new address', async () => {
    const { app, clock } = await createTestApp();
    const token = await app.accounts.sessions.start(1, 'password', {
      ip: '192.0.2.1',
      userAgent: '',
    });
    const [before] = await app.storage.sessions.listByUser(1);
    clock.move(3600_000);
    expect(await app.accounts.sessions.find(token, '192.0.2.9')).toMatchObject({ renewed: false });
    const [after] = await app.storage.sessions.listByUser(1);
    expect(after).toEqual({ ...before, lastSeen: clock.now() / 1000, ip: '192.0.2.9' });
  });
});

describe('an administrator who signs a user out', () => {
  test('ends the sessions of lower roles, and it is audited', async () => {
    const { app, as, addUser, operator } = await createTestApp();
    const ann = await addUser('ann');
    const admin = await addUser('boss', { role: 10 });
    const token = await app.accounts.sessions.start(ann, 'password', {
      ip: '192.0.2.1',
      userAgent: '',
    });
    const boss = await as(admin);
    expect(await codeOf((await as(ann)).session.endOf({ id: admin }))).toBe('forbidden');
    expect(await codeOf(boss.session.endOf({ id: 1 }))).toBe('user_update_forbidden');
    expect(await codeOf(boss.session.endOf({ id: 999 }))).toBe('not_found');
    expect(await boss.session.endOf({ id: ann })).toEqual({ ended: 1 });
    expect(await app.accounts.sessions.find(token)).toBeNull();
    expect((await operator.audit.list()).items[0]).toMatchObject({
      action: 'user.sign_out',
      target: String(ann),
    });
  });
});

describe('one’s own password', () => {
  test('cannot be guessed in a browser that is signed in: ten tries, then 15 minutes', async () => {
    const { as, addUser, clock } = await createTestApp();
    const me = await as(await addUser('ann'));
    const change = (original_password: string) =>
      me.self.update({ password: 'another password', original_password });
    for (let time = 0; time < 10; time += 1)
      expect(await codeOf(change('wrong'))).toBe('original_password_wrong');
    expect(await codeOf(change(testPassword))).toBe('account_locked');
    clock.move(15 * 60_000);
    await change(testPassword);
  });

  test('its change by the user ends the system access token and says so', async () => {
    const { as, addUser } = await createTestApp();
    const me = await as(await addUser('ann'));
    await me.self.systemToken();
    expect(await me.session.credentials()).toEqual({ has_password: true, has_system_token: true });
    await me.self.update({ password: 'another password', original_password: testPassword });
    expect(await me.session.credentials()).toEqual({ has_password: true, has_system_token: false });
  });
});

test('a deleted account keeps its postings, loses its tokens and sessions, and cannot be signed in to', async () => {
  const { app, as, addUser, operator } = await createTestApp();
  const ann = await addUser('ann', { quota: 500 });
  const me = await as(ann);
  await me.token.create({ name: 'mine' });
  const session = await app.accounts.sessions.start(ann, 'password', {
    ip: '192.0.2.1',
    userAgent: '',
  });
  await me.self.remove();
  expect(await app.accounts.sessions.find(session)).toBeNull();
  expect((await operator.userTokens.list({ user_id: ann })).items).toMatchObject([{ status: 2 }]);
  expect((await operator.ledger.list({ user_id: ann })).items).toMatchObject([
    { balance_after: 500 },
  ]);
  expect(
    await codeOf(app.accounts.signIn('password', { username: 'ann', password: testPassword })),
  ).toBe('wrong_credentials');
  expect(await codeOf(operator.user.create({ username: 'ann', password: testPassword }))).toBe(
    'username_taken',
  );
});
