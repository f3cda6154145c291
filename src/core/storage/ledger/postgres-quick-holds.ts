/**
 * Holds of accounts that have plenty, placed by one statement that is a transaction of its own: no
 * account is read first, because what is held does not depend on it.
 */
import type { Pool } from 'pg';
import { leaseSeconds, serverSeconds } from './postgres-write.ts';
import { prepared } from './prepared.ts';

/** A hold in an account, without budgets. */
export interface QuickHold {
  readonly requestId: string;
  readonly userId: number;
  /** 0: none. */
  readonly tokenId: number;
  readonly amount: number;
}

/**
 * Rows that cover the sums; accounts that do not exist are missing. They are locked by ascending id.
 * Of a limit that it does not know the server expects a tenth, so that it looks the rows up by id,
 * here and where they are updated: it expects ten of two lists, and reads small tables as a whole for
 * those, four times.
 */
const coveredRows = (
  table: 'tokens' | 'users',
  covers: string,
  [ids, amounts]: readonly [ids: string, amounts: string],
  first: string,
) => `
  SELECT ${table}.id, entry.amount, ${covers} AS covered
  FROM (SELECT * FROM unnest(${ids}, ${amounts}) AS listed(id, amount) LIMIT cardinality(${ids})) entry
  JOIN ${table} ON ${table}.id = entry.id
  ${first} ORDER BY ${table}.id FOR UPDATE OF ${table}`;

/**
 * $1 to $4: the holds; $5, $6: tokens and the sums of their holds; $7, $8: users; $9: the node. All
 * holds are placed or none: unless all accounts cover their sums, it changes nothing. The end of
 * the transaction does not wait for the disk.
 */
const statement = prepared(
  'ledger_quick_hold',
  `
WITH settings AS MATERIALIZED (
  SELECT set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '5s', true)
), locked_tokens AS MATERIALIZED (${coveredRows(
    'tokens',
    'tokens.unlimited_quota = 1 OR (tokens.remain_quota > 0 AND tokens.remain_quota - tokens.held >= entry.amount)',
    ['$5::bigint[]', '$6::bigint[]'],
    'WHERE (SELECT count(*) FROM settings) = 1',
  )}
), locked_users AS MATERIALIZED (${coveredRows(
    'users',
    'users.quota - users.held >= entry.amount',
    ['$7::bigint[]', '$8::bigint[]'],
    'WHERE (SELECT count(*) FROM locked_tokens) >= 0',
  )}
), verdict AS MATERIALIZED (
  SELECT (SELECT count(*) FROM locked_users WHERE covered) = cardinality($7::bigint[])
    AND (SELECT count(*) FROM locked_tokens WHERE covered) = cardinality($5::bigint[]) AS covered
), allowances AS (
  UPDATE tokens SET held = tokens.held + locked_tokens.amount
  FROM locked_tokens WHERE tokens.id = locked_tokens.id AND (SELECT covered FROM verdict)
), wallets AS (
  UPDATE users SET held = users.held + locked_users.amount
  FROM locked_users WHERE users.id = locked_users.id AND (SELECT covered FROM verdict)
), placed AS (
  INSERT INTO holds (request_id, user_id, token_id, amount, node, expires_at, created_at)
  SELECT request_id, user_id, nullif(token_id, 0), amount, $9, ${serverSeconds} + ${leaseSeconds}, ${serverSeconds}
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS entry(request_id, user_id, token_id, amount)
  WHERE (SELECT covered FROM verdict)
)
SELECT covered FROM verdict`,
);

/** Whether all of them were placed; else nothing was. */
export async function placeQuickHolds(
  pool: Pool,
  node: string,
  holds: readonly QuickHold[],
): Promise<boolean> {
  const users = new Map<number, number>();
  const tokens = new Map<number, number>();
  for (const { userId, tokenId, amount } of holds) {
    users.set(userId, (users.get(userId) ?? 0) + amount);
    if (tokenId !== 0) tokens.set(tokenId, (tokens.get(tokenId) ?? 0) + amount);
  }
  const { rows } = await pool.query<{ covered: boolean }>({
    ...statement,
    values: [
      holds.map(({ requestId }) => requestId),
      holds.map(({ userId }) => userId),
      holds.map(({ tokenId }) => tokenId),
      holds.map(({ amount }) => amount),
      [...tokens.keys()],
      [...tokens.values()],
      [...users.keys()],
      [...users.values()],
      node,
    ],
  });
  return rows[0]?.covered === true;
}
