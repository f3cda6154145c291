import { AppError } from '../../kernel/errors.ts';
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
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(name)?.[1];
  if (scheme !== undefined && scheme !== 'sqlite') {
    throw new AppError('import_source_unreadable', { problem: `${scheme}:// is no SQLite, PostgreSQL or MySQL database` });
  }
  return openSqliteSource(name.replace(/^sqlite:(\/\/)?/, '').replace(/\?.*$/, ''));
}
