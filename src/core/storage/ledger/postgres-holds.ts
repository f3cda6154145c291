/** Holds that several nodes share: a row per open hold, leased to the node that serves the request (spec, billing 4). */
import type { Pool } from 'pg';
import { AppError } from '../../kernel/errors.ts';
import { lockAccounts } from './postgres-accounts.ts';
import { planBatch } from './postgres-plan.ts';
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

export interface PostgresHoldParts<Request, Admission> {
  readonly pool: Pool;
  readonly node: string;
  readonly requests: readonly Request[];
  /** Decides on accounts as they stand; undefined: there is no such account. Throws AppError where nobody gets in. */
  readonly admit: (
    wallet: { readonly quota: number; readonly held: number } | undefined,
    allowance: { readonly remain: number; readonly held: number; readonly unlimited: boolean } | undefined,
    request: Request,
  ) => Admission;
}

/**
 * Holds for several requests in one transaction, one decision after the other. The database proves each decision: the
 * updates are conditional, and where one does not take, nothing is held. Answers per request, in their order.
 */
export function placeHolds<Request extends PostgresHoldRequest, Admission extends { readonly amount: number }>(
  parts: PostgresHoldParts<Request, Admission>,
): Promise<readonly (Admission | AppError)[]> {
  const { pool, node, requests, admit } = parts;
  return inTransaction(pool, 'light', async (client) => {
    const accounts = await lockAccounts(client, requests);
    const heldByUser = new Map<number, number>();
    const heldByToken = new Map<number, number>();
    const rows: { request_id: string; user_id: number; token_id: number | null; amount: number }[] = [];
    const answers = requests.map((request): Admission | AppError => {
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
        heldByUser.set(userId, userHeld + admission.amount);
        if (tokenId !== 0) heldByToken.set(tokenId, tokenHeld + admission.amount);
        rows.push({
          request_id: requestId,
          user_id: userId,
          token_id: tokenId === 0 ? null : tokenId,
          amount: admission.amount,
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
      if (wallets !== heldByUser.size || allowances !== heldByToken.size) throw new Error('a hold did not take');
    }
    return answers;
  });
}

const statement = `
WITH wanted AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS entry(request_id text, user_id bigint, token_id bigint, amount bigint)
), allowances AS (
  UPDATE tokens SET held = tokens.held + asked.amount
  FROM (SELECT token_id, sum(amount)::bigint AS amount FROM wanted WHERE token_id IS NOT NULL GROUP BY token_id) asked
  WHERE tokens.id = asked.token_id AND (tokens.unlimited_quota = 1 OR tokens.remain_quota - tokens.held >= asked.amount)
  RETURNING tokens.id
), wallets AS (
  UPDATE users SET held = users.held + asked.amount
  FROM (SELECT user_id, sum(amount)::bigint AS amount FROM wanted GROUP BY user_id) asked
  WHERE users.id = asked.user_id AND users.quota - users.held >= asked.amount
  RETURNING users.id
), placed AS (
  INSERT INTO holds (request_id, user_id, token_id, amount, node, expires_at, created_at)
  SELECT request_id, user_id, token_id, amount, $2, ${serverSeconds} + ${leaseSeconds}, ${serverSeconds} FROM wanted
)
SELECT (SELECT count(*) FROM wallets) AS wallets, (SELECT count(*) FROM allowances) AS allowances`;

/** Extends the leases of a node's open holds. One that is just being dropped is left alone. */
export async function renewLeases(pool: Pool, node: string, requestIds: readonly string[]): Promise<void> {
  if (requestIds.length === 0) return;
  await pool.query(
    `UPDATE holds SET expires_at = ${serverSeconds} + ${leaseSeconds} WHERE request_id IN (
       SELECT request_id FROM holds WHERE request_id = ANY($1::text[]) AND node = $2 FOR UPDATE SKIP LOCKED)`,
    [requestIds, node],
  );
}

/**
 * Drops holds whose lease ran out; returns how many. However many nodes try at once, each hold ends once: the row that
 * one of them deletes is gone for the others.
 */
export async function takeOverHolds(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ requestId: string; userId: number; tokenId: number }>(
    `SELECT request_id AS "requestId", user_id AS "userId", coalesce(token_id, 0) AS "tokenId" FROM holds
     WHERE expires_at <= ${serverSeconds} ORDER BY request_id LIMIT ${takeOverLimit}`,
  );
  if (rows.length === 0) return 0;
  const batch = rows.map((row) => ({ kind: 'release', ...row }) as const);
  const dropped = await inTransaction(pool, 'durable', async (client) => {
    const accounts = await lockAccounts(client, batch);
    const plan = planBatch(batch, { ...accounts, references: new Set(), unusedCodes: new Set() });
    return writePlan(client, plan, null);
  });
  return rows.length < takeOverLimit ? dropped : dropped + (await takeOverHolds(pool));
}

/** Open holds whose lease ran out and that nobody took over yet. */
export async function countStaleHolds(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM holds WHERE expires_at <= ${serverSeconds}`,
  );
  return rows[0]?.count ?? 0;
}
