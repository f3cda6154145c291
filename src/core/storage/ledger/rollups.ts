/**
 * The hourly sums that charges are added to, declared once: the planner merges a batch's charges
 * into rows, and the writers of both engines and the repositories derive their statements from the
 * columns (docs/rules/usage-logs.md#hourly-sums). At the end the sums by minute of windows of
 * budgets.
 */
import { addQuota, maxQuota } from '../../kernel/quota.ts';

/** Columns that identify a row, with their type, and columns that are summed. */
interface RollupSpec {
  readonly key: Readonly<Record<string, 'bigint' | 'text'>>;
  readonly counters: readonly string[];
}

export const rollupTables = {
  /** What users consumed. */
  quota_data: {
    key: { user_id: 'bigint', username: 'text', model_name: 'text', created_at: 'bigint' },
    counters: ['count', 'quota', 'token_used'],
  },
  /**
   * What channels earned and cost. `cost` is in thousandths of a quota; `costed_count` and
   * `costed_quota` count the charges whose cost is known.
   */
  channel_usage: {
    key: { created_at: 'bigint', channel_id: 'bigint', model_name: 'text' },
    counters: ['count', 'quota', 'token_used', 'cost', 'costed_count', 'costed_quota'],
  },
  /** What users consumed by tag: a charge counts once for each of its tags. */
  tag_usage: {
    key: { user_id: 'bigint', created_at: 'bigint', tag: 'text' },
    counters: ['count', 'quota', 'token_used'],
  },
  /** What was charged through each key of channels that have several. */
  channel_key_usage: {
    key: { channel_id: 'bigint', key_name: 'text', created_at: 'bigint' },
    counters: ['count', 'quota'],
  },
} as const satisfies Record<string, RollupSpec>;

export type RollupTable = keyof typeof rollupTables;
export const rollupTableNames = Object.keys(rollupTables) as RollupTable[];

type Key<Table extends RollupTable> = (typeof rollupTables)[Table]['key'];
export type RollupRow<Table extends RollupTable = RollupTable> = {
  readonly [Column in keyof Key<Table>]: Key<Table>[Column] extends 'text' ? string : number;
} & Readonly<Record<(typeof rollupTables)[Table]['counters'][number], number>>;
export type RollupRows = { readonly [Table in RollupTable]: readonly RollupRow<Table>[] };

/** One charge, or one that is taken back (negative figures, no request), as the sums count it. */
export interface RolledCharge {
  readonly userId: number;
  readonly username: string;
  /** 0: none. */
  readonly channelId: number;
  readonly modelName: string;
  /** Start of the hour, Unix seconds. */
  readonly hour: number;
  readonly quota: number;
  readonly tokens: number;
  /** Requests that are added; absent: one. */
  readonly count?: number;
  /** What the channel's upstream charges, in thousandths of a quota. Absent: unknown. */
  readonly cost?: number | undefined;
  /** Absent: none. */
  readonly tags?: readonly string[];
  /** The fingerprint of the channel's key. Absent: the channel has one key. */
  readonly keyName?: string;
}

/** What one charge adds to each table. */
function rowsOf(charge: RolledCharge): RollupRows {
  const { userId, username, channelId, modelName, hour, quota, tokens, cost, count = 1 } = charge;
  const sums = { created_at: hour, count, quota, token_used: tokens };
  const isKnown = cost !== undefined;
  return {
    quota_data: [{ user_id: userId, username, model_name: modelName, ...sums }],
    channel_usage: [
      {
        ...sums,
        model_name: modelName,
        channel_id: channelId,
        cost: cost ?? 0,
        costed_count: isKnown ? count : 0,
        costed_quota: isKnown ? quota : 0,
      },
    ],
    tag_usage: charge.tags?.map((tag) => ({ user_id: userId, tag, ...sums })) ?? noRows,
    channel_key_usage:
      charge.keyName === undefined
        ? noRows
        : [{ channel_id: channelId, key_name: charge.keyName, created_at: hour, count, quota }],
  };
}

const noRows: readonly never[] = [];

/** Collects charges: one row per key and table, however many charges share it. */
export class RollupCollector {
  readonly #rows = new Map<RollupTable, Map<string, Record<string, number | string>>>(
    rollupTableNames.map((table) => [table, new Map()]),
  );

  add(charge: RolledCharge): void {
    const added = rowsOf(charge);
    for (const table of rollupTableNames) for (const row of added[table]) this.#merge(table, row);
  }

  #merge(table: RollupTable, row: Readonly<Record<string, number | string>>): void {
    const rows = this.#rows.get(table);
    const key = keyColumns(table)
      .map((column) => row[column])
      .join('\0');
    const sum = rows?.get(key);
    if (sum === undefined) rows?.set(key, { ...row });
    else
      for (const column of rollupTables[table].counters)
        sum[column] = addQuota(Number(sum[column]), Number(row[column]));
  }

  rows(): RollupRows {
    return Object.fromEntries(
      [...this.#rows].map(([table, rows]) => [table, [...rows.values()]]),
    ) as unknown as RollupRows;
  }
}

export function keyColumns(table: RollupTable): readonly string[] {
  return Object.keys(rollupTables[table].key);
}

/** All columns, in the order of {@link rollupUpsert}. */
export function rollupColumns(table: RollupTable): readonly string[] {
  return [...keyColumns(table), ...rollupTables[table].counters];
}

/** Columns and types of a JSON row, for PostgreSQL's json_to_recordset. */
export function rollupRecord(table: RollupTable): string {
  const key: Readonly<Record<string, string>> = rollupTables[table].key;
  return rollupColumns(table)
    .map((column) => `${column} ${key[column] ?? 'bigint'}`)
    .join(', ');
}

/**
 * Adds rows to the table, in the order of {@link rollupColumns}; `rows` is SQL that gives them:
 * VALUES or a query.
 */
export function rollupUpsert(table: RollupTable, rows: string): string {
  const { into, merge } = rollupStatement(table);
  return `${into} ${rows} ${merge}`;
}

/**
 * The two halves of {@link rollupUpsert}, for rows that are bound in between. Sums stop at the
 * bound of quota.
 */
export function rollupStatement(table: RollupTable): {
  readonly into: string;
  readonly merge: string;
} {
  const sum = (column: string) =>
    `${column} = CASE WHEN ${table}.${column} > ${maxQuota} - excluded.${column} THEN ${maxQuota}
      ELSE ${table}.${column} + excluded.${column} END`;
  return {
    into: `INSERT INTO ${table} (${rollupColumns(table).join(', ')})`,
    merge: `ON CONFLICT (${keyColumns(table).join(', ')}) DO UPDATE SET ${rollupTables[table].counters.map(sum).join(', ')}`,
  };
}

/**
 * Minutes that are kept of a window with a pace, more than are looked at
 * (docs/rules/budgets.md#pace).
 */
export const keptMinutes = 16;

/** Adds to `budget_minutes`; `rows` is SQL that gives window, place, minute and amount. */
export const addMinuteSql = (rows: string): string =>
  `INSERT INTO budget_minutes (window_id, place, minute, spent) ${rows}
   ON CONFLICT (window_id, place) DO UPDATE SET
     spent = CASE WHEN budget_minutes.minute = excluded.minute THEN budget_minutes.spent + excluded.spent
       WHEN budget_minutes.minute < excluded.minute THEN excluded.spent ELSE budget_minutes.spent END,
     minute = CASE WHEN budget_minutes.minute < excluded.minute THEN excluded.minute ELSE budget_minutes.minute END`;
