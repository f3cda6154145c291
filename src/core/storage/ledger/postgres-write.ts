/** Writes a batch of settlements on PostgreSQL: one transaction, and in it one statement that changes everything. */
import type { Pool, PoolClient } from 'pg';
import { lockAccounts, lockUnusedCodes } from './postgres-accounts.ts';
import { type Plan, type PostgresSettlement, planBatch, referenceKey } from './postgres-plan.ts';
import { inTransaction } from './postgres-transaction.ts';
import type { SettlementResult } from './settlement.ts';

/** The server's clock, in Unix seconds: leases of several nodes are compared by one clock. */
export const serverSeconds = 'floor(extract(epoch FROM clock_timestamp()))::bigint';

/**
 * $1 request ids whose holds end, $2 the node whose they are, or null: whose leases ran out. Tables follow as JSON. Rows
 * of tokens, users and codes are locked already; channels, which everybody shares, are locked here, as late as can be.
 */
const statement = `
WITH dropped AS (
  DELETE FROM holds
  WHERE request_id = ANY($1::text[]) AND CASE WHEN $2::text IS NULL THEN expires_at <= ${serverSeconds} ELSE node = $2 END
  RETURNING user_id, token_id, amount
), posting AS MATERIALIZED (
  SELECT nextval(pg_get_serial_sequence('ledger', 'id')) AS id, entry.*
  FROM json_to_recordset($3::json) AS entry(n bigint, user_id bigint, token_id bigint, kind text, amount bigint,
    balance_after bigint, reference text, created_at bigint)
), posted AS (
  INSERT INTO ledger (id, user_id, token_id, kind, amount, balance_after, reference, created_at)
  SELECT id, user_id, token_id, kind, amount, balance_after, reference, created_at FROM posting
), logged AS (
  INSERT INTO logs (user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens,
    completion_tokens, use_time, is_stream, channel_id, token_id, "group", other, request_id, ledger_id)
  SELECT entry."userId", entry."createdAt", entry.type, entry.content, entry.username, entry."tokenName", entry."modelName", entry.quota,
    entry."promptTokens", entry."completionTokens", entry."useTime", entry."isStream"::integer, entry."channelId", entry."tokenId",
    entry."group", entry.other, entry."requestId", posting.id
  FROM json_to_recordset($4::json) AS entry("userId" bigint, "createdAt" bigint, type integer, content text, username text,
    "tokenName" text, "modelName" text, quota bigint, "promptTokens" bigint, "completionTokens" bigint, "useTime" bigint,
    "isStream" boolean, "channelId" bigint, "tokenId" bigint, "group" text, other text, "requestId" text, posting bigint)
  LEFT JOIN posting ON posting.n = entry.posting
), rolled AS (
  INSERT INTO quota_data (user_id, username, model_name, created_at, count, quota, token_used)
  SELECT * FROM json_to_recordset($5::json) AS entry(user_id bigint, username text, model_name text, hour bigint,
    count bigint, quota bigint, tokens bigint)
  ON CONFLICT (user_id, username, model_name, created_at)
  DO UPDATE SET count = quota_data.count + excluded.count, quota = quota_data.quota + excluded.quota,
    token_used = quota_data.token_used + excluded.token_used
), token_changes AS (
  UPDATE tokens SET remain_quota = entry.remain, unlimited_quota = entry.unlimited::integer,
    used_quota = tokens.used_quota + entry.used, accessed_time = coalesce(entry.at, tokens.accessed_time),
    held = tokens.held - coalesce(freed.amount, 0)
  FROM json_to_recordset($6::json) AS entry(id bigint, remain bigint, unlimited boolean, used bigint, at bigint)
  LEFT JOIN (SELECT token_id, sum(amount)::bigint AS amount FROM dropped GROUP BY token_id) freed ON freed.token_id = entry.id
  WHERE tokens.id = entry.id
), user_changes AS (
  UPDATE users SET quota = users.quota + entry.quota, used_quota = users.used_quota + entry.used,
    request_count = users.request_count + entry.requests, held = users.held - coalesce(freed.amount, 0)
  FROM json_to_recordset($7::json) AS entry(id bigint, quota bigint, used bigint, requests bigint)
  LEFT JOIN (SELECT user_id, sum(amount)::bigint AS amount FROM dropped GROUP BY user_id) freed ON freed.user_id = entry.id
  WHERE users.id = entry.id
), code_changes AS (
  UPDATE redemptions SET status = 3, used_user_id = entry.user_id, redeemed_time = entry.at
  FROM json_to_recordset($8::json) AS entry(id bigint, user_id bigint, at bigint)
  WHERE redemptions.id = entry.id
), busy_channels AS MATERIALIZED (
  SELECT channels.id, entry.amount FROM channels
  JOIN json_to_recordset($9::json) AS entry(id bigint, amount bigint) ON entry.id = channels.id
  ORDER BY channels.id FOR UPDATE OF channels
), channel_changes AS (
  UPDATE channels SET used_quota = channels.used_quota + busy_channels.amount
  FROM busy_channels WHERE channels.id = busy_channels.id
)
SELECT count(*) AS dropped FROM dropped`;

/**
 * Prepared by its name: planning it anew takes as long as running it. Returns how many holds ended. `node` null: only holds whose lease ran out. The accounts of
 * the plan are locked.
 */
export async function writePlan(client: PoolClient, plan: Plan, node: string | null): Promise<number> {
  const tables = [plan.postings, plan.logs, plan.rollups, plan.tokens, plan.users, plan.codes, plan.channels];
  const { rows } = await client.query<{ dropped: number }>({
    name: 'ledger_settle',
    text: statement,
    values: [plan.holds, node, ...tables.map((table) => toJson([...table.values()]))],
  });
  return rows[0]?.dropped ?? 0;
}

/**
 * Commits a batch in one transaction, holds of this node with it; rejects when nothing of it was written, or with
 * CommitUnknownError.
 */
export function commitBatch(
  pool: Pool,
  node: string,
  batch: readonly PostgresSettlement[],
): Promise<readonly SettlementResult[]> {
  return inTransaction(pool, 'durable', async (client) => {
    const accounts = await lockAccounts(client, batch);
    const references = await findReferences(client, batch);
    const codes = new Set(batch.flatMap((item) => (item.kind === 'posting' && item.redeem ? [item.redeem.redemptionId] : [])));
    const plan = planBatch(batch, { ...accounts, references, unusedCodes: await lockUnusedCodes(client, codes) });
    await writePlan(client, plan, node);
    return plan.results;
  });
}

async function findReferences(client: PoolClient, batch: readonly PostgresSettlement[]): Promise<ReadonlySet<string>> {
  const asked = batch.flatMap((item) =>
    item.kind === 'posting' && item.reference !== null ? [{ kind: item.posting, reference: item.reference }] : [],
  );
  if (asked.length === 0) return new Set();
  const { rows } = await client.query<{ kind: string; reference: string }>(
    `SELECT kind, reference FROM ledger
     WHERE kind != 'charge' AND (kind, reference) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [asked.map(({ kind }) => kind), asked.map(({ reference }) => reference)],
  );
  return new Set(rows.map(({ kind, reference }) => referenceKey(kind, reference)));
}

/** PostgreSQL's texts hold no NUL; an answer must not stay unbilled because a name has one. */
function toJson(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : value));
}
