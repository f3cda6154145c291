/** Rows that are deleted when they are old (docs/rules/maintenance.md#retention). */

/** Errors are rows of usage logs, drawings are tasks; each kind has days of its own. */
export type RetainedKind = 'usage' | 'errors' | 'audit' | 'tasks' | 'drawings';

/** A row as the database has it: secrets stay sealed. */
export type StoredRow = Readonly<Record<string, unknown>>;

export interface OldRows {
  readonly rows: readonly StoredRow[];
  /** Of the newest of them, in Unix seconds. */
  readonly newest: number;
}

export interface RetentionRepository {
  /**
   * The time of the oldest row of a kind from a time on, in Unix seconds; undefined: there is none.
   * Tasks have the time at which they ended, and those that have not ended are no rows of their
   * kind.
   */
  oldest(kind: RetainedKind, from: number): Promise<number | undefined>;
  /** Rows from one time up to before another, oldest first, at most `limit`. */
  list(kind: RetainedKind, from: number, before: number, limit: number): Promise<OldRows>;
  /** Deletes rows that {@link list} returned. */
  delete(kind: RetainedKind, old: OldRows): Promise<void>;
}
