/**
 * Guards (docs/rules/ledger.md#posting-guards): a change of a balance may depend on a row of
 * another table being in a given state, and moves it to the next one in the same transaction. This
 * list is the only place that names what may be guarded.
 */

type SqlType = 'integer' | 'bigint' | 'text';

interface GuardedTableSpec {
  /** The column that holds the state. */
  readonly state: { readonly column: string; readonly type: SqlType };
  /** Rows that match no guard, whatever their state, fail this condition. */
  readonly condition?: string;
  /** Columns that a guard may require to be as they were when they were read. */
  readonly unchanged?: Readonly<Record<string, SqlType>>;
  /** Columns that a transition may set as well. */
  readonly set: Readonly<Record<string, SqlType>>;
}

/** In the order in which PostgreSQL locks the tables. */
export const guardedTables = {
  redemptions: {
    state: { column: 'status', type: 'integer' },
    condition: 'deleted_at IS NULL',
    unchanged: { quota: 'bigint', expired_time: 'bigint' },
    set: { used_user_id: 'bigint', redeemed_time: 'bigint' },
  },
  top_ups: {
    state: { column: 'status', type: 'text' },
    unchanged: { refunded: 'bigint', note: 'text' },
    set: {
      finish_time: 'bigint',
      provider_trade_no: 'text',
      payment_method: 'text',
      refunded: 'bigint',
    },
  },
  tasks: {
    state: { column: 'status', type: 'text' },
    unchanged: { quota: 'bigint' },
    set: {
      progress: 'text',
      fail_reason: 'text',
      submit_time: 'bigint',
      start_time: 'bigint',
      finish_time: 'bigint',
      updated_at: 'bigint',
      quota: 'bigint',
      channel_id: 'bigint',
      properties: 'text',
      data: 'text',
      private_data: 'text',
    },
  },
  midjourneys: {
    state: { column: 'status', type: 'text' },
    unchanged: { quota: 'bigint' },
    set: {
      code: 'integer',
      mj_id: 'text',
      token_id: 'bigint',
      action: 'text',
      prompt: 'text',
      prompt_en: 'text',
      description: 'text',
      submit_time: 'bigint',
      start_time: 'bigint',
      finish_time: 'bigint',
      image_url: 'text',
      video_url: 'text',
      video_urls: 'text',
      progress: 'text',
      fail_reason: 'text',
      channel_id: 'bigint',
      quota: 'bigint',
      buttons: 'text',
      properties: 'text',
      private_data: 'text',
    },
  },
} as const satisfies Record<string, GuardedTableSpec>;

export type GuardedTable = keyof typeof guardedTables;
export const guardedTableNames = Object.keys(guardedTables) as GuardedTable[];

type ValueOf<Type extends SqlType> = Type extends 'text' ? string : number;
type SetOf<Set extends Readonly<Record<string, SqlType>>> = {
  readonly [Column in keyof Set]?: ValueOf<Set[Column]>;
};

type UnchangedOf<Spec> = Spec extends {
  readonly unchanged: infer Columns extends Readonly<Record<string, SqlType>>;
}
  ? SetOf<Columns>
  : Readonly<Record<string, never>>;

/**
 * Row `id` of `table` must be in state `from` and have the values of `unchanged`; it becomes `to`,
 * and the columns of `set` get their values.
 */
export type Guard = {
  [Table in GuardedTable]: {
    readonly table: Table;
    readonly id: number;
    readonly from: ValueOf<(typeof guardedTables)[Table]['state']['type']>;
    readonly to: ValueOf<(typeof guardedTables)[Table]['state']['type']>;
    readonly unchanged?: UnchangedOf<(typeof guardedTables)[Table]>;
    readonly set?: SetOf<(typeof guardedTables)[Table]['set']>;
  };
}[GuardedTable];

/**
 * A guarded row as a batch finds it: its state, and the columns that guards may require to be
 * unchanged.
 */
export interface GuardedRow {
  readonly id: number;
  readonly state: number | string;
  readonly [column: string]: number | string;
}

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

/** Reads a {@link GuardedRow}; `rows` is the condition that picks the rows, in SQL. */
export function guardSelect(table: GuardedTable, rows: string): string {
  const { state, condition = 'true', unchanged = {} }: GuardedTableSpec = guardedTables[table];
  return `SELECT ${['id', `${state.column} AS state`, ...Object.keys(unchanged)].join(', ')} FROM ${table} WHERE ${rows} AND ${condition}`;
}

/**
 * The start of an update; `value` gives the SQL of a new value, which is null where a column keeps
 * its value.
 */
export function guardUpdate(table: GuardedTable, value: (name: string) => string): string {
  const { state, set }: GuardedTableSpec = guardedTables[table];
  const columns = Object.keys(set).map(
    (column) => `${column} = coalesce(${value(column)}, ${table}.${column})`,
  );
  return `UPDATE ${table} SET ${[`${state.column} = ${value('state')}`, ...columns].join(', ')}`;
}

/** Columns and types of a JSON row of changes, for PostgreSQL's json_to_recordset. */
export function guardRecord(table: GuardedTable): string {
  const { state, set }: GuardedTableSpec = guardedTables[table];
  const columns = Object.entries(set).map(([column, type]) => `${column} ${type}`);
  return ['id bigint', `state ${state.type}`, ...columns].join(', ');
}
