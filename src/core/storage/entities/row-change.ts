/**
 * A row that the console or the site itself changed; `key` is its id, or its name where it has
 * none.
 */
export interface RowChange {
  readonly kind: string;
  readonly key: string;
  /** Grows with each change of the row. */
  readonly tx: number;
}

export interface RowChanges {
  /**
   * Where the next reading goes on: everything that is not seen yet has this `tx` or a later one.
   */
  readonly horizon: number;
  readonly rows: readonly RowChange[];
  /** There were more: any row of any kind may have changed. */
  readonly isCut: boolean;
}

/**
 * What changed in the rows that processes keep in memory (docs/rules/process.md#reconciliation).
 */
export interface RowChangeRepository {
  /**
   * Committed changes since an earlier reading; without one, only where to begin. A change may be
   * returned again by the next reading, with the same `tx`, while an older transaction is open.
   */
  since(horizon: number | undefined): Promise<RowChanges>;
  /**
   * Forgets changes that are older than this many seconds, by the database's clock. Returns how
   * many.
   */
  prune(seconds: number): Promise<number>;
}
