/** Restoring a backup (docs/rules/maintenance.md#restore). */
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { migrations } from '../../../migrations/index.ts';
import { notedHeadPath } from '../billing/index.ts';
import { findSecrets, parseSecrets, secretPath, writePrivateFile } from '../config/data-folder.ts';
import { type DataLock, lockDataFolder } from '../config/data-lock.ts';
import { makeFolder } from '../config/make-folder.ts';
import { journalPath, type Move, replaceFiles } from '../config/replacement.ts';
import { AppError } from '../kernel/errors.ts';
import { checkPostgresIdle, hasPostgresSite } from '../storage/backup/postgres-copy.ts';
import { copyToPostgres } from '../storage/backup/postgres-restore.ts';
import { finishSqlite, inspectSqlite, removeSqlite } from '../storage/backup/sqlite-file.ts';
import { masterKeyFits, migrateStorage } from '../storage/open.ts';
import { backupSite } from './backup.ts';
import {
  type BackupHeader,
  databaseEntry,
  type EntrySink,
  keysEntry,
  readBackup,
  uploadsPrefix,
} from './backup-file.ts';
import { keepKey, nextPath, settleRotation, takeNext } from './key-files.ts';
import { removeLeftovers, stagedKeyPath, stagedPath } from './leftovers.ts';
import { openSealed } from './sealed-file.ts';
import { hasSqliteFile, isPostgres, type SiteConfig, verifyCopy } from './site-database.ts';
import { keepSnapshot, pruneSnapshots, snapshotFolder, timeText } from './snapshots.ts';

export interface RestoreOptions {
  readonly config: SiteConfig;
  /** Of this program. */
  readonly version: string;
  readonly source: Readable;
  /** Of the backup, for errors. */
  readonly name: string;
  /** For an encrypted backup. */
  readonly passphrase?: string;
  /**
   * False: the database is put back with the schema that it has in the backup, for the version that
   * wrote it.
   */
  readonly migrates?: boolean;
  /** Replaces a database that is there, after a copy of it was made. */
  readonly force: boolean;
  /** Unix seconds. */
  readonly now: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (phase: RestorePhase, done: number, total?: number) => void;
}

export type RestorePhase = 'read' | 'migrate' | 'verify' | 'write';

export interface RestoreReport {
  readonly header: BackupHeader;
  /** Migrations that the backup lacked. */
  readonly migrated: readonly string[];
  /** Files restored besides database and keys. */
  readonly files: number;
  /** Where the earlier database and key file are kept. */
  readonly kept: readonly string[];
  /** Differences that a verification of the ledger finds. */
  readonly drifts: number;
}

/**
 * Replaces the site's database by that of a backup, under the data folder's lock. Nothing is
 * changed until the backup was read, migrated and checked; a crash leaves either the old site or
 * the restored one. Throws AppError data_folder_locked, database_in_use, database_foreign,
 * restore_not_empty, backup_foreign, backup_newer, backup_damaged, backup_sealed,
 * backup_passphrase, backup_key_missing,
 * database_unavailable; errors of the file system as they come.
 */
export async function restoreSite(options: RestoreOptions): Promise<RestoreReport> {
  const { config, force } = options;
  const made: string[] = [];
  const lock = takeLock(options, made);
  const staged = stagedPath(config);
  const written: string[] = [];
  let isDone = false;
  try {
    if (isPostgres(config)) await checkPostgresIdle(config.databaseUrl);
    const isThere = await hasSite(config);
    const target = isPostgres(config) ? 'PostgreSQL' : config.sqlitePath;
    if (isThere && !force) throw new AppError('restore_not_empty', { target });
    removeLeftovers(config);
    noteFolder(made, dirname(staged));
    const { header, keys } = await extract(options, staged, { files: written, folders: made });
    const masterKey = await findMasterKey(options, keys, staged);
    const { migrated, drifts } = await prepare(options, staged, masterKey, header);
    options.signal?.throwIfAborted();
    options.onProgress?.('write', 0);
    const kept = await keepOld(options, isThere, keys);
    if (isPostgres(config)) await putIntoPostgres(options, staged, keys, header.steps);
    else putInPlace(options, staged, keys);
    isDone = true;
    return { header, migrated, files: written.length, kept, drifts };
  } finally {
    if (!isDone) for (const file of written) rmSync(file, { force: true });
    if (!existsSync(journalPath(config.dataDir))) removeSqlite(staged);
    options.source.destroy();
    if (isDone) lock.release();
    else lock.abandon();
    if (!isDone) for (const folder of made) removeEmptyFolders(folder);
  }
}

/** Makes a folder, and notes the topmost one that was not there. */
function noteFolder(made: string[], path: string): void {
  const first = makeFolder(path);
  if (first !== undefined) made.push(first);
}

/** What a refused restore has made. */
function removeEmptyFolders(path: string): void {
  if (!existsSync(path)) return;
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmptyFolders(join(path, entry.name));
  if (readdirSync(path).length === 0) rmdirSync(path);
}

function takeLock({ config, source }: RestoreOptions, made: string[]): DataLock {
  try {
    noteFolder(made, config.dataDir);
    return lockDataFolder(config.dataDir);
  } catch (error) {
    source.destroy();
    throw error;
  }
}

/** Opens a backup. Errors of the operating system name the file. */
export async function openSource(file: string): Promise<Readable> {
  const handle = await open(file, 'r');
  try {
    if ((await handle.stat()).isDirectory()) {
      throw Object.assign(new Error('is a directory'), {
        code: 'EISDIR',
        syscall: 'read',
        path: file,
      });
    }
    return handle.createReadStream();
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Files and folders that were made. */
interface Made {
  readonly files: string[];
  readonly folders: string[];
}

/**
 * Writes the database beside its place, and uploads into theirs: nothing names these yet. Notes
 * what it has made.
 */
async function extract(options: RestoreOptions, staged: string, made: Made) {
  const { config, source, name, signal, onProgress } = options;
  const found: { keys?: string; hasDatabase: boolean } = { hasDatabase: false };
  const header = await readBackup(
    openSealed(source, name, options.passphrase ?? ''),
    name,
    ({ steps, version }) => {
      if (steps.some((step) => !Object.hasOwn(migrations, step))) {
        throw new AppError('backup_newer', { file: name, version });
      }
    },
    async (entry) => {
      if (entry === keysEntry) {
        return textSink((text) => {
          found.keys = text;
        });
      }
      if (entry === databaseEntry) {
        found.hasDatabase = true;
        return fileSink(staged, staged);
      }
      const target = join(config.uploadDir, ...entry.slice(uploadsPrefix.length).split('/'));
      if (existsSync(target)) return ignored;
      noteFolder(made.folders, dirname(target));
      made.files.push(target);
      return fileSink(draftOf(config, made.folders), target);
    },
    (bytes) => {
      onProgress?.('read', bytes);
      signal?.throwIfAborted();
    },
  );
  if (!found.hasDatabase) throw new AppError('backup_damaged', { file: name });
  return { header, keys: found.keys };
}

/**
 * Among the files that are being received: what a killed restore leaves there is removed with them.
 */
function draftOf({ uploadDir }: SiteConfig, made: string[]): string {
  const folder = join(uploadDir, 'drafts');
  noteFolder(made, folder);
  return join(folder, `restored-${process.pid}`);
}

const ignored: EntrySink = { write: () => {}, end: () => {} };

function textSink(onText: (text: string) => void): EntrySink {
  const chunks: Buffer[] = [];
  return {
    write: (chunk) => void chunks.push(chunk),
    end: () => onText(Buffer.concat(chunks).toString('utf8')),
  };
}

/** Writes a file durably; it gets its name when it is complete. */
async function fileSink(path: string, target: string): Promise<EntrySink> {
  rmSync(path, { force: true });
  const handle: FileHandle = await open(path, 'wx', 0o600);
  return {
    write: async (chunk) => {
      try {
        await handle.writeFile(chunk);
      } catch (error) {
        throw Object.assign(error as Error, { path });
      }
    },
    end: async () => {
      await handle.sync();
      await handle.close();
      if (path !== target) await rename(path, target);
    },
    abort: async () => {
      await handle.close();
      rmSync(path, { force: true });
    },
  };
}

/**
 * The key that decrypts the backup: the environment's, its own, or the data folder's. Throws
 * AppError backup_key_missing, and backup_damaged if its own is no key file.
 */
async function findMasterKey(
  { config, name }: RestoreOptions,
  keys: string | undefined,
  staged: string,
): Promise<Buffer> {
  const own = keys === undefined ? undefined : parseSecrets(keys)?.cryptoSecret;
  if (keys !== undefined && own === undefined) throw new AppError('backup_damaged', { file: name });
  const secret = config.cryptoSecret || own?.reveal() || findSecrets(config)?.cryptoSecret.reveal();
  const masterKey = secret === undefined ? undefined : Buffer.from(secret);
  if (masterKey === undefined || !(await masterKeyFits({ url: `sqlite:${staged}`, masterKey })))
    throw new AppError('backup_key_missing', { folder: config.dataDir });
  return masterKey;
}

/** Checks the database against what the backup says of it, and migrates it. */
async function prepare(
  { name, onProgress, migrates = true }: RestoreOptions,
  staged: string,
  masterKey: Buffer,
  header: BackupHeader,
) {
  const contents = inspectSqlite(staged);
  const isSame = Object.entries(header.tables).every(
    ([table, rows]) => contents?.tables[table] === rows,
  );
  if (contents === undefined || !isSame) throw new AppError('backup_damaged', { file: name });
  if (!migrates) return { migrated: [], drifts: 0 };
  onProgress?.('migrate', 0);
  const { executed } = await migrateStorage({ url: `sqlite:${staged}`, masterKey });
  onProgress?.('verify', 0);
  const { drifts } = await verifyCopy(staged, masterKey);
  finishSqlite(staged);
  return { migrated: executed, drifts };
}

/** Keeps what is replaced. Returns the paths of the copies. */
async function keepOld(
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
  } else if (isThere) kept.push(await keepSnapshot(config, 'before-restore', now));
  if (keys !== undefined && existsSync(secretPath(config.dataDir)))
    kept.push(keepKey(config.dataDir, now, 'before-restore'));
  return kept;
}

/** Database and key file change together. */
function putInPlace({ config }: RestoreOptions, staged: string, keys: string | undefined): void {
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
async function putIntoPostgres(
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

function hasSite(config: SiteConfig): boolean | Promise<boolean> {
  return isPostgres(config) ? hasPostgresSite(config.databaseUrl) : hasSqliteFile(config);
}
