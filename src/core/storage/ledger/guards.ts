/**
 * Guards (docs/rules/ledger.md#posting-guards): a posting may depend on a row of another table being in a given state, and moves it to the next one in the same
 * transaction. This list is the only place that names what may be guarded.
 */

type SqlType = 'integer' | 'bigint' | 'text';

interface GuardedTableSpec {
  /** The column that holds the state. */
  readonly state: { readonly column: string; readonly type: SqlType };
  /** Rows that match no guard, whatever their state, fail this condition. */
  readonly condition?: string;
  /** Columns that a transition may set as well. */
  readonly set: Readonly<Record<string, SqlType>>;
}

/** In the order in which PostgreSQL locks the tables. */
export const guardedTables = {
  redemptions: {
    state: { column: 'status', type: 'integer' },
    condition: 'deleted_at IS NULL',
    set: { used_user_id: 'bigint', redeemed_time: 'bigint' },
  },
  top_ups: {
    state: { column: 'status', type: 'text' },
    set: { finish_time: 'bigint', provider_trade_no: 'text', payment_method: 'text' },
  },
  tasks: {
    state: { column: 'status', type: 'text' },
    set: { progress: 'text', fail_reason: 'text', finish_time: 'bigint', updated_at: 'bigint' },
  },
} as const satisfies Record<string, GuardedTableSpec>;

export type GuardedTable = keyof typeof guardedTables;
export const guardedTableNames = Object.keys(guardedTables) as GuardedTable[];

type ValueOf<Type extends SqlType> = Type extends 'text' ? string : number;
type SetOf<Set extends Readonly<Record<string, SqlType>>> = { readonly [Column in keyof Set]?: ValueOf<Set[Column]> };

/** Row `id` of `table` must be in state `from`; it becomes `to`, and the columns of `set` get their values. */
export type Guard = {
  [Table in GuardedTable]: {
    readonly table: Table;
    readonly id: number;
    readonly from: ValueOf<(typeof guardedTables)[Table]['state']['type']>;
    readonly to: ValueOf<(typeof guardedTables)[Table]['state']['type']>;
    readonly set?: SetOf<(typeof guardedTables)[Table]['set']>;
  };
}[GuardedTable];

/** A transition as it is written: the state after the whole batch. */
export interface GuardChange {
  readonly table: GuardedTable;
  readonly id: number;
  readonly state: number | string;
  readonly set: Readonly<Record<string, number | string | undefined>>;
}

/** The columns that a transition of `table` may set, in a fixed order. */
export function guardColumns(table: GuardedTable): readonly string[] {
  return Object.keys(guardedTables[table].set);
}

/** Reads `id` and `state`; `rows` is the condition that picks the rows, in SQL. */
export function guardSelect(table: GuardedTable, rows: string): string {
  const { state, condition = 'true' }: GuardedTableSpec = guardedTables[table];
  return `SELECT id, ${state.column} AS state FROM ${table} WHERE ${rows} AND ${condition}`;
}

/** The start of an update; `value` gives the SQL of a new value, which is null where a column keeps its value. */
export function guardUpdate(table: GuardedTable, value: (name: string) => string): string {
  const { state, set }: GuardedTableSpec = guardedTables[table];
  const columns = Object.keys(set).map((column) => `${column} = coalesce(${value(column)}, ${table}.${column})`);
  return `UPDATE ${table} SET ${[`${state.column} = ${value('state')}`, ...columns].join(', ')}`;
}

/** Columns and types of a JSON row of changes, for PostgreSQL's json_to_recordset. */
export function guardRecord(table: GuardedTable): string {
  const { state, set }: GuardedTableSpec = guardedTables[table];
  const columns = Object.entries(set).map(([column, type]) => `${column} ${type}`);
  return ['id bigint', `state ${state.type}`, ...columns].join(', ');
}
