/** Changing the key that encrypts secrets at rest (docs/rules/security.md#rotation). */
import { readFileSync, rmSync } from 'node:fs';
import {
  type FoundSecrets,
  parseSecrets,
  secretPath,
  secretText,
  writePrivateFile,
} from '../config/data-folder.ts';
import { syncFolder } from '../config/replacement.ts';
import { systemIds } from '../config/system-ids.ts';
import { Secret } from '../kernel/secret.ts';
import { checkPostgresIdle } from '../storage/backup/postgres-copy.ts';
import { rotateStorageSecrets } from '../storage/open.ts';
import type { OnRotated, RotationReport } from '../storage/rotate-secrets.ts';
import { keepKey, keyBytes, nextPath, settleRotation, takeNext } from './key-files.ts';
import { openSite } from './open-site.ts';
import {
  databaseUrlOf,
  isPostgres,
  requireSite,
  type SiteConfig,
  secretsOf,
} from './site-database.ts';

export interface CryptoRotation {
  readonly config: SiteConfig;
  /** The new secret; absent: a random one. Required where CRYPTO_SECRET replaces the key file. */
  readonly secret?: string | undefined;
  /** Unix seconds. */
  readonly now: number;
  readonly onProgress?: OnRotated;
}

export interface CryptoRotationReport extends RotationReport {
  /** Where the old key file is kept; undefined where CRYPTO_SECRET replaces it. */
  readonly keptKey: string | undefined;
}

/**
 * Encrypts all secrets of a stopped site anew. The new key is on the disk before the database
 * changes, so a crash at any moment leaves a site that {@link settleRotation} makes whole. Throws
 * AppError site_missing, what {@link openSite} throws, and internal_error naming the first value
 * that the old key does not decrypt.
 */
export async function rotateCrypto({
  config,
  secret,
  now,
  onProgress,
}: CryptoRotation): Promise<CryptoRotationReport> {
  requireSite(config);
  const { lock } = await openSite(config, { migrates: false });
  try {
    if (isPostgres(config)) await checkPostgresIdle(config.databaseUrl);
    const old = secretsOf(config);
    const next: FoundSecrets = {
      ...old,
      cryptoSecret: new Secret(secret ?? systemIds.base64url(32)),
    };
    const usesFile = config.cryptoSecret === '';
    const keptKey = usesFile ? keepKey(config.dataDir, now, 'before-rotation') : undefined;
    if (usesFile) {
      const stored = {
        ...next,
        sessionSecret:
          parseSecrets(readFileSync(secretPath(config.dataDir), 'utf8'))?.sessionSecret ??
          next.sessionSecret,
      };
      writePrivateFile(nextPath(config.dataDir), secretText(stored));
      syncFolder(config.dataDir);
    }
    try {
      const report = await rotateStorageSecrets({
        url: databaseUrlOf(config),
        masterKey: keyBytes(old),
        newMasterKey: keyBytes(next),
        now,
        ...(onProgress && { onProgress }),
      });
      if (usesFile) takeNext(config.dataDir);
      return { ...report, keptKey };
    } catch (error) {
      if (keptKey !== undefined) rmSync(keptKey, { force: true });
      await settleRotation(config);
      throw error;
    }
  } finally {
    lock.release();
  }
}
