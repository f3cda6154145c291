import type { ConnectionOptions, RowDataPacket } from 'mysql2';
import { AppError } from '../../kernel/errors.ts';
import { type ImportSource, problemOf, type SourceRow } from './source.ts';

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/**
 * Reads in one read-only transaction with a consistent snapshot. Throws AppError
 * import_source_unreadable.
 */
export async function openMysqlSource(options: ConnectionOptions): Promise<ImportSource> {
  const shown = `mysql://${options.user ?? ''}@${options.socketPath ?? `${options.host}:${options.port}`}/${options.database}`;
  const unreadable = (error: unknown) =>
    new AppError('import_source_unreadable', { source: shown, problem: problemOf(error) });
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection({
    ...options,
    charset: 'utf8mb4',
    // Integers beyond 2^53 and times as texts; parsers are not compiled from source text.
    supportBigNumbers: true,
    dateStrings: true,
    disableEval: true,
  }).catch((error: unknown) => {
    throw unreadable(error);
  });
  const query = async (
    text: string,
    values: readonly (string | number | bigint)[] = [],
  ): Promise<readonly SourceRow[]> => {
    try {
      return (
        await connection.query<RowDataPacket[]>(text, [...values])
      )[0] as readonly SourceRow[];
    } catch (error) {
      throw unreadable(error);
    }
  };
  await query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  await query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
  return {
    engine: 'mysql',
    name: shown,
    async tables() {
      const rows = await query(
        `SELECT c.TABLE_NAME AS table_name, c.COLUMN_NAME AS column_name FROM information_schema.COLUMNS c
         JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
         WHERE c.TABLE_SCHEMA = database() AND t.TABLE_TYPE = 'BASE TABLE'`,
      );
      const found = new Map<string, Set<string>>();
      for (const { table_name: table, column_name: column } of rows) {
        const columns = found.get(String(table)) ?? new Set();
        found.set(String(table), columns.add(String(column)));
      }
      return found;
    },
    count: async (table) =>
      Number((await query(`SELECT count(*) AS n FROM ${quoted(table)}`))[0]?.['n'] ?? 0),
    async sum(table, column) {
      const value = `CAST(TRUNCATE(${quoted(column)}, 0) AS DECIMAL(40, 0))`;
      const rows = await query(
        `SELECT CAST(coalesce(sum(${value}), 0) AS CHAR) AS total FROM ${quoted(table)}`,
      );
      return BigInt(String(rows[0]?.['total'] ?? 0));
    },
    async *rows(table, key, batch) {
      // By ranges of the key, because a connection answers one query at a time: streams would stop
      // every other one.
      let last: string | number | bigint | undefined;
      for (;;) {
        const from = last === undefined ? '' : `WHERE ${quoted(key)} > ?`;
        const rows = await query(
          `SELECT * FROM ${quoted(table)} ${from} ORDER BY ${quoted(key)} LIMIT ${batch}`,
          last === undefined ? [] : [last],
        );
        if (rows.length > 0) yield rows;
        if (rows.length < batch) return;
        last = rows.at(-1)?.[key] as string | number;
      }
    },
    close: () => connection.end(),
  };
}
