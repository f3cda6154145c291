/** The last step of a restore: what was there is kept, and the restored database takes its place. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { notedHeadPath } from '../billing/index.ts';
import { secretPath, writePrivateFile } from '../config/data-folder.ts';
import { makeFolder } from '../config/make-folder.ts';
import { type Move, replaceFiles } from '../config/replacement.ts';
import { inspectSqlite, removeSqlite } from '../storage/backup/sqlite-file.ts';
import { migrateStorage } from '../storage/open.ts';
import { backupSite } from './backup.ts';
import { keepKey, nextPath, settleRotation, takeNext } from './key-files.ts';
import { stagedKeyPath } from './leftovers.ts';
import type { RestoreOptions } from './restore-options.ts';
import { isPostgres, type SiteConfig } from './site-database.ts';
import { keepReplaced, pruneSnapshots, snapshotFolder, timeText } from './snapshots.ts';

/** Keeps what is replaced. Returns the paths of the copies. */
export async function keepOld(
  { config, now, version }: RestoreOptions,
  isThere: boolean,
  keys: string | undefined,
): Promise<readonly string[]> {
  const kept: string[] = [];
  if (isThere && isPostgres(config)) {
    const target = join(snapshotFolder(config.dataDir), `${timeText(now)}-before-restore.backup`);
    makeFolder(snapshotFolder(config.dataDir));
    await backupSite({
      config,
      version,
      target,
      withKeys: false,
      withFiles: false,
      isRecorded: false,
      now,
    });
    pruneSnapshots(config.dataDir, 'before-restore.backup');
    kept.push(target);
  } else if (isThere) kept.push(...(await keepReplaced(config, now)));
  if (keys !== undefined && existsSync(secretPath(config.dataDir)))
    kept.push(keepKey(config.dataDir, now, 'before-restore'));
  return kept;
}

/** Database and key file change together. */
export function putInPlace(
  { config }: RestoreOptions,
  staged: string,
  keys: string | undefined,
): void {
  const moves: Move[] = [{ from: staged, to: config.sqlitePath }];
  if (keys !== undefined) {
    const path = secretPath(config.dataDir);
    writePrivateFile(stagedKeyPath(config), keys);
    moves.push({ from: stagedKeyPath(config), to: path });
  }
  forgetHead(config);
  replaceFiles(config.dataDir, moves, writePrivateFile);
}

/**
 * The same on PostgreSQL: the key file waits on the disk for the transaction, and after a crash the
 * next start decides.
 */
export async function putIntoPostgres(
  options: RestoreOptions,
  staged: string,
  keys: string | undefined,
  steps: readonly string[],
): Promise<void> {
  const { config, onProgress, signal, migrates = true } = options;
  const url = config.databaseUrl;
  if (keys !== undefined) writePrivateFile(nextPath(config.dataDir), keys);
  try {
    const report = (done: number, total: number) => {
      onProgress?.('write', done, total);
      signal?.throwIfAborted();
    };
    const schema = migrates ? undefined : { steps, tables: await newestTables(staged) };
    const { copyToPostgres } = await import('../storage/backup/postgres-restore.ts');
    await copyToPostgres(staged, url, report, schema);
  } catch (error) {
    await settleRotation(config);
    throw error;
  }
  forgetHead(config);
  if (keys !== undefined) takeNext(config.dataDir);
}

/** The tables of this version's schema. */
async function newestTables(staged: string): Promise<readonly string[]> {
  const file = `${staged}.schema`;
  try {
    await migrateStorage({ url: `sqlite:${file}`, masterKey: Buffer.alloc(32) });
    return Object.keys(inspectSqlite(file)?.tables ?? {});
  } finally {
    removeSqlite(file);
  }
}

/** The noted end is that of the ledger that is replaced. The next process notes the new one. */
const forgetHead = ({ dataDir }: SiteConfig): void =>
  rmSync(notedHeadPath(dataDir), { force: true });
