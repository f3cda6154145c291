// Covers src/core/storage/ledger/postgres-store.ts, src/core/storage/ledger/postgres-holds.ts, src/core/storage/ledger/postgres-state.ts, src/core/storage/ledger/postgres-write.ts, src/core/storage/ledger/guards.ts.
import { describe, expect, it } from 'vitest';
import { planBatch } from '../../../src/core/billing/index.ts';
import { type Clock, systemClock } from '../../../src/core/kernel/clock.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { createPostgresLedgerStore } from '../../../src/core/storage/ledger/postgres-store.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import { forEachEngine } from '../../support/storage.ts';
import {
  addToken,
  addUser,
  admitted,
  charge,
  closeLedgersAfterEach,
  codeOf,
  dead,
  expireAll,
  grant,
  holdFor,
  logFor,
  openLedger,
  poolOf,
  redeemGuard,
} from './ledger-support.ts';

/** Open holds, and what users and tokens say is held. */
async function heldIn(storage: OpenStorage) {
  const { rows } = await poolOf(storage).query<{
    holds: number;
    held: number;
    users: number;
    tokens: number;
  }>(
    `SELECT (SELECT count(*) FROM holds) AS holds, (SELECT coalesce(sum(amount), 0)::bigint FROM holds) AS held,
       (SELECT sum(held)::bigint FROM users) AS users, (SELECT coalesce(sum(held), 0)::bigint FROM tokens) AS tokens`,
  );
  return rows[0];
}
const nothingHeld = { holds: 0, held: 0, users: 0, tokens: 0 };

/** A clock whose sleepers wake when told. */
function createSleepingClock(): Clock & { wake(): void; asleep(): number } {
  let sleepers: (() => void)[] = [];
  return {
    now: systemClock.now,
    sleep: (_, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      }),
    wake: () => {
      const woken = sleepers;
      sleepers = [];
      for (const resolve of woken) resolve();
    },
    asleep: () => sleepers.length,
  };
}

forEachEngine('ledger of several processes', (engine) => {
  describe.skipIf(engine.name !== 'postgres')('on one database', () => {
    closeLedgersAfterEach();

    /** Two processes with a pool each. */
    async function openTwo() {
      const first = await engine.open();
      const url = poolOf(first).options.connectionString ?? '';
      const second = await engine.open({ url, migrate: false });
      return { storage: first, nodes: [openLedger(first), openLedger(second)] as const };
    }

    const ways = [['with tokens', true] as const, ['without', false] as const];

    it.each(ways)(
      'lets two processes admit together what one wallet can pay for, %s',
      async (_, withTokens) => {
        const { storage, nodes } = await openTwo();
        const userId = await addUser(storage);
        const tokenId = withTokens ? await addToken(storage, userId, 0, true) : 0;
        await grant(nodes[0], userId, 1000);
        const attempts = Array.from({ length: 200 }, async (_, index) => {
          const node = nodes[index % 2 === 0 ? 0 : 1];
          return { node, hold: await node.hold(holdFor(userId, tokenId, 100)) };
        });
        const holds = await admitted(attempts);
        expect(holds).toHaveLength(10);
        expect(await heldIn(storage)).toEqual({
          holds: 10,
          held: 1000,
          users: 1000,
          tokens: withTokens ? 1000 : 0,
        });
        await Promise.all(holds.map(({ node, hold }) => node.settle(hold, charge(100))));
        expect(await nodes[1].balance(userId)).toEqual({ quota: 0, held: 0 });
        expect(await heldIn(storage)).toEqual(nothingHeld);
        expect(await nodes[0].verify()).toMatchObject({ ok: true, sum: 0, staleHolds: 0 });
      },
    );

    it('admits one small hold at a time, whichever process asks', async () => {
      const { storage, nodes } = await openTwo();
      const userId = await addUser(storage);
      await grant(nodes[0], userId, 300);
      const attempts = Array.from({ length: 20 }, (_, index) =>
        nodes[index % 2 === 0 ? 0 : 1].hold(holdFor(userId, 0, 9000, 200)),
      );
      expect(await Promise.all(attempts.map(codeOf))).toEqual(
        expect.arrayContaining(['ok', 'small_hold_busy']),
      );
      expect(await heldIn(storage)).toMatchObject({ holds: 1, held: 200, users: 200 });
    });

    it.each(ways)(
      'stays exact when both settle for the same users and channels, %s',
      async (_, withTokens) => {
        const { storage, nodes } = await openTwo();
        const pool = poolOf(storage);
        const channels = [1, 2, 3];
        await pool.query(
          `INSERT INTO channels (id, key_hash, key_enc) SELECT id, '', '' FROM unnest($1::bigint[]) AS id`,
          [channels],
        );
        const users: { userId: number; tokenId: number }[] = [];
        for (let n = 0; n < 4; n += 1) {
          const userId = await addUser(storage);
          users.push({
            userId,
            tokenId: withTokens ? await addToken(storage, userId, 100_000) : 0,
          });
          await grant(nodes[0], userId, 100_000);
        }
        let charged = 0;
        const requests = Array.from({ length: 400 }, async (_, n) => {
          const node = nodes[n % 8 < 4 ? 0 : 1];
          const { userId, tokenId } = users[n % users.length] ?? { userId: 0, tokenId: 0 };
          const hold = await node.hold(holdFor(userId, tokenId, 50));
          if (n % 10 === 0) return node.release(hold);
          charged += n;
          await node.settle(hold, {
            ...charge(n, channels[n % channels.length]),
            log: logFor(userId, hold.requestId, n),
            rollup: { modelName: 'm', username: 'u', hour: 3600, tokens: 2 },
          });
        });
        await Promise.all(requests);
        const { rows } = await pool.query(
          `SELECT (SELECT sum(used_quota)::bigint FROM channels) AS channels, (SELECT sum(used_quota)::bigint FROM users) AS users,
           (SELECT coalesce(sum(100000 - remain_quota), 0)::bigint FROM tokens) AS tokens, (SELECT sum(quota)::bigint FROM quota_data) AS rollups,
           (SELECT sum(count)::bigint FROM quota_data) AS counted, (SELECT count(*) FROM logs) AS logs,
           (SELECT -sum(l.amount)::bigint FROM ledger l JOIN logs ON logs.ledger_id = l.id AND logs.request_id = l.reference) AS told`,
        );
        expect(rows[0]).toEqual({
          channels: charged,
          users: charged,
          tokens: withTokens ? charged : 0,
          rollups: charged,
          counted: 360,
          logs: 360,
          told: charged,
        });
        const { rows: wrong } = await pool.query(
          `SELECT id FROM (SELECT id, balance_after, sum(amount) OVER (PARTITION BY user_id ORDER BY id) AS sum FROM ledger) row
         WHERE balance_after != sum`,
        );
        expect(wrong).toEqual([]);
        expect(await heldIn(storage)).toEqual(nothingHeld);
        expect(await nodes[1].verify()).toMatchObject({ ok: true, sum: 400_000 - charged });
      },
    );

    it('posts a reference once and redeems a code once, whichever process is asked', async () => {
      const { storage, nodes } = await openTwo();
      const users = [await addUser(storage), await addUser(storage)];
      const { rows } = await poolOf(storage).query<{ id: number }>(
        `INSERT INTO redemptions (key_hash, quota) VALUES ('k', 70) RETURNING id`,
      );
      const redemptionId = rows[0]?.id ?? 0;
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          nodes[n % 2 === 0 ? 0 : 1].post({
            userId: users[(n >> 1) % 2] ?? 0,
            kind: 'redemption',
            amount: toQuota(70),
            reference: n < 10 ? String(redemptionId) : null,
            guard: redeemGuard(redemptionId, users[(n >> 1) % 2] ?? 0),
          }),
        ),
      );
      expect(results.filter(({ posted }) => posted)).toHaveLength(1);
      expect(await nodes[0].verify()).toMatchObject({ ok: true, sum: 70, postings: 1 });
      const trade = {
        userId: users[0] ?? 0,
        kind: 'top_up',
        amount: toQuota(5),
        reference: 'trade',
      } as const;
      const trades = await Promise.all(
        Array.from({ length: 10 }, (_, n) => nodes[n % 2 === 0 ? 0 : 1].post(trade)),
      );
      expect(trades.filter(({ posted }) => posted)).toHaveLength(1);
    });

    it('takes the holds of a dead process over, each exactly once', async () => {
      const storage = await engine.open();
      const ledger = openLedger(storage, dead);
      const userId = await addUser(storage);
      const tokenId = await addToken(storage, userId, 5000);
      await grant(ledger, userId, 1000);
      for (let n = 0; n < 5; n += 1) await ledger.hold(holdFor(userId, tokenId, 100));
      await expireAll(storage);
      expect(await ledger.verify()).toMatchObject({ ok: true, staleHolds: 5 });
      const others = ['a', 'b', 'c'].map((node) =>
        createPostgresLedgerStore(poolOf(storage), node, planBatch),
      );
      const taken = await Promise.all(others.map((store) => store.takeOverHolds()));
      expect(taken.reduce((sum, count) => sum + count, 0)).toBe(5);
      expect(await heldIn(storage)).toEqual(nothingHeld);
      expect(await ledger.balance(userId)).toEqual({ quota: 1000, held: 0 });
      expect(await ledger.verify()).toMatchObject({ ok: true, staleHolds: 0, sum: 1000 });
    });

    it('gives back what a crash cut off, as soon as somebody looks', async () => {
      const storage = await engine.open();
      const crashed = openLedger(storage, dead);
      const userId = await addUser(storage);
      await grant(crashed, userId, 1000);
      await crashed.hold(holdFor(userId, 0, 1000));
      expect(await codeOf(crashed.hold(holdFor(userId, 0, 1)))).toBe('insufficient_user_quota');
      await expireAll(storage);
      const next = openLedger(storage);
      await expect.poll(() => heldIn(storage)).toEqual(nothingHeld);
      expect(await codeOf(next.hold(holdFor(userId, 0, 1000)))).toBe('ok');
    });

    it('charges once when its lease was lost meanwhile', async () => {
      const storage = await engine.open();
      const paused = openLedger(storage, dead);
      const userId = await addUser(storage);
      const tokenId = await addToken(storage, userId, 5000);
      await grant(paused, userId, 1000);
      const lost = await paused.hold(holdFor(userId, tokenId, 600));
      await expireAll(storage);
      expect(
        await createPostgresLedgerStore(poolOf(storage), 'other', planBatch).takeOverHolds(),
      ).toBe(1);
      const other = openLedger(storage);
      const kept = await other.hold(holdFor(userId, tokenId, 700));
      await paused.settle(lost, charge(600));
      expect(await heldIn(storage)).toEqual({ holds: 1, held: 700, users: 700, tokens: 700 });
      await other.settle(kept, charge(700));
      expect(await other.balance(userId)).toEqual({ quota: -300, held: 0 });
      expect(await storage.tokens.find(tokenId)).toMatchObject({
        remainQuota: 3700,
        usedQuota: 1300,
        held: 0,
      });
      expect(await other.verify()).toMatchObject({ ok: true, postings: 3 });
    });

    it('renews the leases of what it still serves, before it looks for those that ran out', async () => {
      const storage = await engine.open();
      const clock = createSleepingClock();
      const ledger = openLedger(storage, { clock });
      const userId = await addUser(storage);
      await grant(ledger, userId, 1000);
      const hold = await ledger.hold(holdFor(userId, 0, 400));
      await expect.poll(() => clock.asleep()).toBe(1);
      await expireAll(storage);
      clock.wake();
      await expect.poll(() => clock.asleep()).toBe(1);
      expect(await heldIn(storage)).toMatchObject({ holds: 1, users: 400 });
      expect(
        await createPostgresLedgerStore(poolOf(storage), 'other', planBatch).takeOverHolds(),
      ).toBe(0);
      await ledger.release(hold);
      expect(await heldIn(storage)).toEqual(nothingHeld);
    });
  });
});
