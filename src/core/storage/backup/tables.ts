/**
 * What copies between the engines share. The list of tables and columns is that of the SQLite file.
 */
import type BetterSqlite3 from 'better-sqlite3';

/** Rows that are copied at once: few, because contents of stored responses may be large. */
export const rowsAtOnce = 200;
/** Rows that are only of use to the processes that wrote them: they stay behind. */
export const ofProcesses: ReadonlySet<string> = new Set(['holds', 'locks', 'nodes', 'row_changes']);

export interface Column {
  readonly name: string;
  /** As SQLite has it. */
  readonly type: string;
}

/** The tables of an SQLite database, without those of the migrations. */
export function tablesOf(database: BetterSqlite3.Database): ReadonlyMap<string, readonly Column[]> {
  const names = database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'schema_migrations%' ORDER BY name",
    )
    .pluck()
    .all() as string[];
  return new Map(names.map((name) => [name, database.pragma(`table_info("${name}")`) as Column[]]));
}

export const columnList = (columns: readonly Column[]): string =>
  columns.map(({ name }) => `"${name}"`).join(', ');
