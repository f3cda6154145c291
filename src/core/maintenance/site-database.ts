/** The database that a configuration names, for maintenance without a gateway. */
import { existsSync, statSync } from 'node:fs';
import { verifyLedger } from '../billing/verify.ts';
import { findSecrets, secretPath } from '../config/data-folder.ts';
import { journalPath } from '../config/replacement.ts';
import type { Config } from '../config/schema.ts';
import { AppError } from '../kernel/errors.ts';
import { openStorage } from '../storage/open.ts';

export type SiteConfig = Pick<
  Config,
  'dataDir' | 'databaseUrl' | 'sqlitePath' | 'uploadDir' | 'sessionSecret' | 'cryptoSecret'
>;

export const isPostgres = (config: Pick<Config, 'databaseUrl'>): boolean =>
  /^postgres(ql)?:/.test(config.databaseUrl);

export const databaseUrlOf = (config: Pick<Config, 'databaseUrl' | 'sqlitePath'>): string =>
  config.databaseUrl || `sqlite:${config.sqlitePath}`;

/**
 * Whether there is an SQLite database with content. Throws errors of the operating system, as where
 * the folder may not be read.
 */
export function hasSqliteFile({ sqlitePath }: Pick<Config, 'sqlitePath'>): boolean {
  return (statSync(sqlitePath, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Throws AppError site_missing without the SQLite database or, with PostgreSQL, without the site's
 * key.
 */
export function requireDatabase(config: SiteConfig): void {
  const { dataDir: folder, sqlitePath } = config;
  if (isPostgres(config) ? findSecrets(config) !== undefined : hasSqliteFile(config)) return;
  throw new AppError('site_missing', {
    folder,
    file: isPostgres(config) ? secretPath(folder) : sqlitePath,
  });
}

/**
 * Throws AppError site_missing where opening the data folder would make a new site. A folder whose
 * restore was interrupted has a site: opening it finishes the restore.
 */
export function requireSite(config: SiteConfig): void {
  if (!existsSync(journalPath(config.dataDir))) requireDatabase(config);
}

/**
 * The site's secrets. Throws AppError site_key_missing if it has none, site_missing without a site.
 */
export function secretsOf(config: SiteConfig) {
  const secrets = findSecrets(config);
  if (secrets !== undefined) return secrets;
  requireSite(config);
  throw new AppError('site_key_missing', { file: secretPath(config.dataDir) });
}

/**
 * Recomputes the balances in a database file of the newest schema, and follows its chain. `drifts`:
 * what differs.
 */
export async function verifyCopy(
  file: string,
  masterKey: Buffer,
): Promise<{ readonly ok: boolean; readonly drifts: number }> {
  const storage = await openStorage({ url: `sqlite:${file}`, masterKey, migrate: false });
  try {
    const { ok, drifts, chain } = await verifyLedger(storage);
    return { ok, drifts: drifts.length + chain.breaks.length };
  } finally {
    await storage.close();
  }
}
