/**
 * Reads and locks rows on PostgreSQL. Every transaction of the ledger takes its rows in this order:
 * tokens, users, guarded rows (tables in the order of guards.ts), windows of budgets, holds,
 * channels, each by ascending id. Two nodes that need the same rows wait for each other and never deadlock.
 */
import type { PoolClient } from 'pg';
import { type GuardedRow, guardedTableNames, guardSelect } from './guards.ts';
import type { LedgerKeys } from './keys.ts';
import {
  guardKey,
  type LedgerState,
  referenceKey,
  type StoredAllowance,
  type StoredWallet,
} from './plan.ts';
import { prepared } from './prepared.ts';
import {
  exactAllowance,
  exactBalance,
  exactUsed,
  readAllowance,
  readWallet,
} from './stored-accounts.ts';

/** Rows as they are now and stay until the transaction ends. Amounts in quota. */
export interface LockedAccounts {
  readonly wallets: ReadonlyMap<number, StoredWallet & { readonly held: number }>;
  readonly allowances: ReadonlyMap<number, StoredAllowance & { readonly held: number }>;
}

/**
 * $1. With `= ANY` the server makes a plan for each list, because one for any list expects ten ids; of
 * a limit that it does not know it expects a tenth of those.
 */
const listedIds =
  '(SELECT id FROM unnest($1::bigint[]) AS given(id) LIMIT cardinality($1::bigint[])) listed';
const tokenRows = prepared(
  'ledger_lock_tokens',
  `SELECT tokens.id, remain_quota AS remain, unlimited_quota AS unlimited, used_quota AS used, ${exactAllowance} AS exact,
     ${exactUsed} AS exact_used, held FROM ${listedIds} JOIN tokens ON tokens.id = listed.id
   ORDER BY tokens.id FOR UPDATE OF tokens`,
);
const userRows = prepared(
  'ledger_lock_users',
  `SELECT users.id, quota, used_quota AS used, ${exactBalance} AS exact, held
   FROM ${listedIds} JOIN users ON users.id = listed.id ORDER BY users.id FOR UPDATE OF users`,
);
const windowRows = prepared(
  'ledger_lock_windows',
  `SELECT budget_windows.id, spent, held, requests FROM ${listedIds} JOIN budget_windows ON budget_windows.id = listed.id
   ORDER BY budget_windows.id FOR UPDATE OF budget_windows`,
);

/** Reads the state of a batch; its rows stay locked until the transaction ends. */
export async function lockState(client: PoolClient, keys: LedgerKeys): Promise<LedgerState> {
  const accounts = await lockAccounts(client, keys);
  const state = {
    ...accounts,
    closed: await lockClosed(
      client,
      [...keys.charged].filter((id) => !accounts.wallets.has(id)),
    ),
    references: await findReferences(client, keys.references),
    guards: await lockGuards(client, keys.guards),
  };
  await lockWindows(client, keys.windows);
  return state;
}

/** A window of a budget: quota that was spent and is held in it, and its charges. */
export interface LockedWindow {
  readonly spent: number;
  readonly held: number;
  readonly requests: number;
}

/** What was spent and is held in windows of budgets; those that are gone are missing. */
export async function lockWindows(
  client: PoolClient,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, LockedWindow>> {
  const rows = await lockRows<LockedWindow & { readonly id: number }>(client, windowRows, ids);
  return new Map(rows.map(({ id, ...state }) => [id, state]));
}

/** Accounts that do not exist are missing from the maps. Both statements are sent at once. */
export async function lockAccounts(
  client: PoolClient,
  { users, tokens }: Pick<LedgerKeys, 'users' | 'tokens'>,
): Promise<LockedAccounts> {
  const [tokensFound, usersFound] = await Promise.all([
    lockRows<Parameters<typeof readAllowance>[0] & { id: number; held: number }>(
      client,
      tokenRows,
      tokens,
    ),
    lockRows<Parameters<typeof readWallet>[0] & { id: number; held: number }>(
      client,
      userRows,
      users,
    ),
  ]);
  return {
    wallets: new Map(usersFound.map((row) => [row.id, { ...readWallet(row), held: row.held }])),
    allowances: new Map(
      tokensFound.map((row) => [row.id, { ...readAllowance(row), held: row.held }]),
    ),
  };
}

/**
 * The last balances of users that no longer exist. There is no row to lock, so charges to such an
 * account wait for each other on an advisory lock.
 */
async function lockClosed(
  client: PoolClient,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const balances = new Map<number, number>();
  for (const id of ids.toSorted((a, b) => a - b)) {
    await client.query(
      "SELECT pg_advisory_xact_lock(hashtext('turnpike.closed_account'), $1::integer)",
      [id % 2 ** 31],
    );
    const { rows } = await client.query<{ quota: number }>(
      'SELECT balance_after AS quota FROM ledger WHERE user_id = $1 ORDER BY id DESC LIMIT 1',
      [id],
    );
    balances.set(id, rows[0]?.quota ?? 0);
  }
  return balances;
}

async function findReferences(
  client: PoolClient,
  references: LedgerKeys['references'],
): Promise<ReadonlySet<string>> {
  if (references.length === 0) return new Set();
  const { rows } = await client.query<{ kind: string; reference: string }>(
    `SELECT kind, reference FROM ledger
     WHERE kind != 'charge' AND (kind, reference) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [references.map(({ kind }) => kind), references.map(({ reference }) => reference)],
  );
  return new Set(rows.map(({ kind, reference }) => referenceKey(kind, reference)));
}

async function lockGuards(
  client: PoolClient,
  guards: LedgerKeys['guards'],
): Promise<LedgerState['guards']> {
  const found = new Map<string, GuardedRow>();
  for (const table of guardedTableNames) {
    const ids = new Set(guards.filter((guard) => guard.table === table).map((guard) => guard.id));
    const statement = `${guardSelect(table, 'id = ANY($1::bigint[])')} ORDER BY id FOR UPDATE`;
    for (const row of await lockRows<GuardedRow>(client, { text: statement }, ids))
      found.set(guardKey({ table, id: row.id }), row);
  }
  return found;
}

/** Planning most of them takes longer than running them, so those are prepared. */
async function lockRows<Row extends object>(
  client: PoolClient,
  query: { readonly name?: string; readonly text: string },
  ids: ReadonlySet<number>,
): Promise<Row[]> {
  return ids.size === 0 ? [] : (await client.query<Row>({ ...query, values: [[...ids]] })).rows;
}
