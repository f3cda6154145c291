import { existsSync } from 'node:fs';
import { AppError } from '../../kernel/errors.ts';
import { parseMysqlDsn } from './mysql-dsn.ts';
import { openMysqlSource } from './mysql-source.ts';
import { isPostgresAddress, parsePostgresAddress } from './postgres-address.ts';
import { openPostgresSource } from './postgres-source.ts';
import type { ImportSource } from './source.ts';
import { openSqliteSource } from './sqlite-source.ts';

/**
 * Opens what an operator names: a SQLite file, `sqlite:<file>`, a PostgreSQL URL or DSN (`host=…
 * dbname=…`), or a MySQL DSN in Go's form or as a URL. Throws AppError import_source_unreadable.
 */
export async function openSource(name: string): Promise<ImportSource> {
  if (existsSync(name)) return openSqliteSource(name);
  if (isPostgresAddress(name))
    return openPostgresSource(parsePostgresAddress(name) ?? refuse('PostgreSQL'));
  const mysql = parseMysqlDsn(name);
  if (mysql !== undefined) return openMysqlSource(mysql);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(name)?.[1];
  if (scheme === 'mysql') refuse('MySQL');
  if (scheme !== undefined && scheme !== 'sqlite') {
    throw new AppError('import_source_unreadable', {
      problem: `${scheme}:// is no SQLite, PostgreSQL or MySQL database`,
    });
  }
  return openSqliteSource(name.replace(/^sqlite:(\/\/)?/, '').replace(/\?.*$/, ''));
}

/** The address is not shown: nobody knows which part of it is the password. */
function refuse(engine: string): never {
  throw new AppError('import_source_unreadable', {
    problem: `this is not a valid address of ${engine}`,
  });
}
