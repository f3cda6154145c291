/** Where the gateway keeps its backups: a folder, or a bucket that speaks S3. */
import { createHmac } from 'node:crypto';
import { AppError } from '../kernel/errors.ts';
import { openFolder } from './backup-folder.ts';
import type { BackupConfig, BackupStore } from './backup-place.ts';
import { openBucket } from './s3-bucket.ts';
import { type SiteConfig, secretsOf } from './site-database.ts';
import { timeText } from './snapshots.ts';

/** Throws AppError backup_place where the settings name no place, or no whole one. */
export function openBackupStore(config: BackupConfig): BackupStore {
  const place = config.backupTo;
  if (place === '') throw new AppError('backup_place', { setting: 'BACKUP_TO' });
  return place.startsWith('s3://') ? openBucket(config, place) : openFolder(place);
}

/**
 * What the names of a site's backups begin with: sites that share a place neither show nor delete
 * those of others.
 */
export function backupPrefix(config: SiteConfig): string {
  const mark = createHmac('sha256', secretsOf(config).cryptoSecret.reveal()).update('backups');
  return `turnpike-${mark.digest('hex').slice(0, 8)}-`;
}

export const backupName = (config: SiteConfig, now: number): string =>
  `${backupPrefix(config)}${timeText(now)}.backup`;

/** Unix seconds; undefined: no backup's name. */
export function timeOfBackup(name: string): number | undefined {
  const found = /-(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d)Z\.backup$/.exec(name);
  if (found === null) return undefined;
  const [, date, hour, minute, second] = found;
  return Date.parse(`${date}${hour}:${minute}:${second}Z`) / 1000;
}
