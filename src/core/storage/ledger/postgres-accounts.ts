/**
 * Locks on PostgreSQL. Every transaction of the ledger takes its rows in this order: tokens, users, codes, holds,
 * channels, each by ascending id. Two nodes that need the same rows wait for each other and never deadlock.
 */
import type { PoolClient } from 'pg';

/** Rows as they stand now and stay until the transaction ends. Amounts in quota. */
export interface LockedAccounts {
  readonly wallets: ReadonlyMap<number, { readonly quota: number; readonly held: number }>;
  readonly allowances: ReadonlyMap<number, { readonly remain: number; readonly held: number; readonly unlimited: boolean }>;
}

/** Accounts that do not exist are missing from the maps; id 0 is no account. */
export async function lockAccounts(
  client: PoolClient,
  items: Iterable<{ readonly userId?: number; readonly tokenId?: number }>,
): Promise<LockedAccounts> {
  const userIds = new Set<number>();
  const tokenIds = new Set<number>();
  for (const { userId = 0, tokenId = 0 } of items) {
    if (userId !== 0) userIds.add(userId);
    if (tokenId !== 0) tokenIds.add(tokenId);
  }
  const tokens = await lockRows<{ id: number; remain_quota: number; held: number; unlimited_quota: number }>(
    client,
    'SELECT id, remain_quota, held, unlimited_quota FROM tokens WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE',
    tokenIds,
  );
  const users = await lockRows<{ id: number; quota: number; held: number }>(
    client,
    'SELECT id, quota, held FROM users WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE',
    userIds,
  );
  return {
    wallets: new Map(users.map(({ id, quota, held }) => [id, { quota, held }])),
    allowances: new Map(
      tokens.map((token) => [token.id, { remain: token.remain_quota, held: token.held, unlimited: token.unlimited_quota === 1 }]),
    ),
  };
}

/** Codes of the list that are still unused, locked. */
export async function lockUnusedCodes(client: PoolClient, ids: ReadonlySet<number>): Promise<ReadonlySet<number>> {
  const rows = await lockRows<{ id: number }>(
    client,
    'SELECT id FROM redemptions WHERE id = ANY($1::bigint[]) AND status = 1 AND deleted_at IS NULL ORDER BY id FOR UPDATE',
    ids,
  );
  return new Set(rows.map(({ id }) => id));
}

async function lockRows<Row extends object>(client: PoolClient, statement: string, ids: ReadonlySet<number>): Promise<Row[]> {
  return ids.size === 0 ? [] : (await client.query<Row>(statement, [[...ids]])).rows;
}
