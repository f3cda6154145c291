/**
 * Writes a plan on PostgreSQL: one statement that changes everything, besides guarded rows and
 * allowances, which are rare.
 */
import type { PoolClient } from 'pg';
import { maxQuota } from '../../kernel/quota.ts';
import type { LinkedTable } from '../../vocabulary/ledger-chain.ts';
import { storableText } from '../storable-text.ts';
import { allowanceText, linkSql, nextPrefix, postingText } from './chain.ts';
import { guardedTableNames, guardRecord, guardUpdate } from './guards.ts';
import type { LedgerKeys } from './keys.ts';
import { logColumnNames, logRecord, logSelection } from './log-columns.ts';
import type { LedgerPlan } from './plan.ts';
import { prepared } from './prepared.ts';
import {
  addMinuteSql,
  keptMinutes,
  keyColumns,
  type RollupTable,
  rollupRecord,
  rollupTableNames,
  rollupUpsert,
} from './rollups.ts';

/** The server's clock, in Unix seconds: leases of several nodes are compared by one clock. */
export const serverSeconds = 'floor(extract(epoch FROM clock_timestamp()))::bigint';

/** Seconds until a hold whose node does not renew it may be taken over. */
export const leaseSeconds = 60;

/** A sum that stops at the bound of quota, also where the stored value is beyond it already. */
function capped(stored: string, added: string): string {
  return `least(least(${stored}, ${maxQuota}) + ${added}, ${maxQuota})`;
}

/**
 * A CTE that adds the rows of a table of sums. Rows are written in the order of their keys, because
 * nodes share them.
 */
function addRollup(table: RollupTable, parameter: number): string {
  const rows = `SELECT * FROM json_to_recordset($${parameter}::json) AS entry(${rollupRecord(table)})`;
  return `, ${table}_rows AS (
  ${rollupUpsert(table, `${rows} ORDER BY ${keyColumns(table).join(', ')}`)}
)`;
}

/**
 * CTEs that give rows their ids and links, and move the end of their chain
 * (docs/rules/ledger.md#chain): `NAME` has the rows. Its end is locked while they get them, and
 * only where there are some: so ids are in the order of the chain, and rows become visible in it.
 */
function linkedRows(name: string, table: LinkedTable, rows: string): string {
  return `${name}_end AS MATERIALIZED (
  SELECT link FROM ledger_chains WHERE name = '${table}' FOR UPDATE
), ${name}_rows AS MATERIALIZED (
  SELECT nextval((SELECT pg_get_serial_sequence('${table}', 'id')::regclass)) AS id, coalesce(before.link, '') AS base, entry.*
  FROM ${rows} LEFT JOIN ${name}_end before ON true
), ${name} AS MATERIALIZED (
  SELECT ${linkSql('base', 'prefix', 'id', 'n')} AS link, ${name}_rows.* FROM ${name}_rows
), ${name}_moved AS (
  UPDATE ledger_chains SET last_id = newest.id, link = newest.link
  FROM (SELECT id, link FROM ${name} ORDER BY n DESC LIMIT 1) newest WHERE ledger_chains.name = '${table}'
)`;
}

/**
 * $1: request ids whose holds end. $2: the node that owns them, or null for any hold whose lease
 * ran out. The tables of the plan follow as JSON. Rows of tokens and users are locked already;
 * channels, which all requests share, are locked here, as late as possible. $8, $9: ids of all locked
 * tokens and users, so that they are found by their ids, however small the tables are.
 */
const settlement = (more: string): string => `
WITH dropped AS (
  DELETE FROM holds
  WHERE request_id = ANY($1::text[]) AND CASE WHEN $2::text IS NULL THEN expires_at <= ${serverSeconds} ELSE node = $2 END
  RETURNING user_id, token_id, amount, windows
), ${linkedRows(
  'posting',
  'ledger',
  `json_to_recordset($3::json) AS entry(n bigint, prefix text, "userId" bigint, "tokenId" bigint, kind text, amount bigint,
    "balanceAfter" bigint, reference text, at bigint, windows text)`,
)}, posted AS (
  INSERT INTO ledger (id, link, user_id, token_id, kind, amount, balance_after, reference, created_at, windows)
  SELECT id, link, "userId", "tokenId", kind, amount, "balanceAfter", reference, at, windows FROM posting
), logged AS (
  INSERT INTO logs (${logColumnNames.join(', ')})
  SELECT ${logSelection}, posting.id
  FROM json_to_recordset($4::json) AS entry(${logRecord}, posting bigint)
  LEFT JOIN posting ON posting.n = entry.posting
), hours AS (
  INSERT INTO ledger_hours (hour, first_id)
  SELECT at - at % 3600, min(id) FROM posting GROUP BY 1 ORDER BY 1
  ON CONFLICT DO NOTHING
), token_changes AS (
  UPDATE tokens SET remain_quota = coalesce(change.remain, tokens.remain_quota),
    unlimited_quota = coalesce(change.unlimited::integer, tokens.unlimited_quota),
    used_quota = coalesce(change.used, tokens.used_quota), accessed_time = coalesce(change.at, tokens.accessed_time),
    held = tokens.held - coalesce(change.freed, 0)
  FROM (
    SELECT coalesce(entry.id, freed.id) AS id, remain, unlimited, used, at, freed.amount AS freed
    FROM json_to_recordset($5::json) AS entry(id bigint, remain bigint, unlimited boolean, used bigint, at bigint)
    FULL JOIN (SELECT token_id AS id, sum(amount)::bigint AS amount FROM dropped WHERE token_id IS NOT NULL GROUP BY token_id) freed
      ON freed.id = entry.id
  ) change WHERE tokens.id = change.id AND tokens.id = ANY($8::bigint[])
), user_changes AS (
  UPDATE users SET quota = coalesce(change.quota, users.quota), used_quota = coalesce(change.used, users.used_quota),
    request_count = users.request_count + coalesce(change.requests, 0), held = users.held - coalesce(change.freed, 0)
  FROM (
    SELECT coalesce(entry.id, freed.id) AS id, quota, used, requests, freed.amount AS freed
    FROM json_to_recordset($6::json) AS entry(id bigint, quota bigint, used bigint, requests bigint)
    FULL JOIN (SELECT user_id AS id, sum(amount)::bigint AS amount FROM dropped GROUP BY user_id) freed ON freed.id = entry.id
  ) change WHERE users.id = change.id AND users.id = ANY($9::bigint[])
), busy_channels AS MATERIALIZED (
  SELECT channels.id, entry.used FROM channels
  JOIN json_to_recordset($7::json) AS entry(id bigint, used bigint) ON entry.id = channels.id
  ORDER BY channels.id FOR UPDATE OF channels
), channel_changes AS (
  UPDATE channels SET used_quota = ${capped('channels.used_quota', 'busy_channels.used')}
  FROM busy_channels WHERE channels.id = busy_channels.id
)${more}
SELECT count(*) AS dropped FROM dropped`;

/**
 * Two more CTEs where the batch involves windows of budgets, which are locked already. What was
 * held is given back by the rows of the holds, so that it is once, whichever node ends them.
 */
function addWindows(parameter: number): string {
  const changes = `json_to_recordset($${parameter}::json) AS added(id bigint, amount bigint, requests bigint, minute bigint)`;
  return `, window_changes AS (
  UPDATE budget_windows SET spent = budget_windows.spent + coalesce(change.amount, 0), held = budget_windows.held - coalesce(change.freed, 0),
    requests = budget_windows.requests + coalesce(change.requests, 0),
    charged_at = greatest(budget_windows.charged_at, change.minute * 60)
  FROM (
    SELECT coalesce(added.id, freed.id) AS id, added.amount, added.requests, added.minute, freed.amount AS freed
    FROM ${changes}
    FULL JOIN (
      SELECT (held.value->>'id')::bigint AS id, sum((held.value->>'amount')::bigint)::bigint AS amount
      FROM dropped CROSS JOIN json_array_elements(dropped.windows::json) AS held(value) GROUP BY 1
    ) freed ON freed.id = added.id
  ) change WHERE budget_windows.id = change.id
  RETURNING budget_windows.id, budget_windows.budget_id, change.amount, change.minute
), window_minutes AS (
  ${addMinuteSql(`SELECT changed.id, changed.minute % ${keptMinutes}, changed.minute, changed.amount
  FROM window_changes changed JOIN budgets ON budgets.id = changed.budget_id
  WHERE budgets.most_pace > 0 AND changed.minute IS NOT NULL ORDER BY 1`)}
)`;
}

/** The first parameter of what not every batch has. */
const firstOther = 10;

interface Statement {
  readonly query: ReturnType<typeof prepared>;
  /** The tables of sums that it writes, in the order of their parameters. */
  readonly sums: readonly RollupTable[];
}

/** Sums that few batches add to: the others do not pay for them, nor for windows of budgets. */
const rareSums: Readonly<Partial<Record<RollupTable, string>>> = {
  tag_usage: '_tags',
  channel_key_usage: '_keys',
};

const statements = new Map<string, Statement>();

function statementFor({ rollups, windows }: LedgerPlan): Statement {
  const sums = rollupTableNames.filter(
    (table) => rareSums[table] === undefined || rollups[table].length > 0,
  );
  const hasWindows = windows.ids.size > 0;
  const parts = sums.map((table) => rareSums[table] ?? '').join('');
  const name = `ledger_settle${parts}${hasWindows ? '_windows' : ''}`;
  const known = statements.get(name);
  if (known !== undefined) return known;
  const more = sums.map((table, index) => addRollup(table, firstOther + index)).join('');
  const text = settlement(hasWindows ? more + addWindows(firstOther + sums.length) : more);
  const statement = { query: prepared(name, text), sums };
  statements.set(name, statement);
  return statement;
}

type LockedIds = Pick<LedgerKeys, 'tokens' | 'users'>;

/**
 * Writes the plan in the transaction that locked these accounts. `node`: whose holds end; null: any
 * whose lease ran out. `last` is the statement that writes all but what is rare, sent before this
 * resolves; it returns how many holds ended.
 */
export async function writePlan(
  client: PoolClient,
  plan: LedgerPlan,
  locked: LockedIds,
  node: string | null,
): Promise<{ readonly last: Promise<number> }> {
  const { guards, allowances } = plan;
  await writeGuards(client, guards);
  if (allowances.length > 0) await writeAllowances(client, allowances);
  const last = settle(client, plan, locked, node);
  // With others before it, the transaction may only be committed once this one has succeeded.
  if (guards.length > 0 || allowances.length > 0) await last;
  return { last };
}

/** The statement is prepared by name, because planning it takes as long as running it. */
function settle(
  client: PoolClient,
  plan: LedgerPlan,
  locked: LockedIds,
  node: string | null,
): Promise<number> {
  const { ids, changes } = plan.windows;
  const { query, sums } = statementFor(plan);
  const values = [
    plan.holds,
    node,
    toJson(prefixed(plan.postings, postingText)),
    toJson(plan.logs.map(({ row, posting }) => ({ ...row, posting }))),
    toJson(plan.tokens),
    toJson(plan.users),
    toJson(plan.channels),
    [...locked.tokens],
    [...locked.users],
    ...sums.map((table) => toJson(plan.rollups[table])),
    ...(ids.size === 0 ? [] : [toJson(changes)]),
  ];
  return client
    .query<{ dropped: number }>({ ...query, values })
    .then(({ rows }) => rows[0]?.dropped ?? 0);
}

const allowanceStatement = `
WITH ${linkedRows(
  'allowance',
  'token_allowances',
  `json_to_recordset($1::json) AS entry(n bigint, prefix text, "tokenId" bigint, amount bigint, used bigint, "remainAfter" bigint, at bigint)`,
)}
INSERT INTO token_allowances (id, link, token_id, amount, used, remain_after, created_at)
SELECT id, link, "tokenId", amount, used, "remainAfter", at FROM allowance`;

async function writeAllowances(
  client: PoolClient,
  allowances: LedgerPlan['allowances'],
): Promise<void> {
  await client.query(allowanceStatement, [toJson(prefixed(allowances, allowanceText))]);
}

async function writeGuards(client: PoolClient, guards: LedgerPlan['guards']): Promise<void> {
  for (const table of guardedTableNames) {
    const rows = guards
      .filter((guard) => guard.table === table)
      .map(({ id, state, set }) => ({ id, state, ...set }));
    if (rows.length === 0) continue;
    await client.query(
      `${guardUpdate(table, (name) => `entry.${name}`)}
       FROM json_to_recordset($1::json) AS entry(${guardRecord(table)}) WHERE ${table}.id = entry.id`,
      [toJson(rows)],
    );
  }
}

/** What of the links of a group is known before its rows have ids. */
function prefixed<Row extends object>(
  rows: readonly Row[],
  textOf: (row: Row) => string,
): readonly object[] {
  let prefix = '';
  return rows.map((row, n) => {
    prefix = nextPrefix(prefix, textOf(row));
    return { n, prefix, ...row };
  });
}

/** A charge must not be refused because a name contains what cannot be stored. */
function toJson(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    return typeof value === 'string' ? storableText(value) : value;
  });
}
