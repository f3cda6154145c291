/**
 * Copies of the SQLite database in the data folder, made before it is changed as a whole
 * (docs/rules/maintenance.md#snapshots).
 */
import {
  constants,
  copyFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../config/make-folder.ts';
import { syncFolder } from '../config/replacement.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { readMigrations } from '../storage/open.ts';
import { copyDatabaseFile } from './copy-database.ts';
import { hasSqliteFile, isPostgres, type SiteConfig } from './site-database.ts';

/** Snapshots kept of each kind. */
const kept = 3;
/** Share of the disk that a snapshot leaves free, besides its own size. */
const spareShare = 0.05;

type SnapshotConfig = Pick<SiteConfig, 'dataDir' | 'sqlitePath'>;
type SnapshotKind = 'before-migration' | 'before-restore' | 'before-upgrade';

export const snapshotFolder = (dataDir: string): string => join(dataDir, 'snapshots');

/**
 * Copies the database to `snapshots/<time>-<kind>.db`, deletes older ones of this kind, and returns
 * the path.
 */
export async function keepSnapshot(
  config: SnapshotConfig,
  kind: SnapshotKind,
  now: number,
): Promise<string> {
  const folder = snapshotFolder(config.dataDir);
  makeFolder(folder);
  const target = join(folder, `${timeText(now)}-${kind}.db`);
  await copyDatabaseFile(config.sqlitePath, `${target}.part`);
  renameSync(`${target}.part`, target);
  syncFolder(folder);
  pruneSnapshots(config.dataDir, `${kind}.db`);
  return target;
}

/**
 * Keeps the database that a restore replaces. One that is damaged, as it often is then, is kept as
 * its files are, with its log and its journal of charges. Returns the paths.
 */
export async function keepReplaced(
  config: SnapshotConfig,
  now: number,
): Promise<readonly string[]> {
  try {
    return [await keepSnapshot(config, 'before-restore', now)];
  } catch (error) {
    if (!(error instanceof AppError) || error.params['problem'] !== 'rule.file.damaged')
      throw error;
  }
  const folder = snapshotFolder(config.dataDir);
  const target = join(folder, `${timeText(now)}-before-restore.db`);
  const found = besideDatabase.filter((suffix) => existsSync(config.sqlitePath + suffix));
  for (const suffix of found)
    copyFileSync(config.sqlitePath + suffix, target + suffix, constants.COPYFILE_FICLONE);
  syncFolder(folder);
  pruneSnapshots(config.dataDir, 'before-restore.db');
  return found.map((suffix) => target + suffix);
}

/** What belongs to an SQLite database, by what is added to its name. */
const besideDatabase = ['', '-wal', '-charges-0', '-charges-1'];

/** Deletes all but the newest copies whose names end so. */
export function pruneSnapshots(dataDir: string, end: `${SnapshotKind}.${'db' | 'backup'}`): void {
  const folder = snapshotFolder(dataDir);
  const names = readdirSync(folder).filter((name) => name.endsWith(`-${end}`));
  for (const name of names.sort().slice(0, -kept))
    for (const suffix of besideDatabase) rmSync(join(folder, name + suffix), { force: true });
}

/** `2026-11-23T013000Z`: sorts by time, and is a file name on every system. */
export const timeText = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace(/\.\d+/, '').replaceAll(':', '');

/** Whether the disk has room for a copy of the database. */
function hasRoom({ dataDir, sqlitePath }: SnapshotConfig): boolean {
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  return bavail * bsize > databaseSize(sqlitePath) + blocks * bsize * spareShare;
}

const databaseSize = (path: string): number =>
  ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

export interface MigrationSnapshotDeps {
  readonly config: SnapshotConfig &
    Pick<SiteConfig, 'databaseUrl'> & { readonly snapshotBeforeMigration: boolean };
  readonly logger: Logger;
  /** Unix seconds. */
  readonly now: number;
  /** For tests. */
  readonly hasRoomFor?: (config: SnapshotConfig) => boolean;
}

/**
 * Copies an SQLite database that waits for migrations. Returns the path of the copy; undefined if
 * none was made, as on a full disk: then the log says so, and the start goes on, because migrations
 * are transactions. Throws AppError database_newer when a newer version has used the database.
 */
export async function snapshotBeforeMigration(
  deps: MigrationSnapshotDeps,
): Promise<string | undefined> {
  const { config, logger, now, hasRoomFor = hasRoom } = deps;
  if (isPostgres(config) || !hasSqliteFile(config)) return undefined;
  const { executed, pending, unknown } = await readMigrations({
    url: `sqlite:${config.sqlitePath}`,
  });
  if (unknown[0] !== undefined) throw new AppError('database_newer', { step: unknown[0] });
  if (executed.length === 0 || pending.length === 0 || !config.snapshotBeforeMigration)
    return undefined;
  if (!hasRoomFor(config)) {
    const size = databaseSize(config.sqlitePath);
    logger.warn(
      { bytes: size },
      'no copy of the database was made before its migrations: the disk has too little room',
    );
    return undefined;
  }
  try {
    const path = await keepSnapshot(config, 'before-migration', now);
    logger.info(
      { path, migrations: pending },
      'a copy of the database was made before its migrations',
    );
    return path;
  } catch (error) {
    logger.warn({ error }, 'no copy of the database was made before its migrations');
    return undefined;
  }
}
