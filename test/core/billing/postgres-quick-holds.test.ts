// Covers src/core/storage/ledger/postgres-quick-holds.ts
import type { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { placeQuickHolds } from '../../../src/core/storage/ledger/postgres-quick-holds.ts';
import { forEachEngine } from '../../support/storage.ts';
import {
  addToken,
  addUser,
  charge,
  closeLedgersAfterEach,
  codeOf,
  grant,
  holdFor,
  openLedger,
  poolOf,
} from './ledger-support.ts';

async function heldIn(pool: Pool): Promise<unknown> {
  const { rows } = await pool.query(
    `SELECT (SELECT count(*) FROM holds) AS holds, (SELECT sum(held)::bigint FROM users) AS users,
       (SELECT coalesce(sum(held), 0)::bigint FROM tokens) AS tokens`,
  );
  return rows[0];
}

/** Rows of users and tokens that were read from the beginning of their tables to the end. */
async function readOfAccounts(pool: Pool): Promise<number | undefined> {
  // A connection reports what it read when it is told to, or within a second.
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  for (const client of clients) await client.query('SELECT pg_stat_force_next_flush()');
  for (const client of clients) client.release();
  const { rows } = await pool.query<{ read: number }>(
    `SELECT sum(seq_tup_read)::bigint AS read FROM pg_stat_user_tables WHERE relname IN ('users', 'tokens')`,
  );
  return rows[0]?.read;
}

forEachEngine('holds of accounts with plenty', (engine) => {
  describe.skipIf(engine.name !== 'postgres')('on PostgreSQL', () => {
    closeLedgersAfterEach();

    async function openSite() {
      const storage = await engine.open();
      const ledger = openLedger(storage);
      const [rich, poor] = [await addUser(storage), await addUser(storage)];
      await grant(ledger, rich, 1000);
      await grant(ledger, poor, 100);
      return { storage, ledger, pool: poolOf(storage), rich, poor };
    }
    let serial = 0;
    const quick = (userId: number, tokenId: number, amount: number) => ({
      userId,
      tokenId,
      amount,
      requestId: `quick${++serial}`,
    });

    it('are placed in accounts and tokens, or none is where one account is short', async () => {
      const { storage, pool, rich, poor } = await openSite();
      const token = await addToken(storage, rich, 300);
      const place = (...holds: ReturnType<typeof quick>[]) => placeQuickHolds(pool, 'node', holds);
      expect(await place(quick(rich, token, 100), quick(poor, 0, 101))).toBe(false);
      expect(await place(quick(rich, token, 200), quick(rich, token, 101))).toBe(false);
      expect(await place(quick(rich, 0, 1), quick(1_000_000, 0, 1))).toBe(false);
      expect(await place(quick(rich, 1_000_000, 1))).toBe(false);
      expect(await heldIn(pool)).toEqual({ holds: 0, users: 0, tokens: 0 });
      expect(await place(quick(rich, token, 200), quick(poor, 0, 100), quick(rich, 0, 800))).toBe(
        true,
      );
      expect(await heldIn(pool)).toEqual({ holds: 3, users: 1100, tokens: 200 });
      // What ends them later finds its accounts here.
      const columns = 'SELECT user_id, token_id, amount, node FROM holds ORDER BY amount';
      expect((await pool.query(columns)).rows).toEqual([
        { user_id: poor, token_id: null, amount: 100, node: 'node' },
        { user_id: rich, token_id: token, amount: 200, node: 'node' },
        { user_id: rich, token_id: null, amount: 800, node: 'node' },
      ]);
      expect(await place(quick(rich, 0, 1))).toBe(false);
    });

    it('need a token that has something left, unless it is unlimited', async () => {
      const { storage, pool, rich } = await openSite();
      const [empty, unlimited] = [
        await addToken(storage, rich, 0),
        await addToken(storage, rich, -5, true),
      ];
      expect(await placeQuickHolds(pool, 'node', [quick(rich, empty, 0)])).toBe(false);
      expect(await placeQuickHolds(pool, 'node', [quick(rich, unlimited, 10)])).toBe(true);
    });

    it('leave the settings of the connection as they are', async () => {
      const { pool, rich } = await openSite();
      await placeQuickHolds(pool, 'node', [quick(rich, 0, 1)]);
      const { rows } = await pool.query(
        `SELECT current_setting('synchronous_commit') AS commits, current_setting('lock_timeout') AS waits`,
      );
      expect(rows).toEqual([{ commits: 'on', waits: '0' }]);
    });

    it('look accounts up by id, as charges do, and are planned once', async () => {
      const { storage, ledger, pool } = await openSite();
      // One after the other: on a busy machine hundreds at once wait too long for a connection.
      const users: number[] = [];
      const tokens: number[] = [];
      while (users.length < 300) {
        const user = await addUser(storage);
        users.push(user);
        tokens.push(await addToken(storage, user, 10_000));
      }
      await pool.query('UPDATE users SET quota = 10000');
      await pool.query('ANALYZE users, tokens');
      const before = await readOfAccounts(pool);
      for (const [index, user] of users.entries())
        await ledger.settle(await ledger.hold(holdFor(user, tokens[index] ?? 0, 400)), charge(300));
      expect(await readOfAccounts(pool)).toBe(before);
      const { rows } = await pool.query(
        `SELECT name FROM pg_prepared_statements WHERE custom_plans > 5`,
      );
      expect(rows).toEqual([]);
    });

    it('of several processes never wait for each other in a circle', async () => {
      const { storage, ledger, pool } = await openSite();
      // As on a site of many users: each is found by the index, in the order of the holds.
      for (const setting of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'])
        await pool.query(
          `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${setting} = off', current_database()); END $$`,
        );
      const url = pool.options.connectionString ?? '';
      const others = poolOf(await engine.open({ url, migrate: false }));
      const users = await Promise.all(Array.from({ length: 8 }, () => addUser(storage)));
      for (const userId of users) await grant(ledger, userId, 1_000_000);
      const groups = Array.from({ length: 60 }, (_, at) => {
        const holds = users.map((userId) => quick(userId, 0, 10));
        return at % 2 === 0 ? holds : holds.toReversed();
      });
      const placed = await Promise.all(
        groups.map((holds) => placeQuickHolds(others, 'node', holds)),
      );
      expect(placed).toEqual(groups.map(() => true));
      expect(await heldIn(pool)).toMatchObject({ holds: 480, users: 4800 });
    });

    it('who has too little is refused beside others, and served again once there is more', async () => {
      const { storage, ledger, rich, poor } = await openSite();
      const outcomes = () =>
        Promise.all([
          codeOf(ledger.hold(holdFor(rich, 0, 10))),
          codeOf(ledger.hold(holdFor(poor, 0, 200))),
        ]);
      expect(await outcomes()).toEqual(['ok', 'insufficient_user_quota']);
      expect(await outcomes()).toEqual(['ok', 'insufficient_user_quota']);
      await grant(ledger, poor, 1000);
      expect(await outcomes()).toEqual(['ok', 'ok']);
      const hold = await ledger.hold(holdFor(poor, 0, 300));
      expect(hold).toMatchObject({ amount: 300, small: false });
      await ledger.settle(hold, charge(300));
      expect(await ledger.balance(poor)).toEqual({ quota: 800, held: 200 });
      expect(await heldIn(poolOf(storage))).toMatchObject({ holds: 4 });
    });
  });
});
