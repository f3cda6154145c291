/** The key file while the key is changed (docs/rules/security.md#rotation). */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FoundSecrets,
  findSecrets,
  parseSecrets,
  secretPath,
  writePrivateFile,
} from '../config/data-folder.ts';
import { lockDataFolder } from '../config/data-lock.ts';
import { makeFolder } from '../config/make-folder.ts';
import { journalPath, syncFolder } from '../config/replacement.ts';
import { masterKeyFits } from '../storage/open.ts';
import { databaseUrlOf, type SiteConfig } from './site-database.ts';
import { snapshotFolder, timeText } from './snapshots.ts';

/** A key file that becomes the site's when the database is encrypted with it. */
export const nextPath = (dataDir: string): string => `${secretPath(dataDir)}.next`;

/**
 * Finishes or takes back a rotation that was interrupted: the key file becomes the one that
 * decrypts the database. The caller owns the data folder's lock. Returns whether there was one.
 */
export async function settleRotation(config: SiteConfig): Promise<boolean> {
  const path = nextPath(config.dataDir);
  if (!existsSync(path)) return false;
  const next = parseSecrets(readFileSync(path, 'utf8'));
  const current = findSecrets(config);
  const url = databaseUrlOf(config);
  const isCommitted =
    next !== undefined &&
    (current === undefined || !(await masterKeyFits({ url, masterKey: keyBytes(current) }))) &&
    (await masterKeyFits({ url, masterKey: keyBytes(next) }));
  if (isCommitted) takeNext(config.dataDir);
  else rmSync(path, { force: true });
  return true;
}

/**
 * Finishes what an interrupted restore or rotation began, so that key file and database belong
 * together. Throws AppError data_folder_locked while one of them is running.
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

export const keyBytes = (secrets: FoundSecrets): Buffer =>
  Buffer.from(secrets.cryptoSecret.reveal());

/** Makes the next key file the site's. */
export function takeNext(dataDir: string): void {
  renameSync(nextPath(dataDir), secretPath(dataDir));
  syncFolder(dataDir);
}

/** Keeps a copy of the key file: earlier backups need it. Returns its path. */
export function keepKey(
  dataDir: string,
  now: number,
  kind: 'before-rotation' | 'before-restore',
): string {
  const copy = join(snapshotFolder(dataDir), `${timeText(now)}-${kind}-secret.json`);
  makeFolder(snapshotFolder(dataDir));
  writePrivateFile(copy, readFileSync(secretPath(dataDir), 'utf8'));
  return copy;
}
