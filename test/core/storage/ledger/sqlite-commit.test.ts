// Covers src/core/storage/ledger/sqlite-commit.ts, src/core/storage/ledger/sqlite-state.ts, src/core/storage/ledger/stored-accounts.ts, src/core/storage/ledger/guards.ts.
/** What a batch reads before it is planned, and what is written together on SQLite. */
import BetterSqlite3 from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LedgerKeys } from '../../../../src/core/storage/ledger/keys.ts';
import type { Settlement } from '../../../../src/core/storage/ledger/settlement.ts';
import { createSqliteCommitter } from '../../../../src/core/storage/ledger/sqlite-commit.ts';
import { prepareSqliteReader } from '../../../../src/core/storage/ledger/sqlite-state.ts';
import { RefusedItemError } from '../../../../src/core/storage/ledger/write-errors.ts';
import { db, keysWith, max, nothing, openRows, posting, rowsOf, write } from './sqlite-image.ts';

beforeEach(openRows);

describe('the reader', () => {
  const read = (more: Partial<LedgerKeys>) => prepareSqliteReader(db)(keysWith(more));

  it('finds accounts, and the last balance of users who are gone and are charged', () => {
    write({
      postings: [
        posting({ userId: 2, balanceAfter: 40, reference: 'a' }),
        posting({ userId: 2, balanceAfter: 30, reference: 'b' }),
      ],
    });
    const state = read({
      users: new Set([1, 2, 3, 4]),
      charged: new Set([1, 2, 3]),
      tokens: new Set([5, 6, 9]),
    });
    expect(state.wallets).toEqual(new Map([[1, { quota: 100, used: 20 }]]));
    expect([...state.closed]).toEqual([
      [2, 30],
      [3, 0],
    ]);
    expect([...state.allowances]).toEqual([
      [5, { remain: 50, unlimited: false, used: 7 }],
      [6, { remain: 60, unlimited: true, used: 8 }],
    ]);
  });

  it('says how far stored amounts lie beyond the range of quota', () => {
    db.exec(`
      UPDATE users SET quota = ${max} + 5, used_quota = ${max} + 9;
      UPDATE tokens SET remain_quota = -${max} - 6 WHERE id = 5;
      UPDATE tokens SET used_quota = ${max} + 8 WHERE id = 6;
    `);
    const { wallets, allowances } = read({ users: new Set([1]), tokens: new Set([5, 6]) });
    expect(wallets.get(1)).toEqual({ quota: max, used: max, beyond: 5n });
    expect(allowances.get(5)).toEqual({ remain: -max, unlimited: false, used: 7, beyond: -6n });
    expect(allowances.get(6)).toEqual({
      remain: 60,
      unlimited: true,
      used: max,
      beyond: 8n,
      beyondUsed: 8n,
    });
  });

  it('finds references by their kind, and none of charges', () => {
    write({ postings: [posting({ kind: 'top_up', reference: 'x' }), posting()] });
    const references = [
      { kind: 'top_up', reference: 'x' },
      { kind: 'refund', reference: 'x' },
      { kind: 'charge', reference: 'r30' },
    ];
    expect(read({ references }).references).toEqual(new Set(['top_up x']));
  });

  it('finds guarded rows with what must be unchanged, and none that a guard never matches', () => {
    const guardOf = (id: number) => ({ table: 'redemptions', id, from: 1, to: 3 }) as const;
    expect([...read({ guards: [guardOf(3), guardOf(4), guardOf(9)] }).guards]).toEqual([
      ['redemptions 3', { id: 3, state: 1, quota: 500, expired_time: 77 }],
    ]);
  });
});

describe('the committer', () => {
  const charge = (sequence?: number): Settlement => ({
    kind: 'charge',
    requestId: 'r',
    userId: 1,
    tokenId: 0,
    channelId: 7,
    amount: 1,
    at: 1,
    log: null,
    rollup: null,
    ...(sequence !== undefined && { sequence }),
  });
  const release: Settlement = { kind: 'release', requestId: 'r', userId: 1, tokenId: 0 };
  const results = [{ done: true, balance: 1 }];
  const applied = () => (rowsOf('SELECT applied FROM charge_journal') as { applied: number }[])[0];

  it('notes the last charge of the journal that it wrote', () => {
    const commit = createSqliteCommitter(db, () => ({ plan: nothing, results }));
    expect(commit([charge(4), charge(5), charge(), release])).toBe(results);
    expect(applied()).toEqual({ applied: 5 });
    commit([charge(), release]);
    expect(applied()).toEqual({ applied: 5 });
  });

  it('plans by what it read, and writes all of it or nothing', () => {
    const plans: unknown[] = [];
    const commit = createSqliteCommitter(db, (batch, state) => {
      plans.push(batch, state.wallets.get(1));
      const broken = posting({ kind: null as unknown as string });
      return { plan: { ...nothing, postings: [posting(), broken] }, results };
    });
    expect(() => commit([charge(4)])).toThrow(RefusedItemError);
    expect(plans).toEqual([[charge(4)], { quota: 100, used: 20 }]);
    expect(rowsOf('SELECT * FROM ledger')).toEqual([]);
    expect(applied()).toEqual({ applied: 0 });
  });

  it.each([
    [new TypeError('no value'), true],
    [new RangeError('too far'), true],
    [new BetterSqlite3.SqliteError('too big', 'SQLITE_TOOBIG'), true],
    [new BetterSqlite3.SqliteError('busy', 'SQLITE_BUSY'), false],
    [new BetterSqlite3.SqliteError('odd', 'X_SQLITE_RANGE'), false],
    [new Error('odd'), false],
  ])('%s is refused by its data: %s', (error, isRefused) => {
    const commit = createSqliteCommitter(db, () => {
      throw error;
    });
    if (isRefused) expect(() => commit([])).toThrow(RefusedItemError);
    else expect(() => commit([])).toThrow(error);
    expect(db.inTransaction).toBe(false);
  });
});
