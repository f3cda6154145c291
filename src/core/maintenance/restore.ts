/** Restoring a backup (docs/rules/maintenance.md#restore). */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { migrations } from '../../../migrations/index.ts';
import { findSecrets, parseSecrets, secretPath, writePrivateFile } from '../config/data-folder.ts';
import { lockDataFolder } from '../config/data-lock.ts';
import { type Move, replaceFiles } from '../config/replacement.ts';
import { AppError } from '../kernel/errors.ts';
import { finishSqlite, inspectSqlite, removeSqlite } from '../storage/backup/sqlite-file.ts';
import { masterKeyFits, migrateStorage } from '../storage/open.ts';
import { type BackupHeader, databaseEntry, type EntrySink, keysEntry, readBackup, uploadsPrefix } from './backup-file.ts';
import { hasSqliteFile, isPostgres, type SiteConfig, verifyCopy } from './site-database.ts';
import { keepSnapshot, snapshotFolder, timeText } from './snapshots.ts';

export interface RestoreOptions {
  readonly config: SiteConfig;
  readonly source: Readable;
  /** Of the backup, for errors. */
  readonly name: string;
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
  /** Accounts whose balance is not the sum of their postings. */
  readonly drifts: number;
}

/**
 * Replaces the site's database by that of a backup, under the data folder's lock. Nothing is changed until the backup was read,
 * migrated and checked; a crash leaves either the old site or the restored one.
 * Throws AppError data_folder_locked, restore_not_empty, backup_foreign, backup_newer, backup_damaged, backup_key_missing,
 * database_unavailable; errors of the file system as they come.
 */
export async function restoreSite(options: RestoreOptions): Promise<RestoreReport> {
  const { config, force } = options;
  if (isPostgres(config)) throw new AppError('feature_unavailable', { detail: 'PostgreSQL' });
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const lock = lockDataFolder(config.dataDir);
  const staged = `${config.sqlitePath}.restoring`;
  const written: string[] = [];
  let isDone = false;
  try {
    if (hasSqliteFile(config) && !force) throw new AppError('restore_not_empty', { target: config.sqlitePath });
    removeSqlite(staged);
    mkdirSync(dirname(staged), { recursive: true, mode: 0o700 });
    const { header, keys } = await extract(options, staged, written);
    const masterKey = await findMasterKey(config, keys, staged);
    const { migrated, drifts } = await prepare(options, staged, masterKey, header);
    options.signal?.throwIfAborted();
    options.onProgress?.('write', 0);
    const kept = await keepOld(options, keys !== undefined);
    const moves: Move[] = [{ from: staged, to: config.sqlitePath }];
    if (keys !== undefined) {
      const path = secretPath(config.dataDir);
      writePrivateFile(`${path}.restoring`, keys);
      moves.push({ from: `${path}.restoring`, to: path });
    }
    replaceFiles(config.dataDir, moves, writePrivateFile);
    isDone = true;
    return { header, migrated, files: written.length, kept, drifts };
  } finally {
    if (!isDone) for (const file of written) rmSync(file, { force: true });
    if (!existsSync(join(config.dataDir, 'replace.json'))) removeSqlite(staged);
    lock.release();
  }
}

/** Opens a backup. Errors of the operating system name the file. */
export async function openSource(file: string): Promise<Readable> {
  const handle = await open(file, 'r');
  return handle.createReadStream();
}

/** Writes the database beside its place, and uploads into theirs: nothing names these yet. Names them in `written`. */
async function extract(options: RestoreOptions, staged: string, written: string[]) {
  const { config, source, name, signal, onProgress } = options;
  const found: { keys?: string; hasDatabase: boolean } = { hasDatabase: false };
  const header = await readBackup(
    source,
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
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      written.push(target);
      return fileSink(`${target}.restoring`, target);
    },
    (bytes) => {
      onProgress?.('read', bytes);
      signal?.throwIfAborted();
    },
  );
  if (!found.hasDatabase) throw new AppError('backup_damaged', { file: name });
  return { header, keys: found.keys };
}

const ignored: EntrySink = { write: () => {}, end: () => {} };

function textSink(onText: (text: string) => void): EntrySink {
  const chunks: Buffer[] = [];
  return { write: (chunk) => void chunks.push(chunk), end: () => onText(Buffer.concat(chunks).toString('utf8')) };
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
        await handle.close();
        rmSync(path, { force: true });
        throw Object.assign(error as Error, { path });
      }
    },
    end: async () => {
      await handle.sync();
      await handle.close();
      if (path !== target) await rename(path, target);
    },
  };
}

/** The key that decrypts the backup: the environment's, its own, or the data folder's. Throws AppError backup_key_missing. */
async function findMasterKey(config: SiteConfig, keys: string | undefined, staged: string): Promise<Buffer> {
  const own = keys === undefined ? undefined : parseSecrets(keys)?.cryptoSecret;
  const secret = config.cryptoSecret || own?.reveal() || findSecrets(config)?.cryptoSecret.reveal();
  const masterKey = secret === undefined ? undefined : Buffer.from(secret);
  if (masterKey === undefined || !(await masterKeyFits({ url: `sqlite:${staged}`, masterKey })))
    throw new AppError('backup_key_missing', { folder: config.dataDir });
  return masterKey;
}

/** Checks the database against what the backup says of it, and migrates it. */
async function prepare({ name, onProgress }: RestoreOptions, staged: string, masterKey: Buffer, header: BackupHeader) {
  const contents = inspectSqlite(staged);
  const isSame = Object.entries(header.tables).every(([table, rows]) => contents?.tables[table] === rows);
  if (contents === undefined || !isSame) throw new AppError('backup_damaged', { file: name });
  onProgress?.('migrate', 0);
  const { executed } = await migrateStorage({ url: `sqlite:${staged}`, masterKey });
  onProgress?.('verify', 0);
  const { drifts } = await verifyCopy(staged, masterKey);
  finishSqlite(staged);
  return { migrated: executed, drifts };
}

/** Keeps what is replaced. Returns the paths of the copies. */
async function keepOld({ config, now }: RestoreOptions, replacesKeys: boolean): Promise<readonly string[]> {
  const kept = hasSqliteFile(config) ? [await keepSnapshot(config, 'before-restore', now)] : [];
  const path = secretPath(config.dataDir);
  if (!replacesKeys || !existsSync(path)) return kept;
  const copy = join(snapshotFolder(config.dataDir), `${timeText(now)}-before-restore-secret.json`);
  mkdirSync(snapshotFolder(config.dataDir), { recursive: true, mode: 0o700 });
  writePrivateFile(copy, readFileSync(path, 'utf8'));
  return [...kept, copy];
}
