// Covers src/core/storage/repositories.
import { expect, test } from 'vitest';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { NewUser } from '../../../src/core/storage/storage.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';

const user = (username: string, more: Partial<NewUser> = {}): NewUser => ({
  username,
  passwordHash: new Secret('$argon2id$hash'),
  role: 1,
  status: 1,
  group: 'default',
  createdAt: 1_700_000_000,
  ...more,
});
const all = { offset: 0, limit: 100 };

forEachEngineInTurn('users', (engine) => {
  test('keeps every column', async () => {
    const { users } = await engine.open();
    const fields = {
      displayName: '张三',
      nickname: 'Zhāng',
      portrait: '/uploads/a.png',
      email: 'Zhang@Example.COM',
      emailVerified: true,
      phone: '+8613800000000',
      phoneVerifiedAt: 1_700_000_001,
      accessTokenHash: 'ab',
      affCode: 'AbC1',
      affCount: 2,
      inviterId: 9,
      setting: '{"webhook_secret":"s"}',
      deletedAt: 5,
    };
    const id = await users.insert(user('Zhang', fields));
    const found = await users.find(id);
    expect(found).toMatchObject({
      ...fields,
      id,
      username: 'Zhang',
      email: 'zhang@example.com',
      createdAt: 1_700_000_000,
    });
    expect(found).toMatchObject({
      quota: 0,
      usedQuota: 0,
      requestCount: 0,
      held: 0,
      role: 1,
      status: 1,
      group: 'default',
    });
    expect(found?.passwordHash.reveal()).toBe('$argon2id$hash');
  });

  test('returns null for an unknown user', async () => {
    const { users } = await engine.open();
    expect(await users.find(1)).toBeNull();
    expect(await users.findByUsername('nobody')).toBeNull();
    expect(await users.update(1, { nickname: 'x' })).toBe(false);
    expect(await users.update(1, {})).toBe(false);
    expect(await users.findMany([])).toEqual([]);
  });

  test('finds by name, ignoring case in every script', async () => {
    const { users } = await engine.open();
    const id = await users.insert(user('ÉMILE-Жук'));
    expect((await users.findByUsername('émile-жУК'))?.id).toBe(id);
    await expect(users.insert(user('émile-жук'))).rejects.toMatchObject({
      code: 'conflict',
      params: { field: 'username' },
    });
    const other = await users.insert(user('other'));
    await expect(users.update(other, { username: 'Émile-Жук' })).rejects.toMatchObject({
      params: { field: 'username' },
    });
  });

  test('trusts verified addresses only, and each once', async () => {
    const { users } = await engine.open();
    const first = await users.insert(user('a', { email: 'a@b.c' }));
    expect(await users.findByVerifiedEmail('a@b.c')).toBeNull();
    const second = await users.insert(user('b', { email: 'A@b.c', emailVerified: true }));
    expect((await users.findByVerifiedEmail('a@B.c'))?.id).toBe(second);
    await expect(users.update(first, { emailVerified: true })).rejects.toMatchObject({
      params: { field: 'email' },
    });
    expect(await users.findByVerifiedEmail('')).toBeNull();
  });

  test('gives an invite code and a phone number to one account, deleted ones included', async () => {
    const { users } = await engine.open();
    const id = await users.insert(user('a', { affCode: 'x', accessTokenHash: 'h', phone: '+1' }));
    await users.insert(user('b'));
    await users.softDelete(id, 5);
    for (const [field, value] of [
      ['affCode', 'x'],
      ['phone', '+1'],
    ]) {
      const again = users.insert(user('c', { [field as 'affCode']: value }));
      await expect(again).rejects.toMatchObject({ code: 'conflict', params: { field } });
    }
    expect((await users.findByAffCode('x'))?.id).toBe(id);
    expect((await users.findByPhone('+1'))?.id).toBe(id);
    expect(await users.findByAccessTokenHash('h')).toBeNull();
  });

  test('gives an identity to one account, and an account one identity of a provider', async () => {
    const { users, userIdentities: identities } = await engine.open();
    const first = await users.insert(user('a'));
    const second = await users.insert(user('b'));
    await identities.insert({ userId: first, provider: 'github', subject: '77', createdAt: 5 });
    await users.softDelete(first, 6);
    const taken = identities.insert({
      userId: second,
      provider: 'github',
      subject: '77',
      createdAt: 7,
    });
    await expect(taken).rejects.toMatchObject({ code: 'conflict', params: { field: 'subject' } });
    await identities.insert({ userId: second, provider: 'oidc', subject: '77', createdAt: 7 });
    const another = identities.insert({
      userId: second,
      provider: 'oidc',
      subject: '78',
      createdAt: 7,
    });
    await expect(another).rejects.toMatchObject({
      code: 'conflict',
      params: { field: 'provider' },
    });
    expect(await identities.findUserId('github', '77')).toBe(first);
    expect(await identities.findUserId('github', '78')).toBeNull();
    expect(await identities.listByUsers([second, first, 99])).toEqual([
      { userId: first, provider: 'github', subject: '77', createdAt: 5 },
      { userId: second, provider: 'oidc', subject: '77', createdAt: 7 },
    ]);
    expect([
      await identities.delete(second, 'oidc'),
      await identities.delete(second, 'oidc'),
    ]).toEqual([true, false]);
    await identities.deleteByUser(first);
    expect(await identities.listByUsers([first, second])).toEqual([]);
  });

  test('updates only the given columns', async () => {
    const { users } = await engine.open();
    const id = await users.insert(user('a', { nickname: 'old', displayName: 'kept' }));
    expect(
      await users.update(id, {
        username: 'New',
        nickname: '',
        setting: '{"a":1}',
        passwordHash: new Secret('p2'),
      }),
    ).toBe(true);
    const found = await users.findByUsername('NEW');
    expect(found).toMatchObject({
      username: 'New',
      nickname: '',
      displayName: 'kept',
      setting: '{"a":1}',
    });
    expect(found?.passwordHash.reveal()).toBe('p2');
    expect(await users.update(id, { setting: '' })).toBe(true);
    expect(await users.find(id)).toMatchObject({ setting: '' });
  });

  test('compares and sets status and role', async () => {
    const { users } = await engine.open();
    const id = await users.insert(user('a'));
    const races = await Promise.all(Array.from({ length: 8 }, () => users.setStatus(id, 1, 2)));
    expect(races.filter(Boolean)).toHaveLength(1);
    expect(await users.setRole(id, 10, 100)).toBe(false);
    expect(await users.setRole(id, 1, 10)).toBe(true);
    expect(await users.find(id)).toMatchObject({ status: 2, role: 10 });
  });

  test('deletes softly once, and permanently', async () => {
    const { users } = await engine.open();
    const id = await users.insert(user('a', { accessTokenHash: 'h' }));
    expect(await users.softDelete(id, 7)).toBe(true);
    expect(await users.softDelete(id, 8)).toBe(false);
    expect(await users.find(id)).toMatchObject({ deletedAt: 7, accessTokenHash: null });
    expect(await users.delete(id)).toBe(true);
    expect(await users.delete(id)).toBe(false);
    expect(await users.insert(user('a'))).toBeGreaterThan(id);
  });

  test('finds the oldest of a role, also one that was deleted', async () => {
    const { users } = await engine.open();
    expect(await users.findOldest(100)).toBeNull();
    await users.insert(user('a', { role: 10 }));
    const oldest = await users.insert(user('b', { role: 100 }));
    await users.insert(user('c', { role: 100 }));
    await users.softDelete(oldest, 1);
    expect(await users.findOldest(100)).toMatchObject({ id: oldest, username: 'b' });
  });

  test('counts the active roots', async () => {
    const { users } = await engine.open();
    expect(await users.highestId()).toBe(0);
    const ids = [];
    for (const name of ['a', 'b', 'c']) ids.push(await users.insert(user(name, { role: 100 })));
    await users.insert(user('d', { role: 10 }));
    await users.softDelete(ids[0] ?? 0, 1);
    await users.setStatus(ids[1] ?? 0, 1, 2);
    expect(await users.countActiveRoots()).toBe(1);
    expect(await users.count()).toBe(4);
    expect(await users.highestId()).toBe(Math.max(...ids) + 1);
  });

  test('adds to the invitation quota and never overdraws it', async () => {
    const { users } = await engine.open();
    const id = await users.insert(user('a'));
    expect(
      await users.adjustInvite(id, {
        affCount: 1,
        affQuota: 5_000_000_000_000,
        affHistoryQuota: 5_000_000_000_000,
      }),
    ).toBe(true);
    expect(await users.adjustInvite(id, { affQuota: -5_000_000_000_001 })).toBe(false);
    const taken = await Promise.all(
      Array.from({ length: 10 }, () => users.adjustInvite(id, { affQuota: -1_000_000_000_000 })),
    );
    expect(taken.filter(Boolean)).toHaveLength(5);
    expect(await users.find(id)).toMatchObject({
      affCount: 1,
      affQuota: 0,
      affHistoryQuota: 5_000_000_000_000,
    });
    expect(await users.adjustInvite(id + 1, { affQuota: 1 })).toBe(false);
  });

  test('pages by id descending with filters', async () => {
    const { users } = await engine.open();
    for (let index = 1; index <= 25; index++) {
      await users.insert(
        user(`user${index}`, {
          group: index % 5 === 0 ? 'vip' : 'default',
          role: index === 1 ? 10 : 1,
        }),
      );
    }
    const page = await users.page({}, { offset: 10, limit: 10 });
    expect(page.total).toBe(25);
    expect(page.items.map(({ username }) => username)[0]).toBe('user15');
    expect(page.items).toHaveLength(10);
    expect(await users.page({ group: 'vip' }, { offset: 0, limit: 2 })).toMatchObject({
      total: 5,
      items: [{ username: 'user25' }, {}],
    });
    expect((await users.page({ role: 10 }, all)).items.map(({ username }) => username)).toEqual([
      'user1',
    ]);
    expect((await users.page({ status: 2 }, all)).total).toBe(0);
    expect((await users.listAfter(3, 2)).map(({ id }) => id)).toEqual([4, 5]);
  });

  test('searches names, addresses, phone endings and ids; wildcards are literal', async () => {
    const { users } = await engine.open();
    const names = async (keyword: string) =>
      (await users.page({ keyword }, all)).items.map(({ username }) => username);
    const first = await users.insert(
      user('alpha', { displayName: '100%_Ünïcode', phone: '+8613812345678' }),
    );
    await users.insert(user('beta', { email: 'Foo_Bar@x.org', nickname: 'back\\slash' }));
    expect(await names('ALPH')).toEqual(['alpha']);
    expect(await names('%_ü')).toEqual(['alpha']);
    expect(await names('ÜNÏ')).toEqual(['alpha']);
    expect(await names('o_b')).toEqual(['beta']);
    expect(await names('o%b')).toEqual([]);
    expect(await names('_lpha')).toEqual([]);
    expect(await names('k\\s')).toEqual(['beta']);
    expect(await names('345678')).toEqual(['alpha']);
    expect(await names('86138')).toEqual([]);
    expect(await names(String(first))).toContain('alpha');
    expect(await names("' or 1=1 --")).toEqual([]);
  });
});
