/**
 * Holds that several nodes share: a row per open hold, leased to the node that serves the request
 * (docs/rules/ledger.md#postgres-holds).
 */
import type { Pool } from 'pg';
import { AppError } from '../../kernel/errors.ts';
import type { LedgerPlan } from './plan.ts';
import { lockAccounts } from './postgres-state.ts';
import { inTransaction } from './postgres-transaction.ts';
import { serverSeconds, writePlan } from './postgres-write.ts';

/** Seconds until a hold whose node does not renew it may be taken over. */
const leaseSeconds = 60;

/** Most holds that one transaction takes over. */
const takeOverLimit = 500;

export interface PostgresHoldRequest {
  readonly requestId: string;
  readonly userId: number;
  /** 0: none. */
  readonly tokenId: number;
}

export interface PostgresHoldDeps<Request, Admission> {
  readonly pool: Pool;
  readonly node: string;
  readonly requests: readonly Request[];
  /**
   * Decides on the accounts as they are; undefined: the account does not exist. Throws AppError to
   * refuse.
   */
  readonly admit: (
    wallet: { readonly quota: number; readonly held: number } | undefined,
    allowance:
      | { readonly remain: number; readonly held: number; readonly unlimited: boolean }
      | undefined,
    request: Request,
  ) => Admission;
}

/**
 * Places holds for several requests in one transaction, deciding on one after the other. The
 * updates are conditional: if the database disagrees with a decision, nothing is held. Resolves
 * with one entry per request, in their order.
 */
export function placeHolds<
  Request extends PostgresHoldRequest,
  Admission extends { readonly amount: number },
>(deps: PostgresHoldDeps<Request, Admission>): Promise<readonly (Admission | AppError)[]> {
  const { pool, node, requests, admit } = deps;
  return inTransaction(pool, 'light', async (client) => {
    const accounts = await lockAccounts(client, accountsOf(requests));
    const heldByUser = new Map<number, number>();
    const heldByToken = new Map<number, number>();
    const rows: { request_id: string; user_id: number; token_id: number | null; amount: number }[] =
      [];
    const results = requests.map((request): Admission | AppError => {
      const { requestId, userId, tokenId } = request;
      const wallet = accounts.wallets.get(userId);
      const allowance = accounts.allowances.get(tokenId);
      const userHeld = heldByUser.get(userId) ?? 0;
      const tokenHeld = heldByToken.get(tokenId) ?? 0;
      try {
        const admission = admit(
          wallet && { ...wallet, held: wallet.held + userHeld },
          allowance && { ...allowance, held: allowance.held + tokenHeld },
          request,
        );
        const { amount } = admission;
        heldByUser.set(userId, userHeld + amount);
        if (tokenId !== 0) heldByToken.set(tokenId, tokenHeld + amount);
        rows.push({
          request_id: requestId,
          user_id: userId,
          token_id: tokenId === 0 ? null : tokenId,
          amount,
        });
        return admission;
      } catch (error) {
        if (error instanceof AppError) return error;
        throw error;
      }
    });
    if (rows.length > 0) {
      const { rows: counts } = await client.query<{ wallets: number; allowances: number }>({
        name: 'ledger_hold',
        text: statement,
        values: [JSON.stringify(rows), node],
      });
      const { wallets, allowances } = counts[0] ?? {};
      if (wallets !== heldByUser.size || allowances !== heldByToken.size)
        throw new Error('a hold was not written');
    }
    return results;
  });
}

const statement = `
WITH requested AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS entry(request_id text, user_id bigint, token_id bigint, amount bigint)
), allowances AS (
  UPDATE tokens SET held = tokens.held + total.amount
  FROM (SELECT token_id, sum(amount)::bigint AS amount FROM requested WHERE token_id IS NOT NULL GROUP BY token_id) total
  WHERE tokens.id = total.token_id AND (tokens.unlimited_quota = 1 OR tokens.remain_quota - tokens.held >= total.amount)
  RETURNING tokens.id
), wallets AS (
  UPDATE users SET held = users.held + total.amount
  FROM (SELECT user_id, sum(amount)::bigint AS amount FROM requested GROUP BY user_id) total
  WHERE users.id = total.user_id AND users.quota - users.held >= total.amount
  RETURNING users.id
), placed AS (
  INSERT INTO holds (request_id, user_id, token_id, amount, node, expires_at, created_at)
  SELECT request_id, user_id, token_id, amount, $2, ${serverSeconds} + ${leaseSeconds}, ${serverSeconds} FROM requested
)
SELECT (SELECT count(*) FROM wallets) AS wallets, (SELECT count(*) FROM allowances) AS allowances`;

/** Extends the leases of a node's open holds. One that is being dropped right now is skipped. */
export async function renewLeases(
  pool: Pool,
  node: string,
  requestIds: readonly string[],
): Promise<void> {
  if (requestIds.length === 0) return;
  await pool.query(
    `UPDATE holds SET expires_at = ${serverSeconds} + ${leaseSeconds} WHERE request_id IN (
       SELECT request_id FROM holds WHERE request_id = ANY($1::text[]) AND node = $2 FOR UPDATE SKIP LOCKED)`,
    [requestIds, node],
  );
}

/**
 * Drops holds whose lease ran out; returns how many. However many nodes try at once, each hold ends
 * once: the row that one of them deletes is gone for the others.
 */
export async function takeOverHolds(pool: Pool): Promise<number> {
  const { rows } = await pool.query<PostgresHoldRequest>(
    `SELECT request_id AS "requestId", user_id AS "userId", coalesce(token_id, 0) AS "tokenId" FROM holds
     WHERE expires_at <= ${serverSeconds} ORDER BY request_id LIMIT ${takeOverLimit}`,
  );
  if (rows.length === 0) return 0;
  const dropped = await inTransaction(pool, 'durable', async (client) => {
    await lockAccounts(client, accountsOf(rows));
    return writePlan(client, { ...emptyPlan, holds: rows.map(({ requestId }) => requestId) }, null);
  });
  return rows.length < takeOverLimit ? dropped : dropped + (await takeOverHolds(pool));
}

const emptyPlan: LedgerPlan = {
  postings: [],
  logs: [],
  allowances: [],
  users: [],
  tokens: [],
  channels: [],
  rollups: { quota_data: [], channel_usage: [] },
  guards: [],
  holds: [],
};

/** Open holds whose lease ran out and that no node has taken over yet. */
export async function countStaleHolds(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM holds WHERE expires_at <= ${serverSeconds}`,
  );
  return rows[0]?.count ?? 0;
}

function accountsOf(requests: readonly PostgresHoldRequest[]): Parameters<typeof lockAccounts>[1] {
  return {
    users: new Set(requests.map(({ userId }) => userId)),
    tokens: new Set(requests.map(({ tokenId }) => tokenId).filter((id) => id !== 0)),
  };
}
