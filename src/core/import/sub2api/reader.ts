import type { SourceTables } from '../detect.ts';
import type { ImportSource, SourceRow } from '../source/source.ts';

/** How the tables of a sub2api site are read. */
export interface OldSiteReader {
  readonly source: ImportSource;
  readonly tables: SourceTables;
  readonly batch: number;
  readonly quotaPerUnit: number;
}

/** Rows of a table; none where the release has no such table. */
export async function* rowsOf(
  { source, tables, batch }: OldSiteReader,
  table: string,
  key = 'id',
): AsyncIterable<SourceRow> {
  if (!tables.has(table)) return;
  for await (const rows of source.rows(table, key, batch)) yield* rows;
}
