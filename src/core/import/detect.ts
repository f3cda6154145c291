import { AppError } from '../kernel/errors.ts';
import type { ImportFamily } from '../vocabulary/import-reasons.ts';
import type { ImportSource } from './source/source.ts';

export type SourceTables = ReadonlyMap<string, ReadonlySet<string>>;

type Required = Readonly<Record<string, readonly string[]>>;

/** Without these a database is no site of One API, New API or one-hub. */
const required: Required = {
  users: ['id', 'username', 'password', 'quota', 'used_quota'],
  tokens: ['id', 'user_id', 'key', 'remain_quota'],
  channels: ['id', 'type', 'key', 'models'],
  options: ['key', 'value'],
};
const requiredOfSub2api: Required = {
  users: ['id', 'email', 'password_hash', 'balance', 'role', 'status'],
  groups: ['id', 'name', 'rate_multiplier'],
  api_keys: ['id', 'user_id', 'key', 'group_id'],
  accounts: ['id', 'platform', 'type', 'credentials'],
};

const requiredOfLitellm: Required = {
  LiteLLM_UserTable: ['user_id', 'spend'],
  LiteLLM_TeamTable: ['team_id', 'spend'],
  LiteLLM_VerificationToken: ['token', 'spend'],
};

/**
 * Only one-hub has these tables, a fork of One API (github.com/MartialBE/one-hub, model/price.go,
 * model/user_group.go, 2026-02-20). Releases before November 2024 have no groups yet.
 */
const requiredOfOneHub: Required = {
  prices: ['model', 'type', 'channel_type', 'input', 'output'],
  user_groups: ['symbol', 'ratio'],
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
  const other = otherFamily(tables);
  const isDistinct = family === 'sub2api' || family === 'litellm';
  if (isDistinct && other === undefined && isOfFamily(tables)) throw wrongFamily(familyOf(tables));
  const needed = requiredOf(other ?? family);
  const missing = Object.keys(needed).filter((table) => !tables.has(table));
  if (missing.length > 0) {
    throw new AppError('import_source_foreign', {
      source: source.name,
      tables: missing.join(', '),
    });
  }
  // Our own database has tables of the same names.
  if (tables.has('token_allowances'))
    throw new AppError('import_source_foreign', { source: source.name });
  checkColumns(tables, needed);
  const found = other ?? familyOf(tables);
  if (found !== family) throw wrongFamily(found);
  if (found === 'onehub') checkColumns(tables, requiredOfOneHub);
  // Amounts are decimals, which only this engine adds up exactly; there are no others of it.
  if (isDistinct && source.sumScaled === undefined)
    throw new AppError('import_source_foreign', { source: source.name });
  return tables;
}

/** A program that is no relative of One API. */
function otherFamily(tables: SourceTables): 'sub2api' | 'litellm' | undefined {
  if (tables.has('LiteLLM_VerificationToken')) return 'litellm';
  return tables.has('api_keys') && tables.has('accounts') ? 'sub2api' : undefined;
}

function requiredOf(family: ImportFamily): Required {
  if (family === 'litellm') return requiredOfLitellm;
  return family === 'sub2api' ? requiredOfSub2api : required;
}

function checkColumns(tables: SourceTables, needed: Required): void {
  for (const [table, columns] of Object.entries(needed)) {
    const lacking = columns.filter((column) => !tables.get(table)?.has(column));
    if (lacking.length > 0)
      throw new AppError('import_source_incomplete', { table, columns: lacking.join(', ') });
  }
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
  onehub: 'one-hub',
  sub2api: 'sub2api',
  litellm: 'LiteLLM',
};

const isOfFamily = (tables: SourceTables) =>
  Object.keys(required).every((table) => tables.has(table));

const wrongFamily = (found: ImportFamily) =>
  new AppError('import_family_wrong', { found: familyNames[found], command: found });

function familyOf(tables: SourceTables): ImportFamily {
  // Before New API: both have `aff_history`.
  if (tables.has('prices')) return 'onehub';
  const isNewApi =
    tables.get('users')?.has('aff_history') || tables.get('tokens')?.has('model_limits_enabled');
  return isNewApi ? 'newapi' : 'oneapi';
}
