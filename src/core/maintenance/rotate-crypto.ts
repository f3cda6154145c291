/** Changing the key that encrypts secrets at rest (docs/rules/security.md#rotation). */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type FoundSecrets, findSecrets, parseSecrets, secretPath, secretText, writePrivateFile } from '../config/data-folder.ts';
import { lockDataFolder } from '../config/data-lock.ts';
import { makeFolder } from '../config/make-folder.ts';
import { journalPath, syncFolder } from '../config/replacement.ts';
import { systemIds } from '../config/system-ids.ts';
import { Secret } from '../kernel/secret.ts';
import { checkPostgresIdle } from '../storage/backup/postgres-copy.ts';
import { masterKeyFits, rotateStorageSecrets } from '../storage/open.ts';
import type { OnRotated, RotationReport } from '../storage/rotate-secrets.ts';
import { databaseUrlOf, isPostgres, requireSite, type SiteConfig, secretsOf } from './site-database.ts';
import { snapshotFolder, timeText } from './snapshots.ts';

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

/** A key file that becomes the site's when the database is encrypted with it. */
export const nextPath = (dataDir: string): string => `${secretPath(dataDir)}.next`;

/**
 * Encrypts all secrets of a stopped site anew. The new key is on the disk before the database changes, so a crash at any moment
 * leaves a site that {@link settleRotation} makes whole. Throws AppError data_folder_locked, site_missing, backup_key_missing,
 * internal_error naming the first value that the old key does not decrypt.
 */
export async function rotateCrypto({ config, secret, now, onProgress }: CryptoRotation): Promise<CryptoRotationReport> {
  requireSite(config);
  const lock = lockDataFolder(config.dataDir);
  try {
    if (isPostgres(config)) await checkPostgresIdle(config.databaseUrl);
    await settleRotation(config);
    const old = secretsOf(config);
    const next: FoundSecrets = { ...old, cryptoSecret: new Secret(secret ?? systemIds.base64url(32)) };
    const usesFile = config.cryptoSecret === '';
    const keptKey = usesFile ? keepKey(config.dataDir, now, 'before-rotation') : undefined;
    if (usesFile) {
      const stored = {
        ...next,
        sessionSecret: parseSecrets(readFileSync(secretPath(config.dataDir), 'utf8'))?.sessionSecret ?? next.sessionSecret,
      };
      writePrivateFile(nextPath(config.dataDir), secretText(stored));
      syncFolder(config.dataDir);
    }
    try {
      const report = await rotateStorageSecrets({
        url: databaseUrlOf(config),
        masterKey: bytesOf(old),
        newMasterKey: bytesOf(next),
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

/**
 * Finishes or takes back a rotation that was interrupted: the key file becomes the one that decrypts the database. The caller owns
 * the data folder's lock. Returns whether there was one.
 */
export async function settleRotation(config: SiteConfig): Promise<boolean> {
  const path = nextPath(config.dataDir);
  if (!existsSync(path)) return false;
  const next = parseSecrets(readFileSync(path, 'utf8'));
  const current = findSecrets(config);
  const url = databaseUrlOf(config);
  const isCommitted =
    next !== undefined &&
    (current === undefined || !(await masterKeyFits({ url, masterKey: bytesOf(current) }))) &&
    (await masterKeyFits({ url, masterKey: bytesOf(next) }));
  if (isCommitted) takeNext(config.dataDir);
  else rmSync(path, { force: true });
  return true;
}

/**
 * Finishes what an interrupted restore or rotation began, so that key file and database belong together. Throws AppError data_folder_locked
 * while one of them is running.
 */
export async function settleFolder(config: SiteConfig): Promise<void> {
  if (!existsSync(journalPath(config.dataDir)) && !existsSync(nextPath(config.dataDir))) return;
  const lock = lockDataFolder(config.dataDir);
  try {
    await settleRotation(config);
  } finally {
    lock.release();
  }
}

const bytesOf = (secrets: FoundSecrets): Buffer => Buffer.from(secrets.cryptoSecret.reveal());

/** Makes the next key file the site's. */
export function takeNext(dataDir: string): void {
  renameSync(nextPath(dataDir), secretPath(dataDir));
  syncFolder(dataDir);
}

/** Keeps a copy of the key file: earlier backups need it. Returns its path. */
export function keepKey(dataDir: string, now: number, kind: 'before-rotation' | 'before-restore'): string {
  const copy = join(snapshotFolder(dataDir), `${timeText(now)}-${kind}-secret.json`);
  makeFolder(snapshotFolder(dataDir));
  writePrivateFile(copy, readFileSync(secretPath(dataDir), 'utf8'));
  return copy;
}
