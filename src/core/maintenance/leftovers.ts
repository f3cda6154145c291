/**
 * What backups and restores write while they work, and what remains of it when their process is
 * killed.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { secretPath } from '../config/data-folder.ts';
import { removeSqlite } from '../storage/backup/sqlite-file.ts';
import type { SiteConfig } from './site-database.ts';
import { snapshotFolder } from './snapshots.ts';

/** The database of a restore until it takes its place. */
export const stagedPath = ({ sqlitePath }: Pick<SiteConfig, 'sqlitePath'>): string =>
  `${sqlitePath}.restoring`;
export const stagedKeyPath = ({ dataDir }: Pick<SiteConfig, 'dataDir'>): string =>
  `${secretPath(dataDir)}.restoring`;

/** This process's copy of the database for a backup to standard output. */
export const copyPath = (dataDir: string): string => join(dataDir, `backup-${process.pid}.part`);

/**
 * What this process writes before a backup has its name: others may write the same file at the same
 * time.
 */
export const draftOf = (target: string): { readonly file: string; readonly database: string } => ({
  file: `${target}.part-${process.pid}`,
  database: `${target}.db.part-${process.pid}`,
});

/** Removes the drafts of a file whose processes have ended. */
export function removeDeadDrafts(target: string): void {
  const name = basename(target);
  const pidOf = (one: string) => /^(?:\.db)?\.part-(\d+)/.exec(one.slice(name.length))?.[1];
  removeFiles(dirname(target), (one) => one.startsWith(name) && hasEnded(pidOf(one)));
}

/** A private file that is being written (`writePrivateFile`). */
const draft = /\.json(?:\.\w+)?\.draft-(\d+)$/;
/** A copy for `snapshots/` that is not complete. */
const unfinished = /-before-(?:migration|restore|upgrade)\.\w+(?:\.db)?\.part(?:-\w+)?$/;

/**
 * Removes what an interrupted backup or restore left. The caller owns the folder's lock, so no
 * restore is running and none waits to be finished.
 */
export function removeLeftovers(config: Pick<SiteConfig, 'dataDir' | 'sqlitePath'>): void {
  const snapshots = snapshotFolder(config.dataDir);
  removeSqlite(stagedPath(config));
  rmSync(stagedKeyPath(config), { force: true });
  removeDeadCopies(config.dataDir);
  for (const folder of [config.dataDir, snapshots])
    removeFiles(folder, (name) => hasEnded(draft.exec(name)?.[1]));
  removeFiles(snapshots, (name) => unfinished.test(name));
}

/** Removes copies of processes that have ended. */
export function removeDeadCopies(dataDir: string): void {
  removeFiles(dataDir, (name) => hasEnded(/^backup-(\d+)\.part/.exec(name)?.[1]));
}

function removeFiles(folder: string, isLeft: (name: string) => boolean): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (isLeft(name)) rmSync(join(folder, name), { force: true, recursive: true });
}

/** Whether there is no process of this id. */
function hasEnded(id: string | undefined): boolean {
  if (id === undefined) return false;
  try {
    process.kill(Number(id), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
