/**
 * Sums have an end: what happens at it, and how rows that are beyond it already are read and
 * mended.
 */
import BetterSqlite3 from 'better-sqlite3';
import { expect, it } from 'vitest';
import { maxQuota, toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import { forEachEngineInTurn, type TestEngine } from '../../support/storage.ts';
import {
  addToken,
  addUser,
  charge,
  closeLedgersAfterEach,
  codeOf,
  grant,
  holdFor,
  logFor,
  openLedger,
  poolOf,
} from './ledger-support.ts';

interface Database {
  readonly storage: OpenStorage;
  /** Runs a statement past all rules, as an older version or an operator might have. */
  execute(statement: string): Promise<void>;
}

async function openFile(engine: TestEngine): Promise<Database> {
  if (engine.name === 'postgres') {
    const storage = await engine.open();
    return { storage, execute: async (statement) => void (await poolOf(storage).query(statement)) };
  }
  const url = await engine.freshUrl();
  const storage = await engine.open({ url });
  const execute = async (statement: string) => {
    const file = new BetterSqlite3(url.replace(/^sqlite:/, ''));
    file.exec(statement);
    file.close();
  };
  return { storage, execute };
}

const all = { offset: 0, limit: 100 };

forEachEngineInTurn('amounts at the end of the range', (engine) => {
  closeLedgersAfterEach();
  /** A database in memory has no second way in. */
  const fileIt = it.skipIf(engine.name === 'sqlite in memory');

  it('refuse a top-up beyond the range with its own error, and write nothing of it', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    await grant(ledger, userId, 1);
    expect(await codeOf(grant(ledger, userId, maxQuota))).toBe('balance_limit');
    await grant(ledger, userId, maxQuota - 1);
    expect(await codeOf(grant(ledger, userId, 1))).toBe('balance_limit');
    expect((await storage.users.page({}, all)).items).toMatchObject([{ quota: maxQuota }]);
    expect((await storage.ledger.page({ userId }, all)).total).toBe(2);
    expect(await ledger.verify()).toMatchObject({ ok: true, sum: maxQuota });
  });

  it('of the keys of a channel are added up by key and hour, and stop at the end of the range', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    await grant(ledger, userId, 1000);
    const settle = async (amount: number, channelId: number, hour: number, keyName?: string) => {
      const hold = await ledger.hold(holdFor(userId, 0, 1));
      const rollup = { modelName: 'm', username: 'u', hour, tokens: 1 };
      await ledger.settle(hold, {
        ...charge(amount, channelId),
        rollup: { ...rollup, ...(keyName !== undefined && { keyName }) },
      });
    };
    await settle(1, 1, 3600, 'one');
    await settle(2, 1, 3600, 'one');
    await settle(4, 1, 7200, 'one');
    await settle(8, 1, 7200, 'two');
    await settle(16, 1, 7200);
    await settle(32, 2, 7200, 'one');
    const sums = async (channelId: number, from: number) =>
      Object.fromEntries(
        (await storage.quotaData.listKeys(channelId, from)).map(({ name, count, quota }) => [
          name,
          [count, quota],
        ]),
      );
    expect(await sums(1, 0)).toEqual({ one: [3, 7], two: [1, 8] });
    expect(await sums(1, 7200)).toEqual({ one: [1, 4], two: [1, 8] });
    expect(await sums(2, 0)).toEqual({ one: [1, 32] });
    expect(await sums(3, 0)).toEqual({});
    const spent = { userId, username: 'u', channelId: 1, modelName: 'm', tokens: 0, hour: 3600 };
    await storage.quotaData.add([{ ...spent, quota: maxQuota, keyName: 'two' }]);
    expect((await sums(1, 0)).two).toEqual([2, maxQuota]);
  });

  fileIt(
    'keep every list readable where a row is beyond it, and let a quota edit mend the row',
    async () => {
      const { storage, execute } = await openFile(engine);
      const userId = await addUser(storage);
      const tokenId = await addToken(storage, userId, 100);
      const at = 1_700_000_000;
      await execute(
        `UPDATE users SET quota = 9007199254741000, used_quota = 9107199254740993 WHERE id = ${userId}`,
      );
      await execute(
        `INSERT INTO ledger (user_id, kind, amount, balance_after, created_at) VALUES (${userId}, 'top_up', 9007199254741000, 9007199254741000, 1)`,
      );
      await execute(`UPDATE tokens SET used_quota = 9107199254740993 WHERE id = ${tokenId}`);
      await execute(
        `INSERT INTO quota_data (user_id, username, model_name, created_at, count, quota, token_used)
       VALUES (${userId}, 'u', 'm', 3600, 1, 9107199254740993, 9107199254740993), (${userId}, 'v', 'm', 3600, 1, 9107199254740993, 1)`,
      );
      await execute(
        `INSERT INTO channel_usage (created_at, channel_id, model_name, count, quota, token_used)
       VALUES (3600, 1, 'm', 1, 9107199254740993, 9107199254740993), (3600, 2, 'm', 1, 9107199254740993, 1)`,
      );
      await execute(
        `INSERT INTO logs (user_id, created_at, type, content, quota, prompt_tokens, completion_tokens)
       VALUES (${userId}, ${at}, 2, '', 9107199254740993, 1, 1)`,
      );
      expect((await storage.users.page({ keyword: 'user' }, all)).items).toMatchObject([
        { quota: maxQuota, usedQuota: maxQuota },
      ]);
      expect((await storage.ledger.page({}, all)).items).toMatchObject([
        { amount: maxQuota, balanceAfter: maxQuota },
      ]);
      expect((await storage.tokens.pageByUser(userId, all)).items).toMatchObject([
        { usedQuota: maxQuota },
      ]);
      expect(await storage.quotaData.list({})).toMatchObject([
        { quota: maxQuota, tokenUsed: maxQuota },
        { quota: maxQuota },
      ]);
      expect(await storage.quotaData.listSums({})).toMatchObject([{ count: 2, quota: maxQuota }]);
      const hour = { starts: [3600], end: 7200 };
      expect(await storage.quotaData.listSpans(hour)).toMatchObject([
        { count: 2, quota: maxQuota },
      ]);
      expect(await storage.quotaData.listSpans(hour, { userId })).toMatchObject([
        { count: 2, quota: maxQuota },
      ]);
      expect(await storage.quotaData.listMargins(hour)).toHaveLength(2);
      expect(await storage.quotaData.listMarginSpans(hour)).toMatchObject([
        { start: 3600, quota: maxQuota },
      ]);
      expect(await storage.ledger.balancesAt(userId, [3600])).toEqual([maxQuota]);
      expect(await storage.logs.stat({ userId }, at)).toMatchObject({ quota: maxQuota });
      expect((await storage.logs.page({ userId }, all)).items).toMatchObject([{ quota: maxQuota }]);

      const ledger = openLedger(storage);
      expect((await ledger.balance(userId)).quota).toBe(maxQuota);
      // Requests are served and charged.
      const hold = await ledger.hold(holdFor(userId, tokenId, 10));
      const rollup = { modelName: 'm', username: 'u', hour: 3600, tokens: 1 };
      await ledger.settle(hold, { ...charge(10), rollup });
      expect((await storage.users.find(userId))?.quota).toBe(maxQuota - 10);
      await ledger.post({
        userId,
        kind: 'adjustment',
        amount: toQuota(500 - (maxQuota - 10)),
        reference: null,
      });
      expect((await ledger.balance(userId)).quota).toBe(500);
      expect(await storage.users.find(userId)).toMatchObject({ quota: 500 });
      expect(
        (await storage.ledger.page({}, all)).items.map(({ kind, amount }) => [kind, amount]),
      ).toEqual([
        ['adjustment', 510 - maxQuota],
        ['charge', -10],
        ['adjustment', -9],
        ['top_up', maxQuota],
      ]);
      expect(await storage.ledger.verify()).toEqual([]);
      // The token's row was changed by hand, without an allowance.
      const { drifts, chain } = await ledger.verify();
      expect(drifts).toMatchObject([
        { account: 'token', id: tokenId },
        { account: 'token_used', id: tokenId },
      ]);
      expect(chain.breaks).toMatchObject([{ reason: 'unlinked', id: 1 }]);
    },
  );

  it('charge what a balance in the range can bear, and say on the log row what was not charged', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    await grant(ledger, userId, 10);
    const hold = await ledger.hold(holdFor(userId, 0, 10));
    await ledger.post({ userId, kind: 'adjustment', amount: toQuota(-maxQuota), reference: null });
    await ledger.settle(hold, { ...charge(100), log: logFor(userId, hold.requestId, 100) });
    expect(await storage.users.find(userId)).toMatchObject({ quota: -maxQuota, usedQuota: 10 });
    const [row] = await storage.logs.listBefore({ request: hold.requestId }, undefined, 2);
    expect(row?.quota).toBe(10);
    expect(JSON.parse(row?.other ?? '')).toEqual({ a: 1, debt: 10, uncharged: 90 });
    expect((await ledger.verify()).ok).toBe(true);
    // What the ledger knows is what is stored, now and after the next posting.
    expect((await ledger.balance(userId)).quota).toBe(-maxQuota);
    await ledger.post({ userId, kind: 'adjustment', amount: toQuota(maxQuota), reference: null });
    expect((await ledger.balance(userId)).quota).toBe(0);
    expect(await storage.users.find(userId)).toMatchObject({ quota: 0 });
  });

  it('leave a token as much as is stored after a capped charge', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const tokenId = await addToken(storage, userId, 5000);
    await grant(ledger, userId, 1010);
    const hold = await ledger.hold(holdFor(userId, tokenId, 10));
    await ledger.post({ userId, kind: 'adjustment', amount: toQuota(-maxQuota), reference: null });
    await ledger.settle(hold, charge(1100));
    expect(await storage.tokens.find(tokenId)).toMatchObject({
      remainQuota: 3990,
      usedQuota: 1010,
    });
    await ledger.post({ userId, kind: 'adjustment', amount: toQuota(maxQuota), reference: null });
    await grant(ledger, userId, 10_000);
    expect(await ledger.hold(holdFor(userId, tokenId, 3950))).toMatchObject({
      amount: 3950,
      small: false,
    });
    expect((await ledger.verify()).ok).toBe(true);
  });

  fileIt('leave the counters of channels and hours at the bound', async () => {
    const { storage, execute } = await openFile(engine);
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    await grant(ledger, userId, 1000);
    const [channelId = 0] = await storage.channels.insertMany([
      { type: 1, name: 'c', key: new Secret('k'), createdTime: 1, models: 'm', group: 'default' },
    ]);
    await execute(`UPDATE channels SET used_quota = ${maxQuota} WHERE id = ${channelId}`);
    await execute(
      `INSERT INTO quota_data (user_id, username, model_name, created_at, count, quota, token_used)
       VALUES (${userId}, 'u', 'm', 3600, 1, ${maxQuota}, 1)`,
    );
    const hold = await ledger.hold(holdFor(userId, 0, 100));
    const rollup = { modelName: 'm', username: 'u', hour: 3600, tokens: 7 };
    await ledger.settle(hold, { ...charge(100, channelId), rollup });
    expect((await storage.channels.find(channelId))?.usedQuota).toBe(maxQuota);
    expect(await storage.quotaData.list({})).toMatchObject([
      { count: 2, quota: maxQuota, tokenUsed: 8 },
    ]);
    expect((await ledger.balance(userId)).quota).toBe(900);
  });
});
