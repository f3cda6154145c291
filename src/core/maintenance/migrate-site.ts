import { migrations } from '../../../migrations/index.ts';
import type { Config } from '../config/schema.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { MigrationStates } from '../storage/migrate.ts';
import { migrateStorage, readMigrations } from '../storage/open.ts';
import { openSite } from './open-site.ts';
import {
  databaseUrlOf,
  isPostgres,
  requireDatabase,
  requireSite,
  type SiteConfig,
} from './site-database.ts';
import { snapshotBeforeMigration } from './snapshots.ts';

export type MigratedConfig = SiteConfig & Pick<Config, 'snapshotBeforeMigration'>;

/** Whether this version has a migration of this name. */
export const isKnownMigration = (name: string): boolean => Object.hasOwn(migrations, name);

/** Needs no key. Throws AppError site_missing, database_foreign, database_unavailable. */
export async function pendingMigrations(config: SiteConfig): Promise<MigrationStates> {
  if (!isPostgres(config)) requireDatabase(config);
  const states = await readMigrations({ url: databaseUrlOf(config) });
  if (states.isForeign)
    throw new AppError('database_foreign', {
      file: isPostgres(config) ? 'PostgreSQL' : config.sqlitePath,
    });
  return states;
}

export interface SiteMigration {
  readonly executed: readonly string[];
  /** The copy made before. */
  readonly snapshot: string | undefined;
}

/**
 * Brings the database of a stopped site to this version's schema. Throws AppError site_missing and
 * what {@link openSite} throws.
 */
export async function migrateSite(
  config: MigratedConfig,
  logger: Logger,
  now: number,
): Promise<SiteMigration> {
  requireSite(config);
  const { folder, lock } = await openSite(config, { migrates: true });
  try {
    const masterKey = Buffer.from(folder.cryptoSecret.reveal());
    const snapshot = await snapshotBeforeMigration({ config, logger, now });
    const { executed } = await migrateStorage({ url: databaseUrlOf(config), masterKey });
    return { executed, snapshot };
  } finally {
    lock.release();
  }
}
