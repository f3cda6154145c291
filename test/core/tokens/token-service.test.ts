import { describe, expect, test } from 'vitest';
import { codeOf, createTestApp } from '../../support/app.ts';

const noon = Date.UTC(2026, 10, 20, 12) / 1000;

describe('making one', () => {
  test('48 letters and digits; the defaults of One API and New API', async () => {
    const { as } = await createTestApp();
    const token = await (await as(1)).token.create({ name: ' mine ' });
    expect(token).toMatchObject({
      name: 'mine',
      status: 1,
      remain_quota: 0,
      used_quota: 0,
      unlimited_quota: false,
      expired_time: -1,
      group: '',
    });
    expect(token.key).toMatch(/^[A-Za-z0-9]{48}$/);
    expect([token.created_time, token.accessed_time]).toEqual([noon, noon]);
  });

  test.each([
    [{ name: ' ' }, 'name_required'],
    [{ name: '密'.repeat(51) }, 'name_too_long'],
    [{ expired_time: noon }, 'expiry_invalid'],
    [{ expired_time: 0 }, 'expiry_invalid'],
    [{ remain_quota: -1 }, 'token_quota_invalid'],
    [{ remain_quota: 1.5 }, 'invalid_parameter'],
    [{ remain_quota: 1e9 * 500_000 + 1 }, 'token_quota_invalid'],
    [{ allow_ips: '10.0.0.1\nlocalhost' }, 'allow_ips_invalid'],
    [{ allow_ips: '10.0.0.0/33' }, 'allow_ips_invalid'],
    [{ group: 'svip' }, 'group_not_allowed'],
    [{ group: '__proto__' }, 'group_not_allowed'],
  ])('%o is refused: %s', async (fields, code) => {
    const { as } = await createTestApp();
    expect(await codeOf((await as(1)).token.create({ name: 't', ...fields }))).toBe(code);
  });

  test('fits: 50 Chinese characters, ranges, a usable group, limits without repetitions', async () => {
    const { as } = await createTestApp();
    const fields = {
      name: '密'.repeat(50),
      allow_ips: '10.0.0.0/8\n2001:db8::/32\n',
      group: 'vip',
      expired_time: noon + 1,
    };
    const token = await (await as(1)).token.create({
      ...fields,
      model_limits: 'a, b,,a',
      model_limits_enabled: true,
    });
    expect(token).toMatchObject({ ...fields, model_limits: 'a,b' });
  });

  test('a thousand are enough for one user', async () => {
    const { app, as } = await createTestApp();
    const row = { userId: 1, name: 't', createdTime: 1 };
    const { Secret } = await import('../../../src/core/kernel/secret.ts');
    await app.storage.transaction(async (inside) => {
      for (let index = 0; index < 1000; index += 1)
        await inside.tokens.insert({ ...row, key: new Secret(`key${index}`) });
    });
    expect(await codeOf((await as(1)).token.create({ name: 't' }))).toBe('too_many_tokens');
  });
});

describe('changing one', () => {
  test('only what is present changes; keys, owner and use never do', async () => {
    const { as, app } = await createTestApp();
    const me = await as(1);
    const before = await me.token.create({ name: 't', remain_quota: 500, model_limits: 'a' });
    const heard: unknown[] = [];
    app.cluster.changes.listen((change) => {
      heard.push(change);
    });
    const after = await me.token.update({
      id: before.id,
      name: 'renamed',
      ...({ key: 'x', user_id: 9, used_quota: 9 } as object),
    });
    expect(after).toEqual({ ...before, name: 'renamed' });
    expect(heard).toMatchObject([{ kind: 'token', ids: [before.id] }]);
    expect(
      await me.token.update({ id: before.id, remain_quota: 800, unlimited_quota: true }),
    ).toMatchObject({
      remain_quota: 800,
      unlimited_quota: true,
    });
  });

  test('what has not changed is accepted although it would be refused today', async () => {
    const { as, clock, operator } = await createTestApp();
    const me = await as(1);
    const { id } = await me.token.create({ name: 't', expired_time: noon + 10, group: 'vip' });
    clock.move(60_000);
    await operator.option.set({ key: 'UserUsableGroups', value: '{"default":"d"}' });
    expect(
      await me.token.update({ id, name: 'u', expired_time: noon + 10, group: 'vip' }),
    ).toMatchObject({
      name: 'u',
      group: 'vip',
    });
    expect(await codeOf(me.token.update({ id, expired_time: noon + 11 }))).toBe('expiry_invalid');
  });

  test('on and off; an expired or used up one needs its cause removed first', async () => {
    const { as, app, clock } = await createTestApp();
    const me = await as(1);
    const { id } = await me.token.create({ name: 't', remain_quota: 5, expired_time: noon + 10 });
    expect((await me.token.update({ id, status: 2, status_only: true })).status).toBe(2);
    expect((await me.token.update({ id, status: 1, status_only: true })).status).toBe(1);
    expect(await codeOf(me.token.update({ id, status: 3, status_only: true }))).toBe(
      'invalid_parameter',
    );
    clock.move(60_000);
    await app.storage.tokens.setStatus(id, 1, 3);
    expect(await codeOf(me.token.update({ id, status: 1, status_only: true }))).toBe(
      'token_still_expired',
    );
    expect((await me.token.update({ id, expired_time: -1 })).status).toBe(1);
    await app.storage.tokens.setStatus(id, 1, 4);
    await me.token.update({ id, remain_quota: 0 });
    expect(await codeOf(me.token.update({ id, status: 1, status_only: true }))).toBe(
      'token_still_exhausted',
    );
    expect((await me.token.update({ id, remain_quota: 10 })).status).toBe(1);
  });
});

describe('whose it is', () => {
  test('another user’s token is not found, whatever is tried', async () => {
    const { as, addUser } = await createTestApp();
    const { id } = await (await as(1)).token.create({ name: 't' });
    const other = await as(await addUser('ann'));
    expect(
      await Promise.all([
        codeOf(other.token.get({ id })),
        codeOf(other.token.update({ id, name: 'x' })),
        codeOf(other.token.update({ id, status: 2, status_only: true })),
        codeOf(other.token.remove({ id })),
      ]),
    ).toEqual(['not_found', 'not_found', 'not_found', 'not_found']);
    expect((await other.token.list()).total).toBe(0);
  });

  test('an administrator sees masked keys and may handle tokens of those below', async () => {
    const { as, addUser, operator } = await createTestApp();
    const user = await addUser('ann');
    const admin = await as(await addUser('adm', { role: 10 }));
    const mine = await (await as(1)).token.create({ name: 'of root' });
    const made = await admin.userTokens.create({ name: 'for ann', user: 'ann' });
    expect(made).toMatchObject({ user_id: user, key: expect.stringMatching(/^[A-Za-z0-9]{48}$/) });
    const listed = await admin.userTokens.list({ user_id: user });
    expect(listed.items).toMatchObject([
      { username: 'ann', key: `${made.key.slice(0, 4)}****${made.key.slice(-4)}` },
    ]);
    expect(await admin.userTokens.update({ id: made.id, status: 2 })).toMatchObject({
      status: 2,
      name: 'for ann',
    });
    expect(await codeOf(admin.userTokens.update({ id: mine.id, status: 2 }))).toBe(
      'user_update_forbidden',
    );
    expect(await codeOf(admin.userTokens.get({ id: mine.id }))).toBe('user_update_forbidden');
    expect(await codeOf(admin.userTokens.create({ name: 'x', user: 'root' }))).toBe(
      'user_update_forbidden',
    );
    await admin.userTokens.remove({ id: made.id });
    expect(await codeOf(operator.userTokens.get({ id: made.id }))).toBe('not_found');
  });

  test('search by name and by a piece of the key, one leading sk- cut', async () => {
    const { as } = await createTestApp();
    const me = await as(1);
    const first = await me.token.create({ name: 'Alpha 100%' });
    await me.token.create({ name: 'beta' });
    const names = async (query: { keyword?: string; token?: string }) =>
      (await me.token.search(query)).items.map(({ name }) => name);
    expect(await names({ keyword: 'ALPHA' })).toEqual(['Alpha 100%']);
    expect(await names({ keyword: '%' })).toEqual(['Alpha 100%']);
    expect(await names({ token: `sk-${first.key.slice(0, 20)}` })).toEqual(['Alpha 100%']);
    expect(await names({})).toEqual(['beta', 'Alpha 100%']);
  });
});
