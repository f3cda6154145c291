import { expect, test } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { NewToken } from '../../../src/core/storage/storage.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';

const token = (key: string, more: Partial<NewToken> = {}): NewToken => ({
  userId: 1,
  key: new Secret(key),
  name: `token ${key}`,
  createdTime: 1_700_000_000,
  ...more,
});
const all = { offset: 0, limit: 100 };

forEachEngineInTurn('tokens', (engine) => {
  test('keeps every column, up to the largest safe integer', async () => {
    const { tokens } = await engine.open();
    const fields = {
      status: 2,
      accessedTime: 3,
      expiredTime: 1_800_000_000,
      remainQuota: toQuota(Number.MAX_SAFE_INTEGER),
      unlimitedQuota: true,
      modelLimitsEnabled: true,
      modelLimits: 'gpt-5.1,模型',
      allowIps: '10.0.0.0/8\n::1',
      group: 'vip',
    };
    const id = await tokens.insert(token('k1', fields));
    const found = await tokens.find(id);
    expect(found).toMatchObject({
      ...fields,
      id,
      userId: 1,
      usedQuota: 0,
      held: 0,
      deletedAt: null,
    });
    expect(found?.key.reveal()).toBe('k1');
    const plain = await tokens.find(
      await tokens.insert(token('k2', { remainQuota: toQuota(Number.MIN_SAFE_INTEGER) })),
    );
    expect(plain).toMatchObject({
      status: 1,
      expiredTime: -1,
      unlimitedQuota: false,
      remainQuota: Number.MIN_SAFE_INTEGER,
      group: '',
    });
  });

  test('finds by the hash of the key, which is unique', async () => {
    const { tokens } = await engine.open();
    const id = await tokens.insert(token('secret'));
    expect((await tokens.findByKeyHash(tokens.hashKey('secret')))?.id).toBe(id);
    expect(await tokens.findByKeyHash('secret')).toBeNull();
    await expect(tokens.insert(token('secret'))).rejects.toMatchObject({
      code: 'conflict',
      params: { field: 'key' },
    });
  });

  test('returns a token to its owner only', async () => {
    const { tokens } = await engine.open();
    const id = await tokens.insert(token('k', { userId: 7 }));
    expect((await tokens.findOfUser(id, 7))?.id).toBe(id);
    expect(await tokens.findOfUser(id, 8)).toBeNull();
  });

  test('pages and searches one user, also by a part of the key', async () => {
    const { tokens } = await engine.open();
    for (const key of ['aXb1', 'aYb2', 'aXb3']) await tokens.insert(token(key));
    await tokens.insert(token('aXb4', { userId: 2, name: '100% Ä' }));
    const names = async (search: { keyword?: string; key?: string }, page = all) =>
      (await tokens.pageByUser(1, page, search)).items.map(({ name }) => name);
    expect(await names({})).toEqual(['token aXb3', 'token aYb2', 'token aXb1']);
    expect(await names({ key: 'sk-aXb' })).toEqual(['token aXb3', 'token aXb1']);
    expect(await names({ key: 'axb' })).toEqual([]);
    expect(await names({ key: 'X', keyword: 'B3' })).toEqual(['token aXb3']);
    expect(await names({ key: 'X' }, { offset: 1, limit: 1 })).toEqual(['token aXb1']);
    expect(await tokens.pageByUser(1, { offset: 0, limit: 1 }, { key: 'X' })).toMatchObject({
      total: 2,
    });
    expect(await names({ keyword: '%' })).toEqual([]);
    expect((await tokens.pageByUser(2, all, { keyword: '0% ä' })).total).toBe(1);
    expect(await tokens.countByUser(1)).toBe(3);
    await expect(tokens.page({ key: 'X' }, all)).rejects.toThrow('one user');
  });

  test('lists all users’ tokens by filter', async () => {
    const { tokens } = await engine.open();
    await tokens.insert(token('a', { userId: 1, group: 'vip' }));
    await tokens.insert(token('b', { userId: 2, status: 3 }));
    expect(await tokens.page({}, { offset: 0, limit: 1 })).toMatchObject({
      total: 2,
      items: [{ userId: 2 }],
    });
    expect(await tokens.page({ group: 'vip' }, all)).toMatchObject({
      total: 1,
      items: [{ userId: 1 }],
    });
    expect(await tokens.page({ status: 3 }, all)).toMatchObject({
      total: 1,
      items: [{ userId: 2 }],
    });
    expect((await tokens.listAfter(0, 10)).map(({ key }) => key.reveal())).toEqual(['a', 'b']);
    expect((await tokens.listAfter(1, 10)).map(({ key }) => key.reveal())).toEqual(['b']);
  });

  test('updates, touches and sets the status', async () => {
    const { tokens } = await engine.open();
    const id = await tokens.insert(token('k', { group: 'vip', modelLimits: 'a' }));
    expect(
      await tokens.update(id, {
        name: '改名',
        modelLimits: '',
        unlimitedQuota: true,
        expiredTime: -1,
      }),
    ).toBe(true);
    expect(await tokens.find(id)).toMatchObject({
      name: '改名',
      modelLimits: '',
      unlimitedQuota: true,
      group: 'vip',
    });
    await tokens.touch([id], 99);
    expect(await tokens.find(id)).toMatchObject({ accessedTime: 99 });
    const races = await Promise.all(Array.from({ length: 6 }, () => tokens.setStatus(id, 1, 3)));
    expect(races.filter(Boolean)).toHaveLength(1);
    expect(await tokens.update(id + 1, { name: 'x' })).toBe(false);
  });

  test('never returns deleted tokens', async () => {
    const { tokens } = await engine.open();
    const id = await tokens.insert(token('k'));
    expect(await tokens.softDelete(id, 5)).toBe(true);
    expect(await tokens.softDelete(id, 6)).toBe(false);
    expect(await tokens.find(id)).toBeNull();
    expect(await tokens.findByKeyHash(tokens.hashKey('k'))).toBeNull();
    expect(await tokens.pageByUser(1, all)).toEqual({ items: [], total: 0 });
    expect(await tokens.listAfter(0, 10)).toEqual([]);
    expect(await tokens.update(id, { name: 'x' })).toBe(false);
    expect(await tokens.setStatus(id, 1, 2)).toBe(false);
  });

  test('disables and deletes the tokens of a user', async () => {
    const { tokens } = await engine.open();
    for (const key of ['a', 'b']) await tokens.insert(token(key));
    await tokens.insert(token('c', { status: 3 }));
    await tokens.insert(token('d', { userId: 2 }));
    expect(await tokens.disableByUser(1)).toBe(2);
    expect((await tokens.listAfter(0, 10)).map(({ status }) => status)).toEqual([2, 2, 3, 1]);
    expect(await tokens.deleteByUser(1)).toBe(3);
    expect((await tokens.listAfter(0, 10)).map(({ userId }) => userId)).toEqual([2]);
  });
});
