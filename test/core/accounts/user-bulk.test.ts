import { describe, expect, test } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { codeOf, createTestApp } from '../../support/app.ts';

async function site() {
  const made = await createTestApp();
  const ann = await made.addUser('ann', { quota: 500 });
  const bob = await made.addUser('bob', { quota: 20 });
  const boss = await made.addUser('boss', { role: 10 });
  return { ...made, ann, bob, boss, admin: await made.as(boss) };
}

describe('a change of many users', () => {
  test('gives quota to each, once, by a posting of its own; administrators give it to no equals', async () => {
    const { admin, app, ann, bob, boss } = await site();
    const match = { keyword: '' };
    const shown = await admin.bulk.users({ match, change: { grant: 1000 }, preview: true });
    expect(shown.ids.sort()).toEqual([ann, bob]);
    expect(shown.refused.flatMap(({ names }) => names)).toContain(`boss #${boss}`);
    const done = await admin.bulk.users({
      ids: [ann, bob, boss],
      change: { grant: 1000, remark: 'for waiting' },
    });
    expect(done).toMatchObject({ changed: 2, undo: [], refused: [{ count: 1 }] });
    expect((await app.ledger.balance(ann)).quota).toBe(1500);
    expect((await app.ledger.balance(bob)).quota).toBe(1020);
    expect((await app.ledger.balance(boss)).quota).toBe(0);
    expect((await app.billing.verify()).drifts).toEqual([]);
  });

  test('bans and unbans, and is taken back', async () => {
    const { admin, operator, ann, bob, as } = await site();
    await as(ann);
    const done = await admin.bulk.users({ ids: [ann, bob], change: { status: 2 } });
    expect(done.changed).toBe(2);
    expect((await operator.user.get({ id: ann })).status).toBe(2);
    expect(await admin.bulk.users({ undo: done.undo })).toMatchObject({ changed: 2 });
    expect((await operator.user.get({ id: ann })).status).toBe(1);
  });

  test('moves to another group, which must exist', async () => {
    const { admin, operator, ann } = await site();
    const done = await admin.bulk.users({ ids: [ann], change: { group: 'vip' } });
    expect(done.undo).toEqual([{ ids: [ann], from: { group: 'vip' }, to: { group: 'default' } }]);
    expect((await operator.user.get({ id: ann })).group).toBe('vip');
    const refused = await admin.bulk.users({ ids: [ann], change: { group: 'nowhere' } });
    expect(refused).toMatchObject({ changed: 0, refused: [{ names: [`ann #${ann}`] }] });
  });

  test('signs out everywhere', async () => {
    const { admin, app, ann, as } = await site();
    await app.accounts.sessions.start(ann, 'password', { ip: '', userAgent: '' });
    await as(ann);
    await admin.bulk.users({ ids: [ann], change: { sign_out: true } });
    expect(await app.accounts.sessions.list(ann)).toEqual([]);
  });

  test('does one thing at a time, and one that fails does not hold up the others', async () => {
    const { admin, app, ann, bob } = await site();
    const both = admin.bulk.users({ ids: [ann], change: { group: 'vip', status: 2 } });
    expect(await codeOf(both)).toBe('invalid_parameter');
    Object.assign(app.storage.users, {
      find: ((find) => (id: number) => {
        if (id === bob) throw new Error('the disk is gone');
        return find(id);
      })(app.storage.users.find),
    });
    const done = await admin.bulk.users({ ids: [ann, bob], change: { grant: 5 } });
    expect(done).toMatchObject({ changed: 1, refused: [{ count: 1, names: [`bob #${bob}`] }] });
    expect((await app.ledger.balance(ann)).quota).toBe(505);
  });
});

test('lists of users are filtered and sorted by balance, used, role and last seen, and saved as CSV', async () => {
  const { operator, app, clock, ann, bob, boss, as } = await site();
  const names = async (query: Parameters<typeof operator.user.search>[0]) =>
    (await operator.user.search(query)).items.map(({ username }) => username);
  expect(await names({ quota_to: 100, role: 1 })).toEqual(['bob']);
  expect(await names({ role: 10 })).toEqual(['boss']);
  expect((await names({ sort: 'role' })).slice(0, 2)).toEqual(['root', 'boss']);
  expect(await names({ sort: 'quota', role: 1 })).toEqual(['ann', 'bob']);
  const spender = { userId: bob, tokenId: 0, unlimited: true };
  const hold = await app.ledger.hold({ requestId: 'r', ...spender, amount: toQuota(3) });
  await app.ledger.settle(hold, { amount: toQuota(3), channelId: 0, log: null, rollup: null });
  await app.ledger.drain();
  expect(await names({ used_from: 1, role: 1 })).toEqual(['bob']);
  expect(await names({ used_to: 2, role: 1 })).toEqual(['ann']);
  expect(await names({ sort: 'used', role: 1 })).toEqual(['bob', 'ann']);
  clock.move(3_600_000);
  await app.accounts.sessions.start(bob, 'password', { ip: '', userAgent: '' });
  clock.move(3_600_000);
  const { id } = await (await as(ann)).token.create({ name: 't' });
  const now = Math.floor(clock.now() / 1000);
  await app.storage.tokens.touch([id], now);
  await app.accounts.signOut.endAllOf(
    { id: 1, role: 100, username: 'root', group: '' } as never,
    bob,
  );
  expect((await names({ sort: 'seen' })).slice(0, 2)).toEqual(['ann', 'bob']);
  expect(await names({ unseen_since: now - 60, role: 1 })).toEqual(['bob']);
  expect(await names({ sort: 'seen', ascending: true, role: 1 })).toEqual(['bob', 'ann']);

  const file = await operator.user.export({ sort: 'quota', role: 1 });
  let text = '';
  for await (const chunk of file.chunks) text += chunk;
  const [head, first] = text.split('\r\n');
  expect(head).toContain('username,display_name,email');
  expect(first).toMatch(new RegExp(`^${ann},ann,`));
  expect(file.total).toBe(2);
  expect(boss).toBeGreaterThan(bob);
});
