/** Moments between two statements of another process, held open by hand. */
import type { PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import { planBatch } from '../../../src/core/billing/index.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { createPostgresLedgerStore } from '../../../src/core/storage/ledger/postgres-store.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import { forEachEngine } from '../../support/storage.ts';
import {
  addToken,
  addUser,
  charge,
  closeLedgersAfterEach,
  dead,
  expireAll,
  grant,
  holdFor,
  openLedger,
  poolOf,
} from './ledger-support.ts';

/** Transactions of this database that wait for a lock. */
async function waitingIn(storage: OpenStorage): Promise<number> {
  const { rows } = await poolOf(storage).query<{ count: number }>(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Begins `work` in a transaction of another process; the returned function commits it once somebody
 * waits for it.
 */
async function holdOpen(
  storage: OpenStorage,
  work: (client: PoolClient) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const client = await poolOf(storage).connect();
  await client.query('BEGIN');
  await work(client);
  return async () => {
    await expect.poll(() => waitingIn(storage)).toBe(1);
    await client.query('COMMIT');
    client.release();
  };
}

forEachEngine('ledger of several processes, statement by statement', (engine) => {
  describe.skipIf(engine.name !== 'postgres')('on one database', () => {
    closeLedgersAfterEach();

    it('knows a reference that another process commits at this moment', async () => {
      const storage = await engine.open();
      const ledger = openLedger(storage);
      const [userId, other] = [await addUser(storage), await addUser(storage)];
      const finish = await holdOpen(storage, (client) =>
        client.query(
          `INSERT INTO ledger (user_id, kind, amount, balance_after, reference, created_at) VALUES ($1, 'top_up', 0, 0, 'trade', 1)`,
          [other],
        ),
      );
      const late = ledger.post({ userId, kind: 'top_up', amount: toQuota(5), reference: 'trade' });
      await finish();
      expect(await late).toEqual({ posted: false, balance: 0 });
    });

    it('charges the balance that another process is changing at this moment', async () => {
      const storage = await engine.open();
      const ledger = openLedger(storage);
      const userId = await addUser(storage);
      await grant(ledger, userId, 1000);
      const hold = await ledger.hold(holdFor(userId, 0, 100));
      const finish = await holdOpen(storage, (client) =>
        client.query(
          `WITH paid AS (UPDATE users SET quota = quota + 500 WHERE id = $1 RETURNING quota)
           INSERT INTO ledger (user_id, kind, amount, balance_after, created_at) SELECT $1, 'grant', 500, quota, 1 FROM paid`,
          [userId],
        ),
      );
      const settled = ledger.settle(hold, charge(10));
      await finish();
      await settled;
      const { items } = await storage.ledger.page({ userId }, { offset: 0, limit: 10 });
      expect(items.map(({ balanceAfter }) => balanceAfter)).toEqual([1490, 1500, 1000]);
      expect(await ledger.verify()).toMatchObject({
        drifts: [],
        sum: 1490,
        chain: { breaks: [{ reason: 'unlinked', id: 2 }] },
      });
    });

    it('counts a charge on the allowance that is being set at this moment', async () => {
      const storage = await engine.open();
      const ledger = openLedger(storage);
      const userId = await addUser(storage);
      const tokenId = await addToken(storage, userId, 5000);
      await grant(ledger, userId, 1000);
      const hold = await ledger.hold(holdFor(userId, tokenId, 100));
      const finish = await holdOpen(storage, (client) =>
        client.query('UPDATE tokens SET remain_quota = 50 WHERE id = $1', [tokenId]),
      );
      const settled = ledger.settle(hold, charge(10));
      await finish();
      await settled;
      expect(await storage.tokens.find(tokenId)).toMatchObject({
        remainQuota: 40,
        usedQuota: 10,
        held: 0,
      });
    });

    it('leaves a hold alone whose lease is renewed while somebody takes it over', async () => {
      const storage = await engine.open();
      const ledger = openLedger(storage, { ...dead, node: 'late' });
      const userId = await addUser(storage);
      await grant(ledger, userId, 1000);
      const hold = await ledger.hold(holdFor(userId, 0, 400));
      await expireAll(storage);
      const finish = await holdOpen(storage, (client) =>
        client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [userId]),
      );
      const taking = createPostgresLedgerStore(poolOf(storage), 'other', planBatch).takeOverHolds();
      await expect.poll(() => waitingIn(storage)).toBe(1);
      await createPostgresLedgerStore(poolOf(storage), 'late', planBatch).renewLeases([
        hold.requestId,
      ]);
      await finish();
      expect(await taking).toBe(0);
      expect(await ledger.balance(userId)).toEqual({ quota: 1000, held: 400 });
    });
  });
});
