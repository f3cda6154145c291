/** Rows that are deleted when they are old (docs/rules/maintenance.md#retention). */

/**
 * Errors are rows of usage logs, drawings are tasks; each kind has days of its own. `logs` are both
 * kinds of usage logs.
 */
export type RetainedKind = 'usage' | 'errors' | 'logs' | 'audit' | 'tasks' | 'drawings';

/** A row as the database has it: secrets stay sealed. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** In Unix seconds, without the end. */
export interface TimeSpan {
  readonly from: number;
  readonly before: number;
}

/** Where a row stands in the order of time, then id. */
export interface RowPlace {
  /** As the column has it. */
  readonly time: number;
  readonly id: number;
}

export interface OldRows {
  readonly rows: readonly StoredRow[];
  readonly ids: readonly number[];
  /** Of the oldest and the newest of them, in Unix seconds. */
  readonly oldest: number;
  readonly newest: number;
  /** Of the last of them; undefined: there are none. */
  readonly last: RowPlace | undefined;
}

export interface RetentionRepository {
  /**
   * The time of the oldest row of a kind from a time on, in Unix seconds; undefined: there is none.
   * Tasks have the time at which they ended, and those that have not ended are no rows of their
   * kind.
   */
  oldest(kind: RetainedKind, from: number): Promise<number | undefined>;
  /** Rows of a span of time, oldest first, at most `limit`, those after a place. */
  list(kind: RetainedKind, span: TimeSpan, limit: number, after?: RowPlace): Promise<OldRows>;
  /**
   * The time of the row before which there are `count` rows of a span, in Unix seconds; undefined:
   * there are no more than that.
   */
  timeAfter(kind: RetainedKind, span: TimeSpan, count: number): Promise<number | undefined>;
  /** Deletes rows that {@link list} returned, which lie between two times. */
  delete(
    kind: RetainedKind,
    ids: readonly number[],
    times: Pick<OldRows, 'oldest' | 'newest'>,
  ): Promise<void>;
  /**
   * Puts rows of usage logs back and returns how many. A row that is there already, whatever its
   * id, is not written again. A row keeps its id unless another has it now.
   */
  restoreLogs(rows: readonly ArchivedLog[]): Promise<number>;
}

/** A row of `logs` with all its columns. */
export type ArchivedLog = StoredRow & { readonly id: number; readonly created_at: number };
