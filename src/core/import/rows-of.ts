import type { Run } from './run-context.ts';
import type { SourceRow } from './source/source.ts';

/** Rows of a table; none where the release has no such table. */
export async function* rowsOf(
  { source, tables, batch }: Pick<Run, 'source' | 'tables' | 'batch'>,
  table: string,
  key = 'id',
): AsyncIterable<SourceRow> {
  if (!tables.has(table)) return;
  for await (const rows of source.rows(table, key, batch)) yield* rows;
}
