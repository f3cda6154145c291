/** The newest schema of PostgreSQL with a few rows, for tests of what the ledger reads and writes. */
import type { PoolClient } from 'pg';
import { vi } from 'vitest';
import { openDatabase } from '../../../../src/core/open-database.ts';
import { migrateStorage } from '../../../../src/core/storage/open.ts';
import { startPostgres } from '../../../support/postgres.ts';
import { testMasterKey } from '../../../support/storage.ts';
import { max } from './sqlite-image.ts';

/** A connection to user 1, two tokens, channels, codes, windows of budgets and holds. */
export async function openPostgresRows(): Promise<{
  readonly client: PoolClient;
  close(): Promise<void>;
}> {
  const server = await startPostgres();
  const url = await server.createDatabase();
  await migrateStorage({ url, masterKey: testMasterKey });
  const storage = await openDatabase({ url, masterKey: testMasterKey, poolSize: 1 });
  if (storage.postgres === undefined) throw new Error('not PostgreSQL');
  const client = await storage.postgres.connect();
  await client.query(`
    INSERT INTO users (id, username, username_normalized, password, created_at, quota, used_quota, request_count, held)
      VALUES (1, 'u', 'u', '', 1, 100, 20, 3, 50);
    INSERT INTO tokens (id, user_id, key_hash, key_enc, remain_quota, used_quota, unlimited_quota, accessed_time, held)
      VALUES (5, 1, 'h', 'e', 50, 7, 0, 9, 40), (6, 1, 'i', 'e', 60, 8, 1, 9, 0);
    INSERT INTO channels (id, type, key_hash, key_enc, used_quota) VALUES (7, 1, 'h', 'e', 10), (8, 1, 'h', 'e', ${max - 1});
    INSERT INTO redemptions (id, user_id, status, quota, key_hash, key_enc, expired_time, deleted_at)
      VALUES (3, 1, 1, 500, 'a', 'e', 77, null), (4, 1, 1, 500, 'b', 'e', 0, 1);
    INSERT INTO budgets (id, user_id, owner, owner_id, amount, most_pace)
      VALUES (1, 0, 'user', 1, 100, 0), (2, 0, 'user', 1, 100, 9);
    INSERT INTO budget_windows (id, budget_id, revision, subject, starts_at, ends_at, spent, requests, charged_at, held)
      VALUES (31, 1, 1, 'a', 0, 0, 5, 1, 60, 40), (34, 2, 1, 'd', 0, 0, 0, 0, 0, 0);
    INSERT INTO holds (request_id, user_id, token_id, amount, windows, node, expires_at, created_at)
      VALUES ('r1', 1, 5, 40, '[{"id":31,"amount":40}]', 'me', 0, 1), ('r2', 1, null, 10, null, 'other', ${max}, 1);
  `);
  return {
    client,
    close: async () => {
      client.release();
      await storage.close();
      await server.stop();
    },
  };
}

/** What is sent meanwhile, each by its name or its first two words. */
export async function statementsOf(
  client: PoolClient,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const sent = vi.spyOn(client, 'query');
  try {
    await work();
    return sent.mock.calls.map(([what]) => {
      const { name = String(what) } = what as { readonly name?: string };
      return name
        .replace(/_[0-9a-f]{12}$/, '')
        .trim()
        .split(/\s+/, 2)
        .join(' ');
    });
  } finally {
    sent.mockRestore();
  }
}
