import { AppError } from '../../kernel/errors.ts';
import { openPostgresSource } from './postgres-source.ts';
import type { ImportSource } from './source.ts';
import { openSqliteSource } from './sqlite-source.ts';

/**
 * Opens what an operator names: a SQLite file, `sqlite:<file>`, or a PostgreSQL URL or DSN (`host=… dbname=…`). Throws AppError
 * import_source_unreadable, import_engine_unsupported.
 */
export async function openSource(name: string): Promise<ImportSource> {
  if (/^postgres(ql)?:\/\//.test(name) || /(^|\s)(host|dbname)=/.test(name)) return openPostgresSource(name);
  // Go's form of a MySQL DSN, as One API and New API have it in SQL_DSN, and the form of a URL.
  if (/^mysql:\/\//.test(name) || /^[^/\s]*@?(tcp|unix)\([^)]*\)\//.test(name)) {
    throw new AppError('import_engine_unsupported', { engine: 'MySQL' });
  }
  return openSqliteSource(name.replace(/^sqlite:(\/\/)?/, '').replace(/\?.*$/, ''));
}
