import { expect, test } from 'vitest';
import { maxQuota, type Quota, toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { LogFilter, NewUsageLog, Storage } from '../../../src/core/storage/storage.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';

const log = (more: Partial<NewUsageLog> = {}): NewUsageLog => ({
  userId: 1,
  createdAt: 1000,
  type: 2,
  content: '',
  ...more,
});
const all = { offset: 0, limit: 100 };

async function insertAll(storage: Storage, logs: readonly Partial<NewUsageLog>[]): Promise<void> {
  for (const more of logs) await storage.logs.insert(log(more));
}

forEachEngineInTurn('usage logs', (engine) => {
  test('keeps every column', async () => {
    const { logs } = await engine.open();
    const fields = {
      type: 4,
      content: '内容 "quoted"',
      username: 'ann',
      tokenName: 't',
      modelName: 'm',
      quota: toQuota(5_000_000_000_000),
      promptTokens: 2,
      completionTokens: 3,
      useTime: 4,
      isStream: true,
      channelId: 5,
      tokenId: 6,
      group: 'vip',
      other: '{"frt":1}',
      requestId: '20231114221320123000000abcdefgh',
      ledgerId: 7,
      tags: 'job:night,team:blue',
    };
    const id = await logs.insert(log({ ...fields, createdAt: 1_700_000_000 }));
    expect(await logs.find(id)).toEqual({ ...fields, id, userId: 1, createdAt: 1_700_000_000 });
    expect(await logs.find(await logs.insert(log()))).toMatchObject({
      quota: 0,
      isStream: false,
      ledgerId: null,
      other: '',
      tags: '',
    });
    expect(await logs.listBefore({ request: fields.requestId }, undefined, 2)).toHaveLength(1);
    expect(
      await logs.listBefore({ request: '20231114221320123000000abcdefgi' }, undefined, 2),
    ).toEqual([]);
  });

  test('pages newest first, ties by id', async () => {
    const { logs, ...storage } = await engine.open();
    await insertAll({ logs, ...storage }, [
      { createdAt: 10 },
      { createdAt: 30 },
      { createdAt: 20 },
      { createdAt: 30 },
    ]);
    const ids = async (offset: number, limit: number) =>
      (await logs.page({}, { offset, limit })).items.map(({ id }) => id);
    expect(await ids(0, 100)).toEqual([4, 2, 3, 1]);
    expect(await ids(1, 2)).toEqual([2, 3]);
    expect(await ids(4, 2)).toEqual([]);
    expect((await logs.page({}, { offset: 0, limit: 2 })).total).toBe(4);
    expect((await logs.page({}, { offset: 2, limit: 5 })).total).toBe(4);
    expect((await logs.page({}, { offset: 50, limit: 5 })).total).toBe(4);
    expect(await logs.page({ type: 3 }, all)).toEqual({ items: [], total: 0 });
  });

  test('filters', async () => {
    const storage = await engine.open();
    const ann = await storage.users.insert({
      username: 'Ann',
      passwordHash: new Secret(''),
      role: 1,
      status: 1,
      group: 'default',
      createdAt: 1,
    });
    await insertAll(storage, [
      {
        userId: ann,
        username: 'Ann',
        createdAt: 100,
        type: 1,
        tokenName: 'a',
        group: 'vip',
        channelId: 3,
        tokenId: 9,
      },
      { userId: ann, username: 'former', createdAt: 200, modelName: 'gpt-5.1' },
      { userId: 77, username: 'gone', createdAt: 300, requestId: 'r1' },
    ]);
    const ids = async (filter: LogFilter) =>
      (await storage.logs.page(filter, all)).items.map(({ id }) => id);
    expect(await ids({ from: 100, to: 200 })).toEqual([2, 1]);
    expect(await ids({ from: 101 })).toEqual([3, 2]);
    expect(await ids({ to: 99 })).toEqual([]);
    expect(await ids({ type: 0, channel: 0, user: '', model: '', group: '' })).toEqual([3, 2, 1]);
    expect(await ids({ type: 1 })).toEqual([1]);
    expect(await ids({ userId: ann })).toEqual([2, 1]);
    expect(await ids({ user: 'Ann' })).toEqual([1]);
    expect(await ids({ user: 'ann' })).toEqual([]);
    expect(await ids({ user: 'former' })).toEqual([2]);
    expect(await ids({ user: 'gone', userId: 77 })).toEqual([3]);
    expect(await ids({ token: 'a', group: 'vip', channel: 3, tokenId: 9 })).toEqual([1]);
    expect(await ids({ token: 'A' })).toEqual([]);
    expect(await ids({ request: 'r1' })).toEqual([3]);
  });

  test('reads % at the ends of a model name as a pattern and nothing else', async () => {
    const storage = await engine.open();
    await insertAll(
      storage,
      ['gpt-5.1', 'GPT-5.1-mini', 'o_3', 'ox3', '50%off', 'a\\b'].map((modelName) => ({
        modelName,
      })),
    );
    const names = async (model: string) =>
      (await storage.logs.page({ model }, all)).items.map((row) => row.modelName).sort();
    expect(await names('gpt-5.1')).toEqual(['gpt-5.1']);
    expect(await names('gpt%')).toEqual(['GPT-5.1-mini', 'gpt-5.1']);
    expect(await names('%MINI')).toEqual(['GPT-5.1-mini']);
    expect(await names('%5.1%')).toEqual(['GPT-5.1-mini', 'gpt-5.1']);
    expect(await names('o_3')).toEqual(['o_3']);
    expect(await names('o_3%')).toEqual(['o_3']);
    expect(await names('%0%o%')).toEqual(['50%off']);
    expect(await names('g%t')).toEqual([]);
    expect(await names('a\\b%')).toEqual(['a\\b']);
    expect(await names('%')).toHaveLength(6);
  });

  test('sums the spending, and the last minute whatever the range', async () => {
    const storage = await engine.open();
    const spend = (createdAt: number, quota: number, more = {}) => ({
      createdAt,
      quota: toQuota(quota),
      promptTokens: 1,
      completionTokens: 2,
      ...more,
    });
    await insertAll(storage, [
      spend(100, 4_000_000_000_000_000),
      spend(200, 4_000_000_000_000_000, { userId: 2, modelName: 'm' }),
      spend(1000, 5),
      spend(1060, 7, { type: 1 }),
      spend(1050, 9, { modelName: 'm' }),
    ]);
    expect(await storage.logs.stat({ from: 100, to: 200 }, 1060)).toEqual({
      quota: 8_000_000_000_000_000,
      rpm: 2,
      tpm: 6,
    });
    expect(await storage.logs.stat({ type: 1, model: 'm' }, 1060)).toEqual({
      quota: 4_000_000_000_000_009,
      rpm: 1,
      tpm: 3,
    });
    expect(await storage.logs.stat({ userId: 9 }, 1060)).toEqual({ quota: 0, rpm: 0, tpm: 0 });
    expect((await storage.logs.stat({}, 9999)).rpm).toBe(0);
  });

  test('searches by type and by the beginning of the content', async () => {
    const storage = await engine.open();
    await insertAll(storage, [
      { type: 3, content: '50% Off' },
      { content: '3 codes', userId: 2 },
      { content: 'no' },
    ]);
    const found = async (
      keyword: string,
      scope: { userId?: number; content: boolean },
      limit = 100,
    ) => (await storage.logs.search(keyword, scope, limit)).map(({ id }) => id);
    expect(await found('3', { content: true })).toEqual([2, 1]);
    expect(await found('3', { content: false })).toEqual([1]);
    expect(await found('3', { content: true, userId: 2 })).toEqual([2]);
    expect(await found('50% o', { content: true })).toEqual([1]);
    expect(await found('5_', { content: true })).toEqual([]);
    expect(await found('3', { content: true }, 1)).toEqual([2]);
    expect(await found('no', { content: false })).toEqual([]);
    // Larger than any type.
    expect(await found('2147483648', { content: true })).toEqual([]);
  });

  test('follows the tail', async () => {
    const storage = await engine.open();
    expect(await storage.logs.newestId()).toBe(0);
    await insertAll(storage, [{ type: 1 }, { type: 2 }, { type: 1 }]);
    const since = async (id: number, limit: number, filter?: LogFilter) =>
      (await storage.logs.listSince(id, limit, filter)).map((row) => row.id);
    expect(await since(0, 2)).toEqual([1, 2]);
    expect(await since(1, 9, { type: 1 })).toEqual([3]);
    expect(await since(99, 9)).toEqual([]);
    expect(await storage.logs.newestId()).toBe(3);
  });

  test('summed days give the same pages, totals and sums as the rows', async () => {
    const storage = await engine.open();
    const day = 86_400;
    const rows = Array.from({ length: 60 }, (_, index) =>
      log({
        userId: 1 + (index % 3),
        username: `u${index % 3}`,
        createdAt: 10 * day + index * 9000,
        type: index % 7 === 0 ? 5 : 2,
        modelName: index % 2 === 0 ? 'gpt' : 'claude',
        channelId: index % 4,
        tokenName: `t${index % 5}`,
        quota: toQuota(index * 10),
      }),
    );
    await storage.logs.insertMany(rows);
    const filters: LogFilter[] = [
      {},
      { userId: 2 },
      { user: 'u1', model: 'g%' },
      { type: 5 },
      { channel: 3, token: 't1' },
      { from: 11 * day + 500, to: 14 * day + 77 },
      { from: 12 * day, to: 13 * day - 1, model: 'claude' },
      { userId: 9 },
    ];
    const read = () =>
      Promise.all(
        filters.map(async (filter) => ({
          ...(await storage.logs.page(filter, { offset: 3, limit: 7 })),
          deep: (await storage.logs.page(filter, { offset: 21, limit: 20 })).items,
          ...(await storage.logs.stat(filter, 1)),
        })),
      );
    const before = await read();
    expect(await storage.logs.sumDays(20 * day)).toBe(7);
    expect(await read()).toEqual(before);
    expect(before[0]?.total).toBe(60);

    // A late row is read at once, whether it is written by the repository or by a settlement.
    await storage.logs.insert(log({ createdAt: 12 * day + 5, quota: toQuota(1) }));
    expect((await storage.logs.page({}, { offset: 0, limit: 1 })).total).toBe(61);
    expect(await storage.logs.sumDays(20 * day)).toBe(1);
    expect((await storage.logs.stat({}, 1)).quota).toBe((before[0]?.quota ?? 0) + 1);

    // Deleted rows are not counted any more.
    await storage.logs.deletePiece(12 * day + 6);
    const left = await storage.logs.page({}, { offset: 0, limit: 100 });
    expect(left.total).toBe(left.items.length);
    await storage.logs.sumDays(20 * day);
    expect((await storage.logs.page({}, { offset: 0, limit: 1 })).total).toBe(left.items.length);
  });

  test('reads on after a row, in pieces', async () => {
    const storage = await engine.open();
    await insertAll(storage, [
      { createdAt: 10 },
      { createdAt: 30 },
      { createdAt: 20 },
      { createdAt: 30, type: 3 },
    ]);
    const first = await storage.logs.listBefore({}, undefined, 2);
    expect(first.map(({ id }) => id)).toEqual([4, 2]);
    expect((await storage.logs.listBefore({}, first[1], 9)).map(({ id }) => id)).toEqual([3, 1]);
    expect((await storage.logs.listBefore({ type: 3 }, first[1], 9)).map(({ id }) => id)).toEqual(
      [],
    );
  });

  test('sums charges by user, token and model, the largest first, and stops at the bound', async () => {
    const storage = await engine.open();
    const quota = (amount: number) => ({ quota: toQuota(amount) });
    await insertAll(storage, [
      { createdAt: 10, tokenId: 1, modelName: 'a', promptTokens: 2, ...quota(5) },
      { createdAt: 19, tokenId: 1, modelName: 'a', promptTokens: 3, ...quota(6) },
      { createdAt: 10, tokenId: 2, modelName: 'a', ...quota(maxQuota) },
      { createdAt: 10, tokenId: 2, modelName: 'a', ...quota(maxQuota) },
      { createdAt: 10, userId: 2, username: 'bob', modelName: 'b', ...quota(7) },
      { createdAt: 10, type: 5, ...quota(9) },
      { createdAt: 20, ...quota(9) },
    ]);
    const sums = await storage.logs.activity({ from: 10, to: 19 });
    expect(sums.map(({ userId, tokenId, count }) => [userId, tokenId, count])).toEqual([
      [1, 2, 2],
      [1, 1, 2],
      [2, 0, 1],
    ]);
    expect(sums.map((sum) => sum.quota)).toEqual([maxQuota, 11, 7]);
    expect(sums[1]).toMatchObject({ modelName: 'a', promptTokens: 5, completionTokens: 0 });
    expect(await storage.logs.activity({ userId: 2 })).toMatchObject([{ username: 'bob' }]);
  });

  test('deletes older rows in batches', async () => {
    const storage = await engine.open();
    await storage.transaction(async (inside) => {
      for (let createdAt = 1; createdAt <= 2300; createdAt++)
        await inside.logs.insert(log({ createdAt }));
    });
    let deleted = 0;
    for (let piece = 1; piece <= 4; piece += 1) {
      const next = await storage.logs.deletePiece(2201);
      expect(next).toEqual({ deleted: 500, done: false });
      deleted += next.deleted;
    }
    expect(deleted).toBe(2000);
    expect(await storage.logs.deletePiece(2201)).toEqual({ deleted: 200, done: true });
    expect(await storage.logs.deletePiece(2201)).toEqual({ deleted: 0, done: true });
    expect((await storage.logs.page({}, { offset: 0, limit: 1 })).total).toBe(100);
  });
});

forEachEngineInTurn('hourly consumption', (engine) => {
  const row = (userId: number, modelName: string, createdAt: number, quota: number) => ({
    userId,
    username: `u${userId}`,
    channelId: userId,
    modelName,
    hour: createdAt,
    tokens: 10,
    quota,
  });

  test('adds to the row of user, model and hour', async () => {
    const { quotaData } = await engine.open();
    await quotaData.add([row(1, 'm', 3600, 5), row(1, 'm', 3600, 6), row(2, 'm', 3600, 1)]);
    await quotaData.add([row(1, 'm', 3600, 4_000_000_000_000), row(1, 'n', 0, 2)]);
    expect(await quotaData.list({ userId: 1 })).toMatchObject([
      { modelName: 'n', createdAt: 0, quota: 2, count: 1 },
      {
        modelName: 'm',
        createdAt: 3600,
        quota: 4_000_000_000_011,
        count: 3,
        tokenUsed: 30,
        username: 'u1',
      },
    ]);
    expect(await quotaData.list({ username: 'u2' })).toHaveLength(1);
    expect(await quotaData.list({ from: 1, to: 3600 })).toHaveLength(2);
    await quotaData.add([]);
  });

  test('rows of finished days keep their values when they are stored user by user; later charges are added to them', async () => {
    const { quotaData } = await engine.open();
    const day = 86_400;
    const charges = [0, 3600, day, day + 3600, 2 * day].flatMap((hour) =>
      [3, 1, 2].map((user) => row(user, 'm', hour, user)),
    );
    for (const charge of charges) await quotaData.add([charge]);
    const stored = async () =>
      (await quotaData.list({})).map(({ createdAt, userId, quota, id }) => [
        createdAt,
        userId,
        quota,
        id,
      ]);
    const before = (await stored()).sort();
    await quotaData.gather(day - 1);
    await quotaData.gather(2 * day);
    expect((await stored()).sort()).toEqual(before);
    await quotaData.add([row(1, 'm', 3600, 100), row(4, 'm', 2 * day, 4)]);
    await quotaData.gather(3 * day);
    expect(await quotaData.list({ userId: 1, to: 3600 })).toMatchObject([
      { quota: 1 },
      { quota: 101, count: 2 },
    ]);
    expect(await stored()).toHaveLength(before.length + 1);
    await quotaData.gather(9 * day, AbortSignal.abort());
  });

  test('sums over users', async () => {
    const { quotaData } = await engine.open();
    await quotaData.add([
      row(1, 'm', 3600, 5),
      row(2, 'm', 3600, 6),
      row(2, 'a', 3600, 1),
      row(2, 'm', 7200, 1),
    ]);
    const sum = { id: 0, userId: 0, username: '' };
    expect(await quotaData.listSums({ to: 3600 })).toEqual([
      { ...sum, modelName: 'a', createdAt: 3600, tokenUsed: 10, count: 1, quota: 1 as Quota },
      { ...sum, modelName: 'm', createdAt: 3600, tokenUsed: 20, count: 2, quota: 11 as Quota },
    ]);
  });

  test('loses nothing when nodes add at once', async () => {
    const { quotaData } = await engine.open();
    await Promise.all(Array.from({ length: 20 }, () => quotaData.add([row(1, 'm', 0, 1)])));
    expect(await quotaData.list({})).toMatchObject([{ quota: 20, count: 20 }]);
  });
});
