/**
 * Holds that several nodes share: a row per open hold, leased to the node that serves the request
 * (docs/rules/ledger.md#postgres-holds).
 */
import type { Pool, PoolClient } from 'pg';
import { AppError } from '../../kernel/errors.ts';
import type { LedgerPlan } from './plan.ts';
import { type LockedWindow, lockAccounts, lockWindows } from './postgres-state.ts';
import { inTransaction } from './postgres-transaction.ts';
import { leaseSeconds, serverSeconds, writePlan } from './postgres-write.ts';
import { prepared } from './prepared.ts';

/** Most holds that one transaction takes over. */
const takeOverLimit = 500;

export interface PostgresHoldRequest {
  readonly requestId: string;
  readonly userId: number;
  /** 0: none. */
  readonly tokenId: number;
  /** The windows of budgets that it is held in. Absent: none. */
  readonly windows?: readonly { readonly id: number }[];
}

/** What is placed: in wallet and token, and in each window. */
export interface PlacedHold {
  readonly amount: number;
  /** Admitted on the smaller hold. */
  readonly small: boolean;
  readonly windows?: readonly { readonly id: number; readonly amount: number }[];
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
    windows: ReadonlyMap<number, LockedWindow>,
  ) => Admission;
}

/**
 * Places holds for several requests in one transaction, deciding on one after the other. The
 * updates are conditional: if the database disagrees with a decision, nothing is held. Resolves
 * with one entry per request, in their order.
 */
export function placeHolds<Request extends PostgresHoldRequest, Admission extends PlacedHold>(
  deps: PostgresHoldDeps<Request, Admission>,
): Promise<readonly (Admission | AppError)[]> {
  const { pool, node, requests, admit } = deps;
  return inTransaction(pool, 'light', async (client, begun) => {
    const accounts = await lockAccounts(client, accountsOf(requests));
    const windows = new Map(await lockWindows(client, windowsOf(requests)));
    const heldInWindows = new Map<number, number>();
    const heldByUser = new Map<number, number>();
    const heldByToken = new Map<number, number>();
    const rows: HoldRow[] = [];
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
          windows,
        );
        const { amount } = admission;
        for (const held of admission.windows ?? []) {
          const before = windows.get(held.id) ?? { spent: 0, held: 0, requests: 0 };
          windows.set(held.id, { ...before, held: before.held + held.amount });
          heldInWindows.set(held.id, (heldInWindows.get(held.id) ?? 0) + held.amount);
        }
        heldByUser.set(userId, userHeld + amount);
        if (tokenId !== 0) heldByToken.set(tokenId, tokenHeld + amount);
        rows.push({
          request_id: requestId,
          user_id: userId,
          token_id: tokenId === 0 ? null : tokenId,
          amount,
          windows: admission.windows,
        });
        return admission;
      } catch (error) {
        if (error instanceof AppError) return error;
        throw error;
      }
    });
    if (rows.length > 0) {
      await begun;
      const { rows: counts } = await client.query<{ wallets: number; allowances: number }>({
        ...statement,
        values: [JSON.stringify(rows), node],
      });
      const { wallets, allowances } = counts[0] ?? {};
      if (wallets !== heldByUser.size || allowances !== heldByToken.size)
        throw new Error('a hold was not written');
      await holdInWindows(client, heldInWindows);
    }
    return { value: results };
  });
}

const statement = prepared(
  'ledger_hold',
  `
WITH requested AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS entry(request_id text, user_id bigint, token_id bigint, amount bigint, windows text)
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
  INSERT INTO holds (request_id, user_id, token_id, amount, node, expires_at, created_at, windows)
  SELECT request_id, user_id, token_id, amount, $2, ${serverSeconds} + ${leaseSeconds}, ${serverSeconds}, windows FROM requested
)
SELECT (SELECT count(*) FROM wallets) AS wallets, (SELECT count(*) FROM allowances) AS allowances`,
);

interface HoldRow {
  readonly request_id: string;
  readonly user_id: number;
  readonly token_id: number | null;
  readonly amount: number;
  /** Its JSON is what the row has. Absent: none. */
  readonly windows: PlacedHold['windows'];
}

/** The rows are locked. */
async function holdInWindows(client: PoolClient, held: ReadonlyMap<number, number>): Promise<void> {
  if (held.size === 0) return;
  await client.query(
    `UPDATE budget_windows SET held = budget_windows.held + entry.amount
     FROM unnest($1::bigint[], $2::bigint[]) AS entry(id, amount) WHERE budget_windows.id = entry.id`,
    [[...held.keys()], [...held.values()]],
  );
}

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
  const { rows } = await pool.query<Omit<PostgresHoldRequest, 'windows'> & Held>(
    `SELECT request_id AS "requestId", user_id AS "userId", coalesce(token_id, 0) AS "tokenId", windows::json AS windows FROM holds
     WHERE expires_at <= ${serverSeconds} ORDER BY request_id LIMIT ${takeOverLimit}`,
  );
  if (rows.length === 0) return 0;
  const dropped = await inTransaction(pool, 'durable', async (client, begun) => {
    const accounts = accountsOf(rows);
    await lockAccounts(client, accounts);
    const ids = windowsOf(rows);
    await lockWindows(client, ids);
    await begun;
    const holds = rows.map(({ requestId }) => requestId);
    const plan = { ...emptyPlan, windows: { ids, changes: [] }, holds };
    return { value: await (await writePlan(client, plan, accounts, null)).last };
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
  rollups: { quota_data: [], channel_usage: [], tag_usage: [], channel_key_usage: [] },
  guards: [],
  windows: { ids: new Set(), changes: [] },
  holds: [],
};

interface Held {
  readonly windows: PlacedHold['windows'] | null;
}

const windowsOf = (requests: readonly (Pick<PostgresHoldRequest, 'windows'> | Held)[]) =>
  new Set(requests.flatMap(({ windows }) => windows?.map(({ id }) => id) ?? []));

/** Open holds whose lease ran out and that no node has taken over yet. */
export async function countStaleHolds(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM holds WHERE expires_at <= ${serverSeconds}`,
  );
  return rows[0]?.count ?? 0;
}

function accountsOf(
  requests: readonly Pick<PostgresHoldRequest, 'userId' | 'tokenId'>[],
): Parameters<typeof lockAccounts>[1] {
  return {
    users: new Set(requests.map(({ userId }) => userId)),
    tokens: new Set(requests.map(({ tokenId }) => tokenId).filter((id) => id !== 0)),
  };
}
