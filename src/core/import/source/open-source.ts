import { parseMysqlDsn } from './mysql-dsn.ts';
import { openMysqlSource } from './mysql-source.ts';
import { openPostgresSource } from './postgres-source.ts';
import type { ImportSource } from './source.ts';
import { openSqliteSource } from './sqlite-source.ts';

/**
 * Opens what an operator names: a SQLite file, `sqlite:<file>`, a PostgreSQL URL or DSN (`host=… dbname=…`), or a MySQL DSN in
 * Go's form or as a URL. Throws AppError import_source_unreadable.
 */
export async function openSource(name: string): Promise<ImportSource> {
  if (/^postgres(ql)?:\/\//.test(name) || /(^|\s)(host|dbname)=/.test(name)) return openPostgresSource(name);
  const mysql = parseMysqlDsn(name);
  if (mysql !== undefined) return openMysqlSource(mysql);
  return openSqliteSource(name.replace(/^sqlite:(\/\/)?/, '').replace(/\?.*$/, ''));
}
