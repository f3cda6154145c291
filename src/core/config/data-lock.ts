import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../kernel/errors.ts';

/**
 * One process at a time owns a data folder (design, product 2). The lock is an exclusive transaction on a tiny SQLite
 * file: the operating system drops it with its process, also after kill -9.
 */
export interface DataLock {
  release(): void;
}

const fileName = 'lock.db';
/** Long enough to outlast somebody who only looks ({@link isDataFolderLocked}). */
const patienceMs = 300;

/** Throws AppError data_folder_locked when another process (or this one) holds it. */
export function lockDataFolder(folder: string): DataLock {
  const database = new Database(join(folder, fileName), { timeout: patienceMs });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw isBusy(cause) ? new AppError('data_folder_locked', { folder }, { cause }) : cause;
  }
  return {
    release: () => {
      if (database.open) database.close();
    },
  };
}

export function isDataFolderLocked(folder: string): boolean {
  const path = join(folder, fileName);
  if (!existsSync(path)) return false;
  const database = new Database(path, { readonly: true, timeout: 0 });
  try {
    database.prepare('SELECT count(*) FROM sqlite_master').get();
    return false;
  } catch (cause) {
    if (isBusy(cause)) return true;
    throw cause;
  } finally {
    database.close();
  }
}

function isBusy(cause: unknown): boolean {
  return cause instanceof Database.SqliteError && cause.code.startsWith('SQLITE_BUSY');
}
