/** Backups of a site, also while its gateway serves (docs/rules/maintenance.md#backup). */
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { migrations } from '../../../migrations/index.ts';
import { secretText } from '../config/data-folder.ts';
import { AppError } from '../kernel/errors.ts';
import { copyFromPostgres } from '../storage/backup/postgres-copy.ts';
import {
  type DatabaseContents,
  finishSqlite,
  inspectSqlite,
  type Progress,
  removeSqlite,
} from '../storage/backup/sqlite-file.ts';
import {
  type BackupHeader,
  backupFormat,
  databaseEntry,
  type EntrySource,
  keysEntry,
  readBackup,
  uploadsPrefix,
  writeBackup,
} from './backup-file.ts';
import { checkTarget } from './backup-target.ts';
import { copyDatabaseFile } from './copy-database.ts';
import { settleFolder } from './key-files.ts';
import { recordBackup } from './last-backup.ts';
import { copyPath, draftOf, removeDeadCopies, removeDeadDrafts } from './leftovers.ts';
import { openSealed, writeSealed } from './sealed-file.ts';
import {
  isPostgres,
  requireDatabase,
  type SiteConfig,
  secretsOf,
  verifyCopy,
} from './site-database.ts';

export type Phase = 'copy' | 'verify' | 'write' | 'check';

export interface BackupOptions {
  readonly config: SiteConfig;
  readonly version: string;
  /** The file, which is replaced only by a complete backup, or a stream. */
  readonly target: string | Writable;
  readonly withKeys: boolean;
  readonly withFiles: boolean;
  /** What encrypts it; '' or absent: nothing. */
  readonly passphrase?: string;
  /** False: the copy before a restore, which is not the backup that the doctor looks for. */
  readonly isRecorded?: boolean;
  /** Unix seconds. */
  readonly now: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (phase: Phase, done: number, total: number) => void;
}

export interface BackupReport {
  readonly header: BackupHeader;
  /** Files in it, the database included. */
  readonly entries: number;
  /**
   * Differences that a verification of the ledger finds; undefined if the database waits for
   * migrations.
   */
  readonly drifts: number | undefined;
}

/**
 * Throws AppError backup_target, site_missing, database_missing (PostgreSQL), database_newer,
 * database_unavailable (also when the disk is full), backup_damaged when what was written cannot be
 * read back. A failed or aborted backup leaves no file.
 */
export async function backupSite(options: BackupOptions): Promise<BackupReport> {
  const { config, target, withKeys, onProgress = () => {} } = options;
  if (typeof target === 'string') {
    checkTarget(config, target);
    removeDeadDrafts(target);
  }
  removeDeadCopies(config.dataDir);
  await settleFolder(config);
  const copy = typeof target === 'string' ? draftOf(target).database : copyPath(config.dataDir);
  const checkAborted = () => options.signal?.throwIfAborted();
  try {
    await copyDatabase(config, copy, (done, total) => {
      onProgress('copy', done, total);
      checkAborted();
    });
    onProgress('verify', 0, 1);
    const { contents, drifts } = await verify(config, copy);
    checkAborted();
    const header = describe(options, contents);
    const sources = [
      ...entriesOf(options, copy),
      ...(options.withFiles ? await uploadsOf(config.uploadDir) : []),
    ];
    const onBytes = (phase: Phase) => (bytes: number) => {
      onProgress(phase, bytes, 0);
      checkAborted();
    };
    const onWritten = (entries: number): BackupReport => {
      if (options.isRecorded !== false)
        recordBackup(config.dataDir, {
          created_at: header.created_at,
          file: typeof target === 'string' ? target : '-',
          with_keys: withKeys,
        });
      return { header, drifts, entries };
    };
    const write = (stream: Writable) =>
      writeSealed(stream, options.passphrase ?? '', (plain) =>
        writeBackup(plain, header, sources, onBytes('write')),
      );
    if (typeof target !== 'string') return onWritten(await write(target));
    const entries = await writeFileSafely(target, async (part, stream) => {
      const written = await write(stream);
      await readBackup(
        openSealed(createReadStream(part), target, options.passphrase ?? ''),
        target,
        () => {},
        () => ignored,
        onBytes('check'),
      );
      return written;
    });
    return onWritten(entries);
  } finally {
    removeSqlite(copy);
  }
}

const ignored = { write: () => {}, end: () => {} };

async function copyDatabase(config: SiteConfig, copy: string, onProgress: Progress): Promise<void> {
  if (isPostgres(config)) return copyFromPostgres(config.databaseUrl, copy, onProgress);
  requireDatabase(config);
  await copyDatabaseFile(config.sqlitePath, copy, onProgress);
}

async function verify(
  config: SiteConfig,
  copy: string,
): Promise<{ contents: DatabaseContents; drifts: number | undefined }> {
  const contents = inspectSqlite(copy);
  if (contents !== undefined && contents.steps.length === 0)
    throw new AppError('database_foreign', { file: config.sqlitePath });
  if (contents === undefined)
    throw new AppError('database_unavailable', {
      file: config.sqlitePath,
      problem: 'rule.file.damaged',
      reason: 'SQLITE_CORRUPT',
    });
  checkSteps(contents.steps);
  if (contents.steps.length < Object.keys(migrations).length)
    return { contents, drifts: undefined };
  const { drifts } = await verifyCopy(copy, Buffer.from(secretsOf(config).cryptoSecret.reveal()));
  finishSqlite(copy);
  return { contents, drifts };
}

/** Throws AppError database_newer when a migration was executed that this version does not know. */
export function checkSteps(steps: readonly string[]): void {
  const step = steps.find((name) => !Object.hasOwn(migrations, name));
  if (step !== undefined) throw new AppError('database_newer', { step });
}

function describe(
  { config, version, now, withKeys, withFiles }: BackupOptions,
  contents: DatabaseContents,
): BackupHeader {
  return {
    format: backupFormat,
    version,
    created_at: now,
    engine: isPostgres(config) ? 'postgres' : 'sqlite',
    steps: [...contents.steps],
    tables: { ...contents.tables },
    with_keys: withKeys,
    with_files: withFiles,
  };
}

function entriesOf({ config, withKeys }: BackupOptions, copy: string): readonly EntrySource[] {
  const keys: readonly EntrySource[] = withKeys
    ? [{ name: keysEntry, content: secretText(secretsOf(config)) }]
    : [];
  return [...keys, { name: databaseEntry, file: copy }];
}

/** All files except those that are being received. */
async function uploadsOf(folder: string): Promise<readonly EntrySource[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  return found
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .map((file) => ({
      file,
      name: uploadsPrefix + file.slice(folder.length + 1).replaceAll('\\', '/'),
    }))
    .filter(({ name }) => !name.startsWith(`${uploadsPrefix}drafts/`));
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Under its final name only when it is complete and on the disk. */
async function writeFileSafely<T>(
  target: string,
  write: (part: string, stream: Writable) => Promise<T>,
): Promise<T> {
  const part = draftOf(target).file;
  rmSync(part, { force: true });
  try {
    const result = await write(part, createWriteStream(part, { mode: 0o600 }));
    await syncFile(part);
    await rename(part, target);
    return result;
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}
