import { AppError } from '../kernel/errors.ts';
import type { ImportFamily } from '../vocabulary/import-reasons.ts';
import type { ImportSource } from './source/source.ts';

export type SourceTables = ReadonlyMap<string, ReadonlySet<string>>;

/** Without these a database is no site of One API or New API. */
const required: Readonly<Record<string, readonly string[]>> = {
  users: ['id', 'username', 'password', 'quota', 'used_quota'],
  tokens: ['id', 'user_id', 'key', 'remain_quota'],
  channels: ['id', 'type', 'key', 'models'],
  options: ['key', 'value'],
};

/**
 * Checks that the source is a site of this program. Throws AppError import_source_foreign (other
 * tables), import_source_incomplete (a migration was interrupted), import_family_wrong.
 */
export async function inspectSource(
  source: ImportSource,
  family: ImportFamily,
): Promise<SourceTables> {
  const tables = await source.tables();
  const missing = Object.keys(required).filter((table) => !tables.has(table));
  if (missing.length > 0) {
    throw new AppError('import_source_foreign', {
      source: source.name,
      tables: missing.join(', '),
    });
  }
  // Our own database has tables of the same names.
  if (tables.has('token_allowances'))
    throw new AppError('import_source_foreign', { source: source.name });
  for (const [table, columns] of Object.entries(required)) {
    const lacking = columns.filter((column) => !tables.get(table)?.has(column));
    if (lacking.length > 0)
      throw new AppError('import_source_incomplete', { table, columns: lacking.join(', ') });
  }
  const found = familyOf(tables);
  if (found !== family)
    throw new AppError('import_family_wrong', { found: familyNames[found], command: found });
  return tables;
}

/**
 * Checks that a database is one that LOG_SQL_DSN names. Throws AppError import_source_foreign,
 * import_source_incomplete.
 */
export async function inspectLogSource(logs: ImportSource): Promise<void> {
  const columns = (await logs.tables()).get('logs');
  if (columns === undefined)
    throw new AppError('import_source_foreign', { source: logs.name, tables: 'logs' });
  const lacking = ['id', 'user_id', 'created_at', 'type', 'quota'].filter(
    (column) => !columns.has(column),
  );
  if (lacking.length > 0)
    throw new AppError('import_source_incomplete', { table: 'logs', columns: lacking.join(', ') });
}

export const familyNames: Readonly<Record<ImportFamily, string>> = {
  newapi: 'New API',
  oneapi: 'One API',
};

function familyOf(tables: SourceTables): ImportFamily {
  const isNewApi =
    tables.get('users')?.has('aff_history') || tables.get('tokens')?.has('model_limits_enabled');
  return isNewApi ? 'newapi' : 'oneapi';
}
