/** Restoring a backup (docs/rules/maintenance.md#restore). */
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findSecrets, parseSecrets } from '../config/data-folder.ts';
import { type DataLock, lockDataFolder } from '../config/data-lock.ts';
import { journalPath } from '../config/replacement.ts';
import { AppError } from '../kernel/errors.ts';
import { checkPostgresIdle, hasPostgresSite } from '../storage/backup/postgres-copy.ts';
import { finishSqlite, inspectSqlite, removeSqlite } from '../storage/backup/sqlite-file.ts';
import { masterKeyFits, migrateStorage } from '../storage/open.ts';
import type { BackupHeader } from './backup-file.ts';
import { extract, noteFolder } from './extract-backup.ts';
import { removeLeftovers, stagedPath } from './leftovers.ts';
import { keepOld, putInPlace, putIntoPostgres } from './replace-site.ts';
import type { RestoreOptions } from './restore-options.ts';
import { hasSqliteFile, isPostgres, type SiteConfig, verifyCopy } from './site-database.ts';

export interface RestoreReport {
  readonly header: BackupHeader;
  /** Migrations that the backup lacked. */
  readonly migrated: readonly string[];
  /** Files restored besides database and keys. */
  readonly files: number;
  /** Where the earlier database and key file are kept. */
  readonly kept: readonly string[];
  /** Differences that a verification of the ledger finds. */
  readonly drifts: number;
}

/**
 * Replaces the site's database by that of a backup, under the data folder's lock. Nothing is
 * changed until the backup was read, migrated and checked; a crash leaves either the old site or
 * the restored one. Throws AppError data_folder_locked, database_in_use, database_foreign,
 * restore_not_empty, backup_foreign, backup_newer, backup_damaged, backup_sealed,
 * backup_passphrase, backup_key_missing,
 * database_unavailable; errors of the file system as they come.
 */
export async function restoreSite(options: RestoreOptions): Promise<RestoreReport> {
  const { config, force } = options;
  const made: string[] = [];
  const lock = takeLock(options, made);
  const staged = stagedPath(config);
  const written: string[] = [];
  let isDone = false;
  try {
    if (isPostgres(config)) await checkPostgresIdle(config.databaseUrl);
    const isThere = await hasSite(config);
    const target = isPostgres(config) ? 'PostgreSQL' : config.sqlitePath;
    if (isThere && !force) throw new AppError('restore_not_empty', { target });
    removeLeftovers(config);
    noteFolder(made, dirname(staged));
    const { header, keys } = await extract(options, staged, { files: written, folders: made });
    const masterKey = await findMasterKey(options, keys, staged);
    const { migrated, drifts } = await prepare(options, staged, masterKey, header);
    options.signal?.throwIfAborted();
    options.onProgress?.('write', 0);
    const kept = await keepOld(options, isThere, keys);
    if (isPostgres(config)) await putIntoPostgres(options, staged, keys, header.steps);
    else putInPlace(options, staged, keys);
    isDone = true;
    return { header, migrated, files: written.length, kept, drifts };
  } finally {
    if (!isDone) for (const file of written) rmSync(file, { force: true });
    if (!existsSync(journalPath(config.dataDir))) removeSqlite(staged);
    options.source.destroy();
    if (isDone) lock.release();
    else lock.abandon();
    if (!isDone) for (const folder of made) removeEmptyFolders(folder);
  }
}

/** What a refused restore has made. */
function removeEmptyFolders(path: string): void {
  if (!existsSync(path)) return;
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmptyFolders(join(path, entry.name));
  if (readdirSync(path).length === 0) rmdirSync(path);
}

function takeLock({ config, source }: RestoreOptions, made: string[]): DataLock {
  try {
    noteFolder(made, config.dataDir);
    return lockDataFolder(config.dataDir);
  } catch (error) {
    source.destroy();
    throw error;
  }
}

/**
 * The key that decrypts the backup: the environment's, its own, or the site's. Throws
 * AppError backup_key_missing, and backup_damaged if its own is no key file.
 */
async function findMasterKey(
  { config, name, keyOfSite }: RestoreOptions,
  keys: string | undefined,
  staged: string,
): Promise<Buffer> {
  const own = keys === undefined ? undefined : parseSecrets(keys)?.cryptoSecret;
  if (keys !== undefined && own === undefined) throw new AppError('backup_damaged', { file: name });
  const found = own ?? keyOfSite ?? findSecrets(config)?.cryptoSecret;
  const secret = config.cryptoSecret || found?.reveal();
  const masterKey = secret === undefined ? undefined : Buffer.from(secret);
  if (masterKey === undefined || !(await masterKeyFits({ url: `sqlite:${staged}`, masterKey })))
    throw new AppError('backup_key_missing', { folder: config.dataDir });
  return masterKey;
}

/** Checks the database against what the backup says of it, and migrates it. */
async function prepare(
  { name, onProgress, migrates = true }: RestoreOptions,
  staged: string,
  masterKey: Buffer,
  header: BackupHeader,
) {
  const contents = inspectSqlite(staged);
  const isSame = Object.entries(header.tables).every(
    ([table, rows]) => contents?.tables[table] === rows,
  );
  if (contents === undefined || !isSame) throw new AppError('backup_damaged', { file: name });
  if (!migrates) return { migrated: [], drifts: 0 };
  onProgress?.('migrate', 0);
  const { executed } = await migrateStorage({ url: `sqlite:${staged}`, masterKey });
  onProgress?.('verify', 0);
  const { drifts } = await verifyCopy(staged, masterKey);
  finishSqlite(staged);
  return { migrated: executed, drifts };
}

function hasSite(config: SiteConfig): boolean | Promise<boolean> {
  return isPostgres(config) ? hasPostgresSite(config.databaseUrl) : hasSqliteFile(config);
}
