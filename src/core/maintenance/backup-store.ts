/** Where the gateway keeps its backups: a folder, or a bucket that speaks S3. */
import { createHmac } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../kernel/errors.ts';
import { fileProblemOf } from '../kernel/file-problems.ts';
import type { BackupConfig, BackupStore } from './backup-place.ts';
import { openBucket } from './s3-bucket.ts';
import { type SiteConfig, secretsOf } from './site-database.ts';
import { timeText } from './snapshots.ts';

/** Seconds after which an unfinished file belongs to no process that still writes it. */
const abandoned = 86_400;
/** Of a backup or an archive. */
const unfinished = /^(?:turnpike-[0-9a-f]{8}-.*|[a-z]+-\d{4}-\d\d-.*\.jsonl\.gz)\.part(?:-.*)?$/;

/**
 * Backups in a folder, such as one of another disk. The folder must be there: one that is made
 * where a disk is not mounted would fill the disk of the site.
 */
function openFolder(place: string): BackupStore {
  const inPlace = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) throw error;
      const code = (error as NodeJS.ErrnoException).code;
      if (code === undefined) throw error;
      const problem = fileProblemOf(code) ?? code;
      throw new AppError('backup_place', { place, problem }, { cause: error });
    }
  };
  const removeAbandoned = async (): Promise<void> => {
    for (const name of await readdir(place)) {
      if (!unfinished.test(name)) continue;
      const path = join(place, name);
      const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
      if (Date.now() - mtimeMs > abandoned * 1000) await rm(path, { force: true });
    }
  };
  return {
    place,
    list: (start) =>
      inPlace(async () => {
        const names = (await readdir(place)).filter((name) => name.startsWith(start));
        return Promise.all(
          names.map(async (name) => ({ name, bytes: (await stat(join(place, name))).size })),
        );
      }),
    receive: (name, write) =>
      inPlace(async () => {
        await removeAbandoned();
        return write(join(place, name));
      }),
    open: (name) =>
      inPlace(async () => {
        await stat(join(place, name));
        return createReadStream(join(place, name));
      }),
    remove: (name) => inPlace(() => rm(join(place, name), { force: true })),
  };
}

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
