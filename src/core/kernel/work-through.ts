export interface WorkThrough<Row> {
  /** The first rows in a fixed order that are still to be worked on, after so many of them. */
  readonly read: (limit: number, passed: number) => Promise<readonly Row[]>;
  /** Rows that are read at once. */
  readonly batch: number;
  /** False: the row stays one that is read. */
  readonly work: (row: Row) => Promise<boolean>;
  readonly failed: (error: unknown, row: Row) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Works on all rows of a clean-up. One that fails is passed over until the next run, so that it holds
 * up no other, however many fail. Throws the signal's reason, and what `read` throws.
 */
export async function workThrough<Row>({
  read,
  batch,
  work,
  failed,
  signal,
}: WorkThrough<Row>): Promise<void> {
  let passed = 0;
  for (;;) {
    const rows = await read(batch, passed);
    for (const row of rows) {
      signal?.throwIfAborted();
      try {
        if (!(await work(row))) passed += 1;
      } catch (error) {
        passed += 1;
        failed(error, row);
      }
    }
    if (rows.length < batch) return;
  }
}
