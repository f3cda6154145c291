import { Client, types } from 'pg';
import { AppError } from '../../kernel/errors.ts';
import { type ImportSource, quoted, type SourceRow } from './source.ts';

/** bigint, as 64-bit integers exceed JavaScript's numbers. */
const bigintType = 20;

/**
 * Reads in one transaction of isolation level repeatable read, read only: a snapshot. Throws AppError import_source_unreadable.
 */
export async function openPostgresSource(name: string): Promise<ImportSource> {
  const url = name.includes('://') ? name : urlOf(name);
  const shown = url.replace(/\/\/([^:@/]*):[^@/]*@/, '//$1@');
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  } catch (error) {
    await client.end().catch(() => {});
    throw new AppError('import_source_unreadable', {
      source: shown,
      problem: String(error instanceof Error ? error.message : error),
    });
  }
  const readers = {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      oid === bigintType ? (text: string) => BigInt(text) : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
  };
  const query = async (text: string, values: readonly unknown[] = []): Promise<readonly SourceRow[]> => {
    try {
      return (await client.query<Record<string, SourceRow[string]>>({ text, values: [...values], types: readers })).rows;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      throw new AppError('import_source_unreadable', { source: shown, problem });
    }
  };
  return {
    engine: 'postgres',
    name: shown,
    async tables() {
      const rows = await query(
        `SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
         WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`,
      );
      const found = new Map<string, Set<string>>();
      for (const { table_name: table, column_name: column } of rows) {
        const columns = found.get(String(table)) ?? new Set();
        found.set(String(table), columns.add(String(column)));
      }
      return found;
    },
    count: async (table) => Number((await query(`SELECT count(*) AS n FROM ${quoted(table)}`))[0]?.['n'] ?? 0),
    async sum(table, column) {
      const rows = await query(`SELECT coalesce(sum(trunc(${quoted(column)}::numeric)), 0)::text AS total FROM ${quoted(table)}`);
      return BigInt(String(rows[0]?.['total'] ?? 0));
    },
    async *rows(table, key, batch) {
      await query(`DECLARE import_rows NO SCROLL CURSOR FOR SELECT * FROM ${quoted(table)} ORDER BY ${quoted(key)}`);
      try {
        for (;;) {
          const rows = await query(`FETCH ${batch} FROM import_rows`);
          if (rows.length > 0) yield rows;
          if (rows.length < batch) return;
        }
      } finally {
        await client.query('CLOSE import_rows').catch(() => {});
      }
    },
    close: () => client.end(),
  };
}

/** libpq's form, `host=… user=… password=… dbname=… port=…`, as a URL. */
function urlOf(dsn: string): string {
  const part = (name: string) => new RegExp(`(?:^|\\s)${name}=('([^']*)'|\\S+)`).exec(dsn)?.[1]?.replace(/^'|'$/g, '') ?? '';
  const user = part('user') === '' ? '' : `${encodeURIComponent(part('user'))}:${encodeURIComponent(part('password'))}@`;
  return `postgres://${user}${part('host') || 'localhost'}:${part('port') || '5432'}/${encodeURIComponent(part('dbname'))}`;
}
