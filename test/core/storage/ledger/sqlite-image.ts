/** The newest schema of SQLite in memory, with a few rows, for tests of what the ledger reads and writes. */
import BetterSqlite3 from 'better-sqlite3';
import type { LedgerKeys } from '../../../../src/core/storage/ledger/keys.ts';
import type { LedgerPlan, PlannedPosting } from '../../../../src/core/storage/ledger/plan.ts';
import { prepareSqliteWriter } from '../../../../src/core/storage/ledger/sqlite-write.ts';
import { newMigratedFile } from '../../../support/migrated-file.ts';

export const max = Number.MAX_SAFE_INTEGER;
let image: Buffer | undefined;
export let db: BetterSqlite3.Database;

/** The newest schema in memory, with user 1, token 5, channel 7 and three windows of budgets. */
export async function openRows(): Promise<void> {
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
}

export const rowsOf = (sql: string) => db.prepare(sql).all();
export const nothing: LedgerPlan = {
  postings: [],
  allowances: [],
  logs: [],
  users: [],
  tokens: [],
  channels: [],
  guards: [],
  rollups: { quota_data: [], channel_usage: [], tag_usage: [], channel_key_usage: [] },
  windows: { ids: new Set(), changes: [] },
  holds: [],
};
export const write = (plan: Partial<LedgerPlan>) =>
  prepareSqliteWriter(db)({ ...nothing, ...plan });
export const posting = (more: Partial<PlannedPosting> = {}): PlannedPosting => ({
  userId: 1,
  tokenId: 5,
  kind: 'charge',
  amount: -30,
  balanceAfter: 70,
  at: 7300,
  reference: 'r30',
  ...more,
});
/** Of the rows above, and of channel 8, which is near the bound of quota. */
export const changedAccounts = {
  users: [{ id: 1, quota: 70, used: 50, requests: 2 }],
  tokens: [
    { id: 5, remain: 20, unlimited: true, used: 37, at: 99 },
    { id: 6, remain: 30, unlimited: false, used: 38, at: null },
  ],
  channels: [
    { id: 7, used: 30 },
    { id: 8, used: 30 },
  ],
} satisfies Partial<LedgerPlan>;
/** What a batch involves. */
export const keysWith = (more: Partial<LedgerKeys>): LedgerKeys => ({
  users: new Set(),
  charged: new Set(),
  tokens: new Set(),
  windows: new Set(),
  references: [],
  guards: [],
  ...more,
});
