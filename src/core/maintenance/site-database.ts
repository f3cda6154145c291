/** The database that a configuration names, for maintenance without a gateway. */
import { existsSync, statSync } from 'node:fs';
import { verifyLedger } from '../billing/verify.ts';
import { findSecrets } from '../config/data-folder.ts';
import type { Config } from '../config/schema.ts';
import { AppError } from '../kernel/errors.ts';
import { openStorage } from '../storage/open.ts';

export type SiteConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'sqlitePath' | 'uploadDir' | 'sessionSecret' | 'cryptoSecret'>;

export const isPostgres = (config: Pick<Config, 'databaseUrl'>): boolean => /^postgres(ql)?:/.test(config.databaseUrl);

export const databaseUrlOf = (config: Pick<Config, 'databaseUrl' | 'sqlitePath'>): string =>
  config.databaseUrl || `sqlite:${config.sqlitePath}`;

/** Whether there is an SQLite database with content. */
export function hasSqliteFile({ sqlitePath }: Pick<Config, 'sqlitePath'>): boolean {
  return existsSync(sqlitePath) && statSync(sqlitePath).size > 0;
}

/** The site's secrets. Throws AppError backup_key_missing if it has none. */
export function secretsOf(config: SiteConfig) {
  const secrets = findSecrets(config);
  if (secrets === undefined) throw new AppError('backup_key_missing', { folder: config.dataDir });
  return secrets;
}

/** Recomputes the balances in a database file of the newest schema. */
export async function verifyCopy(file: string, masterKey: Buffer): Promise<{ readonly ok: boolean; readonly drifts: number }> {
  const storage = await openStorage({ url: `sqlite:${file}`, masterKey, migrate: false });
  try {
    const { ok, drifts } = await verifyLedger(storage);
    return { ok, drifts: drifts.length };
  } finally {
    await storage.close();
  }
}
