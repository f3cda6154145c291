/**
 * The one way to open a site's data folder, for the gateway and for every command that works on the
 * folder itself (docs/rules/process.md#opening).
 */
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { type DataFolder, findSecrets, openDataFolder, secretPath } from '../config/data-folder.ts';
import { type DataLock, lockDataFolder } from '../config/data-lock.ts';
import { makeFolder } from '../config/make-folder.ts';
import { journalPath } from '../config/replacement.ts';
import { AppError } from '../kernel/errors.ts';
import { inspectStorage, readMigrations } from '../storage/open.ts';
import { nextPath, settleRotation } from './key-files.ts';
import { removeLeftovers } from './leftovers.ts';
import { databaseUrlOf, hasSqliteFile, isPostgres, type SiteConfig } from './site-database.ts';

export interface SiteFolder {
  readonly folder: DataFolder;
  readonly lock: DataLock;
}

export interface OpenSiteOptions {
  /**
   * Whether the caller brings an older database to this version's schema; false: such a database is
   * refused.
   */
  readonly migrates: boolean;
}

/**
 * Locks a data folder, finishes what was interrupted in it, and opens it once its database and its
 * key are known to belong together. What it refuses is left as it is: nothing is migrated, and no
 * key is made. A folder without a site gets one. Throws AppError data_folder_locked,
 * site_key_missing, site_key_wrong, database_lost, database_foreign, database_newer,
 * database_unavailable, secret_file_damaged, and migrations_pending unless the caller migrates.
 */
export async function openSite(
  config: SiteConfig,
  { migrates }: OpenSiteOptions,
): Promise<SiteFolder> {
  // Before the lock is made, too. What was interrupted may bring the missing file.
  if (!existsSync(journalPath(config.dataDir)) && !existsSync(nextPath(config.dataDir)))
    await checkFiles(config);
  makeFolder(config.dataDir);
  const lock = lockDataFolder(config.dataDir); // may replace database and key file
  try {
    await settleRotation(config);
    await checkFiles(config);
    await checkDatabase(config, migrates);
    removeLeftovers(config);
    return { folder: openDataFolder(config), lock };
  } catch (error) {
    lock.abandon();
    throw error;
  }
}

/** A database without its key, or what belongs to a database without the database. */
async function checkFiles(config: SiteConfig): Promise<void> {
  if (isPostgres(config)) return;
  if (!hasSqliteFile(config)) return refuseRemains(config);
  if (findSecrets(config) !== undefined) return;
  await refuseForeign(config);
  throw new AppError('site_key_missing', { file: secretPath(config.dataDir) });
}

/**
 * Opening an SQLite file that is not there deletes its log, and charges in a journal would go to a
 * new site.
 */
function refuseRemains({ sqlitePath }: SiteConfig): void {
  const left = ['-wal', '-charges-0', '-charges-1']
    .map((suffix) => sqlitePath + suffix)
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0);
  if (left.length === 0) return;
  throw new AppError('database_lost', {
    file: sqlitePath,
    names: left.map((path) => basename(path)).join(', '),
  });
}

async function refuseForeign(config: SiteConfig): Promise<void> {
  const { isForeign } = await readMigrations({ url: databaseUrlOf(config) });
  if (isForeign) throw foreign(config);
}

const foreign = (config: SiteConfig): AppError =>
  new AppError('database_foreign', { file: isPostgres(config) ? 'PostgreSQL' : config.sqlitePath });

/** A database that is not this site's, or not of this version. */
async function checkDatabase(config: SiteConfig, migrates: boolean): Promise<void> {
  if (!isPostgres(config) && !hasSqliteFile(config)) return;
  const secrets = findSecrets(config);
  const masterKey = Buffer.from(secrets?.cryptoSecret.reveal() ?? '');
  const { executed, pending, unknown, isForeign, keyFits } = await inspectStorage({
    url: databaseUrlOf(config),
    masterKey,
  });
  if (isForeign) throw foreign(config);
  if (unknown[0] !== undefined) throw new AppError('database_newer', { step: unknown[0] });
  if (executed.length === 0) return;
  const file = secretPath(config.dataDir);
  if (secrets === undefined) throw new AppError('site_key_missing', { file });
  if (!keyFits)
    throw new AppError('site_key_wrong', {
      file: config.cryptoSecret === '' ? file : 'CRYPTO_SECRET',
    });
  if (pending.length > 0 && !migrates)
    throw new AppError('migrations_pending', { count: pending.length });
}
