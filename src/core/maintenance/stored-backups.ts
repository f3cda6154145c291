/**
 * Backups that the gateway makes by itself, and the check that the newest can be restored
 * (docs/rules/maintenance.md#scheduled-backups). What is known of them stands in their place, so
 * that every gateway of a site and a machine that was just installed know it.
 */
import { existsSync, mkdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { AppError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import { z } from '../kernel/zod.ts';
import { backupSite } from './backup.ts';
import type { BackupConfig, BackupStore } from './backup-place.ts';
import { backupName, backupPrefix, openBackupStore, timeOfBackup } from './backup-store.ts';
import { copyPath } from './leftovers.ts';
import { restoreSite } from './restore.ts';
import { isPostgres, secretsOf } from './site-database.ts';

export interface StoredBackup {
  readonly name: string;
  readonly bytes: number;
  /** Unix seconds. */
  readonly createdAt: number;
}

const checkShape = z.object({
  name: z.string(),
  /** Unix seconds. */
  checked_at: z.number().int(),
  rows: z.number().int(),
  /** Differences that a verification of its ledger found. */
  drifts: z.number().int(),
  version: z.string(),
});
/** How a backup was restored and verified. */
export type BackupCheck = z.infer<typeof checkShape>;

export interface StoredBackups {
  readonly place: string;
  /** The newest first. */
  readonly backups: readonly StoredBackup[];
  /** The last one that went to its end. */
  readonly check: BackupCheck | undefined;
}

export interface BackupWork {
  readonly config: BackupConfig;
  readonly version: string;
  /** Unix seconds. */
  readonly now: number;
  readonly signal?: AbortSignal;
}

export interface BackupMade extends StoredBackup {
  readonly place: string;
  readonly drifts: number;
  /** Older ones that were deleted. */
  readonly removed: readonly string[];
}

/** Makes a backup, then deletes those beyond the number that is kept. */
export async function makeStoredBackup(work: BackupWork): Promise<BackupMade> {
  const { config, version, now, signal } = work;
  const store = openBackupStore(config);
  const name = backupName(config, now);
  const passphrase = config.backupPassphrase;
  await store.list(name); // a place that cannot be used is found before the work
  requireRoom(config, databaseBytes(config));
  const { bytes, drifts } = await store.receive(name, async (target) => {
    const report = await backupSite({
      config,
      version,
      target,
      now,
      passphrase,
      withKeys: passphrase !== '',
      withFiles: config.backupFiles,
      isRecorded: false,
      ...(signal !== undefined && { signal }),
    });
    return { bytes: statSync(target).size, drifts: report.drifts ?? 0 };
  });
  const { backups } = await listStored(config, store);
  // Others may have the name of a later time, where the clock was ahead.
  const others = backups.filter((backup) => backup.name !== name);
  const old = others.slice(Math.max(0, config.backupKeep - 1)).map((backup) => backup.name);
  for (const one of old) await store.remove(one);
  return { place: store.place, name, bytes, createdAt: now, drifts, removed: old };
}

/** Throws AppError backup_place. */
export function readStoredBackups(config: BackupConfig): Promise<StoredBackups> {
  return listStored(config, openBackupStore(config));
}

async function listStored(config: BackupConfig, store: BackupStore): Promise<StoredBackups> {
  const files = await store.list(backupPrefix(config));
  const backups = files
    .flatMap(({ name, bytes }) => {
      const createdAt = timeOfBackup(name);
      return createdAt === undefined ? [] : [{ name, bytes, createdAt }];
    })
    .sort((a, b) => b.createdAt - a.createdAt);
  const note = checkNote(config);
  const check = files.some(({ name }) => name === note)
    ? checkShape.safeParse(parseJson(await readText(await store.open(note)))).data
    : undefined;
  return { place: store.place, backups, check };
}

const checkNote = (config: BackupConfig): string => `${backupPrefix(config)}checked.json`;

/**
 * Restores a backup, the newest unless one is named, into a scratch folder, verifies its ledger and
 * notes that. The site is not touched. Throws AppError backup_none, backup_place, backup_room and
 * what a restore throws.
 */
export async function checkStoredBackup(
  { config, version, now, signal }: BackupWork,
  wanted?: string,
): Promise<BackupCheck> {
  const store = openBackupStore(config);
  const { backups } = await listStored(config, store);
  const backup = backups.find(({ name }) => wanted === undefined || name === wanted);
  if (backup === undefined)
    throw new AppError('backup_none', {
      place: store.place,
      ...(wanted !== undefined && { name: wanted }),
    });
  requireRoom(config, Math.max(2 * databaseBytes(config), 4 * backup.bytes));
  const scratch = `${copyPath(config.dataDir)}-check`;
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { mode: 0o700 });
  try {
    const { header, drifts } = await restoreSite({
      config: {
        dataDir: scratch,
        databaseUrl: '',
        sqlitePath: join(scratch, 'turnpike.db'),
        uploadDir: join(scratch, 'uploads'),
        cryptoSecret: '',
        sessionSecret: '',
      },
      // An encrypted backup brings its keys along, and is to be restored by them; the newest may be
      // one from before there was a passphrase.
      keyOfSite: secretsOf(config).cryptoSecret,
      version,
      now,
      force: false,
      name: backup.name,
      source: await store.open(backup.name),
      passphrase: config.backupPassphrase,
      ...(signal !== undefined && { signal }),
    });
    const rows = Object.values(header.tables).reduce((sum, count) => sum + count, 0);
    const check = { name: backup.name, checked_at: now, rows, drifts, version };
    await store.receive(checkNote(config), (path) =>
      writeFile(path, `${JSON.stringify(check)}\n`, { mode: 0o600 }),
    );
    return check;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Share of the disk that stays free: a full one stops the site. */
const spareShare = 0.05;

function requireRoom({ dataDir: folder }: BackupConfig, bytes: number): void {
  const { bavail, blocks, bsize } = statfsSync(folder);
  if (bavail * bsize >= bytes + blocks * bsize * spareShare) return;
  throw new AppError('backup_room', { folder, megabytes: Math.ceil(bytes / 2 ** 20) });
}

function databaseBytes(config: BackupConfig): number {
  if (isPostgres(config) || !existsSync(config.sqlitePath)) return 0;
  return statSync(config.sqlitePath).size;
}
