/** A database to import from. Everything is read in one snapshot, and nothing is ever written. */
export type SourceValue = string | number | bigint | boolean | Uint8Array | Date | object | null;
export type SourceRow = Readonly<Record<string, SourceValue | undefined>>;

export interface ImportSource {
  readonly engine: 'sqlite' | 'postgres' | 'mysql';
  /** For people: without a password. */
  readonly name: string;
  /** Tables and the columns of each. */
  tables(): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  count(table: string): Promise<number>;
  /** Exact sum of a column of integers. */
  sum(table: string, column: string): Promise<bigint>;
  /**
   * Exact sum of a column of decimals, each times `factor` and rounded half away from zero. Only
   * where the engine has exact decimals.
   */
  sumScaled?(table: string, column: string, factor: number): Promise<bigint>;
  /** Rows in the order of a unique column, `batch` at a time. */
  rows(table: string, key: string, batch: number): AsyncIterable<readonly SourceRow[]>;
  /**
   * Rows in the order of several columns, with a number from 1 on as their `id`, without some
   * columns. Only of sources with {@link sumScaled}.
   */
  numberedRows?(
    table: string,
    order: readonly string[],
    without: ReadonlySet<string>,
    batch: number,
  ): AsyncIterable<readonly SourceRow[]>;
  close(): Promise<void>;
}

/** For people: some drivers report several failed attempts, some only a code. */
export function problemOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return [...new Set(error.errors.map(problemOf))].join('; ');
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

/** Quotes a name for SQLite and PostgreSQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
