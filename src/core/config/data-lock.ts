import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../kernel/errors.ts';
import { fileProblemOf } from '../kernel/file-problems.ts';
import { finishReplacement } from './replacement.ts';

/**
 * Exclusive ownership of a data folder by one process (docs/rules/process.md#data-lock). The lock
 * is an exclusive transaction on a tiny SQLite file: the operating system releases it when the
 * process ends, even after kill -9.
 */
export interface DataLock {
  release(): void;
  /**
   * Releases it, and removes the lock file if it was not there before: what was refused leaves no
   * trace.
   */
  abandon(): void;
}

const fileName = 'lock.db';
/** Long enough to outlast a check by {@link isDataFolderLocked}. */
const lockTimeoutMs = 300;

/**
 * Also finishes a replacement of the folder's files that was interrupted. Throws AppError
 * data_folder_locked when another process (or this one) holds it, database_unavailable when the
 * lock file cannot be used.
 */
export function lockDataFolder(folder: string): DataLock {
  const path = join(folder, fileName);
  const wasThere = existsSync(path);
  const database = acquire(path, folder);
  const release = () => {
    if (database.open) database.close();
  };
  try {
    finishReplacement(folder);
  } catch (error) {
    release();
    throw error;
  }
  return {
    release,
    abandon: () => {
      // While it is locked; Windows does not remove files that are open.
      if (!wasThere && database.open && process.platform !== 'win32') rmSync(path, { force: true });
      release();
    },
  };
}

function acquire(path: string, folder: string): Database.Database {
  for (;;) {
    const database = open(path, { timeout: lockTimeoutMs });
    const opened = inodeOf(path);
    let failure: unknown;
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (cause) {
      failure = cause;
    }
    // Its last owner may have removed the file: that one can be locked by nobody, or keeps
    // nobody away.
    const isSame = opened !== undefined && opened === inodeOf(path);
    if (isSame && failure === undefined) return database;
    database.close();
    if (isSame)
      throw isBusy(failure)
        ? new AppError('data_folder_locked', { folder }, { cause: failure })
        : unusable(path, failure);
  }
}

const inodeOf = (path: string): bigint | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;

export function isDataFolderLocked(folder: string): boolean {
  const path = join(folder, fileName);
  if (!existsSync(path)) return false;
  const database = open(path, { readonly: true, timeout: 0 });
  try {
    database.prepare('SELECT count(*) FROM sqlite_master').get();
    return false;
  } catch (cause) {
    if (isBusy(cause)) return true;
    throw unusable(path, cause);
  } finally {
    database.close();
  }
}

function open(path: string, options: Database.Options): Database.Database {
  try {
    return new Database(path, options);
  } catch (cause) {
    throw unusable(path, cause);
  }
}

/** The lock file cannot be opened, or is no lock file. */
function unusable(file: string, cause: unknown): unknown {
  const code = cause instanceof Database.SqliteError ? cause.code : undefined;
  const problem = fileProblemOf(code);
  return problem === undefined
    ? cause
    : new AppError('database_unavailable', { file, problem, reason: code ?? '' }, { cause });
}

function isBusy(cause: unknown): boolean {
  return cause instanceof Database.SqliteError && cause.code.startsWith('SQLITE_BUSY');
}
