import { describe, expect, test } from 'vitest';
import { codeOf, createTestApp } from '../../support/app.ts';

describe('the list of one’s own tokens', () => {
  test('is filtered and paged by the server: name, part of the key, status', async () => {
    const { as } = await createTestApp();
    const me = await as(1);
    const tokens = await me.token.createMany({ name: 'batch', count: 4 });
    await me.token.create({ name: 'other' });
    await me.token.setStatusMany({ ids: tokens.slice(1).map(({ id }) => id), status: 2 });
    const names = async (query: Parameters<typeof me.token.list>[0]) => {
      const { items, total } = await me.token.list(query);
      return [items.map(({ id }) => id), total];
    };
    const [first, ...others] = tokens.map(({ id }) => id);
    expect(await names({ keyword: 'BATCH', p: 1, size: 3 })).toEqual([[first], 4]);
    expect(await names({ status: 2 })).toEqual([others.toReversed(), 3]);
    expect(await names({ token: tokens[2]?.key.slice(10, 20) ?? '', status: 2 })).toEqual([
      [others[1]],
      1,
    ]);
    expect(await names({ token: tokens[2]?.key.slice(10, 20) ?? '', status: 1 })).toEqual([[], 0]);
  });
});

describe('several tokens with one call', () => {
  test('are created alike, with a suffix for all but the first, and one announcement', async () => {
    const { as, app } = await createTestApp();
    const heard: unknown[] = [];
    app.cluster.changes.listen((change) => {
      heard.push(change);
    });
    const tokens = await (await as(1)).token.createMany({
      name: 'batch',
      count: 3,
      remain_quota: 7,
    });
    expect(tokens.map(({ name }) => name)).toEqual([
      'batch',
      expect.stringMatching(/^batch-[0-9A-Za-z]{6}$/),
      expect.stringMatching(/^batch-[0-9A-Za-z]{6}$/),
    ]);
    expect(new Set(tokens.map(({ key }) => key)).size).toBe(3);
    expect(tokens.map(({ remain_quota }) => remain_quota)).toEqual([7, 7, 7]);
    expect(heard).toEqual([{ kind: 'token', ids: tokens.map(({ id }) => id) }]);
  });

  test('are all enabled, or none of them when one has expired', async () => {
    const { as, app } = await createTestApp();
    const me = await as(1);
    const ids = (await me.token.createMany({ name: 'a', count: 2 })).map(({ id }) => id);
    const statuses = async () => (await me.token.list()).items.map(({ status }) => status);
    expect(await me.token.setStatusMany({ ids, status: 2 })).toBe(2);
    expect(await codeOf(me.token.setStatusMany({ ids, status: 3 }))).toBe('invalid_parameter');
    await app.storage.tokens.update(ids[1] ?? 0, { status: 3, expiredTime: 1 });
    expect(await codeOf(me.token.setStatusMany({ ids, status: 1 }))).toBe('token_still_expired');
    expect(await statuses()).toEqual([3, 2]);
    await app.storage.tokens.update(ids[1] ?? 0, { expiredTime: -1 });
    expect(await me.token.setStatusMany({ ids, status: 1 })).toBe(2);
    expect(await statuses()).toEqual([1, 1]);
  });

  test('of somebody else are left alone', async () => {
    const { as, addUser } = await createTestApp();
    const [me, other] = [await as(1), await as(await addUser('ann'))];
    const mine = await me.token.create({ name: 'mine' });
    expect(await other.token.setStatusMany({ ids: [mine.id], status: 2 })).toBe(0);
    expect(await other.token.removeMany({ ids: [mine.id] })).toBe(0);
    expect(await me.token.get({ id: mine.id })).toMatchObject({ status: 1 });
    expect(await me.token.removeMany({ ids: [mine.id, 9999] })).toBe(1);
    expect((await me.token.list()).total).toBe(0);
  });
});
