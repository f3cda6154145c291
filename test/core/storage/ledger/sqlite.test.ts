// Covers src/core/storage/ledger/sqlite-commit.ts, src/core/storage/ledger/sqlite-state.ts, src/core/storage/ledger/sqlite-write.ts, src/core/storage/ledger/sqlite-chain.ts, src/core/storage/ledger/stored-accounts.ts, src/core/storage/ledger/guards.ts.
/** Which rows a batch reads and writes on SQLite, row by row; what is written is the planner's. */
import BetterSqlite3 from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LedgerKeys } from '../../../../src/core/storage/ledger/keys.ts';
import type { LedgerPlan, PlannedPosting } from '../../../../src/core/storage/ledger/plan.ts';
import type { Settlement } from '../../../../src/core/storage/ledger/settlement.ts';
import { createSqliteCommitter } from '../../../../src/core/storage/ledger/sqlite-commit.ts';
import { prepareSqliteReader } from '../../../../src/core/storage/ledger/sqlite-state.ts';
import { prepareSqliteWriter } from '../../../../src/core/storage/ledger/sqlite-write.ts';
import { RefusedItemError } from '../../../../src/core/storage/ledger/write-errors.ts';
import { newMigratedFile } from '../../../support/migrated-file.ts';
import { logFor } from '../../billing/ledger-support.ts';

const max = Number.MAX_SAFE_INTEGER;
let image: Buffer | undefined;
let db: BetterSqlite3.Database;

/** The newest schema in memory, with user 1, token 5, channel 7 and three windows of budgets. */
beforeEach(async () => {
  if (image === undefined) {
    const file = await newMigratedFile();
    const source = new BetterSqlite3(file.path);
    source.pragma('journal_mode = delete');
    image = source.serialize();
    source.close();
    file.remove();
  }
  db = new BetterSqlite3(image);
  db.pragma('foreign_keys = off');
  db.exec(`
    INSERT INTO users (id, username, username_normalized, password, created_at, quota, used_quota, request_count)
      VALUES (1, 'u', 'u', '', 1, 100, 20, 3);
    INSERT INTO tokens (id, user_id, key_hash, key_enc, remain_quota, used_quota, unlimited_quota, accessed_time)
      VALUES (5, 1, 'h', 'e', 50, 7, 0, 9), (6, 1, 'i', 'e', 60, 8, 1, 9);
    INSERT INTO channels (id, type, key_hash, key_enc, used_quota) VALUES (7, 1, 'h', 'e', 10), (8, 1, 'h', 'e', ${max - 1});
    INSERT INTO redemptions (id, user_id, status, quota, key_hash, key_enc, expired_time)
      VALUES (3, 1, 1, 500, 'a', 'e', 77), (4, 1, 1, 500, 'b', 'e', 0);
    UPDATE redemptions SET deleted_at = 1 WHERE id = 4;
    INSERT INTO budgets (id, user_id, owner, owner_id, amount, most_pace)
      VALUES (1, 0, 'user', 1, 100, 0);
    INSERT INTO budget_windows (id, budget_id, revision, subject, starts_at, ends_at, spent, requests, charged_at)
      VALUES (31, 1, 1, 'a', 0, 0, 5, 1, 60), (32, 1, 1, 'b', 0, 0, ${max - 1}, 1, 600);
  `);
});

const rowsOf = (sql: string) => db.prepare(sql).all();
const nothing: LedgerPlan = {
  ...{ postings: [], allowances: [], logs: [], users: [], tokens: [], channels: [], guards: [] },
  rollups: { quota_data: [], channel_usage: [], tag_usage: [], channel_key_usage: [] },
  ...{ windows: { ids: new Set(), changes: [] }, holds: [] },
};
const write = (plan: Partial<LedgerPlan>) => prepareSqliteWriter(db)({ ...nothing, ...plan });
const posting = (more: Partial<PlannedPosting> = {}): PlannedPosting => ({
  ...{ userId: 1, tokenId: 5, kind: 'charge', amount: -30, balanceAfter: 70, at: 7300 },
  ...{ reference: 'r30', ...more },
});

describe('the writer', () => {
  it('appends postings with their links, and names the first of each hour', () => {
    write({
      postings: [
        posting({ windows: '[31]' }),
        posting({ tokenId: null, reference: null, kind: 'top_up', amount: 5n, balanceAfter: 75 }),
        posting({ at: 10_800, reference: 'r31' }),
      ],
      logs: [
        { row: { ...logFor(1, 'r31', 30), isStream: true }, posting: 2 },
        { row: logFor(1, 'r0', 0), posting: null },
      ],
    });
    write({ postings: [posting({ at: 10_801, reference: 'a\u0000b' })] });
    const common = { user_id: 1, windows: null, link: expect.any(String) };
    expect(rowsOf('SELECT * FROM ledger')).toEqual([
      {
        ...{ ...common, id: 1, token_id: 5, kind: 'charge', amount: -30, balance_after: 70 },
        ...{ reference: 'r30', created_at: 7300, windows: '[31]' },
      },
      {
        ...{ ...common, id: 2, token_id: null, kind: 'top_up', amount: 5, balance_after: 75 },
        ...{ reference: null, created_at: 7300 },
      },
      {
        ...{ ...common, id: 3, token_id: 5, kind: 'charge', amount: -30, balance_after: 70 },
        ...{ reference: 'r31', created_at: 10_800 },
      },
      expect.objectContaining({ id: 4, reference: expect.not.stringContaining('\u0000') }),
    ]);
    expect(rowsOf('SELECT * FROM ledger_hours')).toEqual([
      { hour: 7200, first_id: 1 },
      { hour: 10_800, first_id: 3 },
    ]);
    expect(rowsOf('SELECT request_id, ledger_id, is_stream, quota, other FROM logs')).toEqual([
      { request_id: 'r31', ledger_id: 3, is_stream: 1, quota: 30, other: '{"a":1}' },
      { request_id: 'r0', ledger_id: null, is_stream: 0, quota: 0, other: '{"a":1}' },
    ]);
  });

  it('sets balances and allowances, and adds to counters', () => {
    write({
      users: [{ id: 1, quota: 70, used: 50, requests: 2 }],
      tokens: [
        { id: 5, remain: 20, unlimited: true, used: 37, at: 99 },
        { id: 6, remain: 30, unlimited: false, used: 38, at: null },
      ],
      channels: [
        { id: 7, used: 30 },
        { id: 8, used: 30 },
      ],
      allowances: [{ tokenId: 5, amount: -20, used: 3, remainAfter: 20, at: 30 }],
    });
    expect(rowsOf('SELECT quota, used_quota, request_count FROM users')).toEqual([
      { quota: 70, used_quota: 50, request_count: 5 },
    ]);
    const tokens = 'SELECT remain_quota, unlimited_quota, used_quota, accessed_time FROM tokens';
    expect(rowsOf(tokens)).toEqual([
      { remain_quota: 20, unlimited_quota: 1, used_quota: 37, accessed_time: 99 },
      { remain_quota: 30, unlimited_quota: 0, used_quota: 38, accessed_time: 9 },
    ]);
    expect(rowsOf('SELECT used_quota FROM channels')).toEqual([
      { used_quota: 40 },
      { used_quota: max },
    ]);
    expect(rowsOf('SELECT * FROM token_allowances')).toEqual([
      {
        ...{ id: 1, token_id: 5, amount: -20, used: 3, remain_after: 20, created_at: 30 },
        link: expect.any(String),
      },
    ]);
  });

  it('goes on after rows that others added, and after the end of a chain', () => {
    write({ postings: [posting()] });
    db.exec('UPDATE ledger SET id = 20');
    write({ postings: [posting({ reference: 'x' }), posting({ reference: 'y' })] });
    expect(rowsOf('SELECT id FROM ledger')).toEqual([{ id: 20 }, { id: 21 }, { id: 22 }]);
    const last = "SELECT last_id, link FROM ledger_chains WHERE name = 'ledger'";
    const [{ link }] = rowsOf('SELECT link FROM ledger WHERE id = 22') as [{ link: string }];
    expect(rowsOf(last)).toEqual([{ last_id: 22, link }]);
    db.exec('DELETE FROM ledger');
    write({ postings: [posting({ reference: 'z' })] });
    expect(rowsOf('SELECT id FROM ledger')).toEqual([{ id: 23 }]);
    write({});
    expect(rowsOf(last)).toMatchObject([{ last_id: 23 }]);
  });

  it('counts windows up to the bound of quota, and keeps minutes where a pace is set', () => {
    const changes = [
      { id: 31, amount: 30, requests: 2, minute: 5 },
      { id: 32, amount: 30, requests: 1, minute: 5 },
      { id: 33, amount: 1, requests: 1, minute: 5 },
    ];
    write({ windows: { ids: new Set(), changes } });
    const windows = 'SELECT id, spent, requests, charged_at FROM budget_windows';
    const once = [
      { id: 31, spent: 35, requests: 3, charged_at: 300 },
      { id: 32, spent: max, requests: 2, charged_at: 600 },
    ];
    expect(rowsOf(windows)).toEqual(once);
    expect(rowsOf('SELECT * FROM budget_minutes')).toEqual([]);
    db.exec(`
      INSERT INTO budgets (id, user_id, owner, owner_id, amount, most_pace) VALUES (2, 0, 'user', 1, 100, 9);
      INSERT INTO budget_windows (id, budget_id, revision, subject, starts_at, ends_at) VALUES (34, 2, 1, 'd', 0, 0);
    `);
    const again = [
      { id: 31, amount: -5, requests: 0, minute: 65 },
      { id: 34, amount: 4, requests: 1, minute: 65 },
    ];
    write({ windows: { ids: new Set(), changes: again } });
    expect(rowsOf(windows)).toEqual([
      { id: 31, spent: 30, requests: 3, charged_at: 3900 },
      once[1],
      { id: 34, spent: 4, requests: 1, charged_at: 3900 },
    ]);
    expect(rowsOf('SELECT window_id, minute, spent FROM budget_minutes')).toEqual([
      { window_id: 34, minute: 65, spent: 4 },
    ]);
  });

  it('adds to hourly sums, and moves guarded rows; what a guard leaves out stays', () => {
    const sum = { model_name: 'm', created_at: 3600, count: 1, quota: 5, token_used: 7 };
    const plan: Partial<LedgerPlan> = {
      rollups: {
        quota_data: [{ user_id: 1, username: 'u', ...sum }],
        channel_usage: [{ channel_id: 7, ...sum, cost: 30, costed_count: 1, costed_quota: 5 }],
        tag_usage: [{ user_id: 1, created_at: 3600, tag: 'x', count: 1, quota: 5, token_used: 7 }],
        channel_key_usage: [{ channel_id: 7, created_at: 3600, key_name: 'k', count: 1, quota: 5 }],
      },
      guards: [{ table: 'redemptions', id: 3, state: 3, set: { used_user_id: 1 } }],
    };
    write(plan);
    write(plan);
    expect(rowsOf('SELECT * FROM quota_data')).toMatchObject([
      { user_id: 1, username: 'u', created_at: 3600, count: 2, quota: 10, token_used: 14 },
    ]);
    expect(rowsOf('SELECT * FROM channel_usage')).toMatchObject([
      { channel_id: 7, count: 2, quota: 10, cost: 60, costed_count: 2, costed_quota: 10 },
    ]);
    expect(rowsOf('SELECT * FROM tag_usage')).toMatchObject([{ tag: 'x', count: 2, quota: 10 }]);
    expect(rowsOf('SELECT * FROM channel_key_usage')).toMatchObject([{ key_name: 'k', count: 2 }]);
    db.exec('UPDATE redemptions SET redeemed_time = 44 WHERE id = 3');
    write({ guards: [{ table: 'redemptions', id: 3, state: 1, set: { used_user_id: 0 } }] });
    const codes = 'SELECT status, used_user_id, redeemed_time, expired_time FROM redemptions';
    expect(rowsOf(`${codes} WHERE id = 3`)).toEqual([
      { status: 1, used_user_id: 0, redeemed_time: 44, expired_time: 77 },
    ]);
    expect(rowsOf(`${codes} WHERE id = 4`)).toMatchObject([{ status: 1 }]);
  });
});

describe('the reader', () => {
  const keys = (more: Partial<LedgerKeys>): LedgerKeys => ({
    ...{ users: new Set(), charged: new Set(), tokens: new Set(), windows: new Set() },
    ...{ references: [], guards: [], ...more },
  });
  const read = (more: Partial<LedgerKeys>) => prepareSqliteReader(db)(keys(more));

  it('finds accounts, and the last balance of users who are gone and are charged', () => {
    write({
      postings: [
        posting({ userId: 2, balanceAfter: 40, reference: 'a' }),
        posting({ userId: 2, balanceAfter: 30, reference: 'b' }),
      ],
    });
    const state = read({
      ...{ users: new Set([1, 2, 3, 4]), charged: new Set([1, 2, 3]) },
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
      ...{ remain: 60, unlimited: true, used: max, beyond: 8n, beyondUsed: 8n },
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
    ...{ kind: 'charge', requestId: 'r', userId: 1, tokenId: 0, channelId: 7, amount: 1, at: 1 },
    ...{ log: null, rollup: null, ...(sequence !== undefined && { sequence }) },
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
