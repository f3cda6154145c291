/** Copies of SQLite databases, and what a database file contains. */
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { fileProblemOf } from '../../kernel/file-problems.ts';
import { fromFailure, toFailure } from '../dialects/sqlite-errors.ts';

/** Units of work done, of all. */
export type Progress = (done: number, total: number) => void;

/** Pages copied before other work of the process goes on. */
const pagesPerStep = 2000;
/** Milliseconds to wait for the lock of another process. */
const busyTimeout = 5000;

/** What a database file contains. */
export interface DatabaseContents {
  /** Names of the executed migrations, in order. Empty: the file belongs to another program. */
  readonly steps: readonly string[];
  /** Number of rows per table. */
  readonly tables: Readonly<Record<string, number>>;
}

/**
 * Copies a database that other processes may be writing to: as it was when the copy began. `target`
 * gets mode 0600 and replaces an earlier file. Throws `database_unavailable`, also when the disk is
 * full; an abort by `onProgress` as it comes.
 */
export async function copySqlite(
  source: string,
  target: string,
  onProgress: Progress = () => {},
): Promise<void> {
  removeSqlite(target);
  let isRead = false;
  const culprit = (code?: string) =>
    isRead && fileProblemOf(code) !== 'rule.file.damaged' ? target : source;
  await translated(target, culprit, async () => {
    const from = new BetterSqlite3(source, {
      readonly: true,
      fileMustExist: true,
      timeout: busyTimeout,
    });
    try {
      // The open transaction keeps the copy at one state; without it each write of others would
      // start the copy anew.
      from.exec('BEGIN');
      from.prepare('SELECT count(*) FROM sqlite_master').get();
      isRead = true;
      closeSync(openSync(target, 'w', 0o600));
      await from.backup(target, {
        progress: ({ totalPages, remainingPages }) => {
          onProgress(totalPages - remainingPages, totalPages);
          return pagesPerStep;
        },
      });
    } finally {
      from.close();
    }
    finishSqlite(target);
  });
}

/**
 * Makes a closed database one file, without a write-ahead log, and waits until it is on the disk.
 */
export function finishSqlite(file: string): void {
  const database = new BetterSqlite3(file, { timeout: busyTimeout });
  database.pragma('journal_mode = DELETE');
  database.close();
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}

/** Deletes a database with its write-ahead log. */
export function removeSqlite(file: string): void {
  for (const suffix of ['-wal', '-shm', '-journal', ''])
    rmSync(`${file}${suffix}`, { force: true });
}

/**
 * Checks every page, then lists what is there. Undefined if the file is damaged or no database.
 * Throws `database_unavailable` when it cannot be opened.
 */
export function inspectSqlite(file: string): DatabaseContents | undefined {
  const database = open(file);
  try {
    if (database.pragma('integrity_check', { simple: true }) !== 'ok') return undefined;
    const names = database
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
      )
      .pluck()
      .all() as string[];
    const count = (name: string) =>
      database.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() as number;
    return {
      steps: names.includes('schema_migrations')
        ? (database
            .prepare('SELECT name FROM schema_migrations ORDER BY name')
            .pluck()
            .all() as string[])
        : [],
      tables: Object.fromEntries(
        names
          .filter((name) => !name.startsWith('schema_migrations'))
          .map((name) => [name, count(name)]),
      ),
    };
  } catch (error) {
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(toFailure(error).code ?? '')) return undefined;
    throw fromFailure(toFailure(error), file);
  } finally {
    database.close();
  }
}

function open(file: string): BetterSqlite3.Database {
  try {
    return new BetterSqlite3(file, { readonly: true, fileMustExist: true, timeout: busyTimeout });
  } catch (error) {
    throw fromFailure(toFailure(error), file);
  }
}

async function translated(
  target: string,
  culprit: (code?: string) => string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    removeSqlite(target);
    if (error instanceof Error && error.name === 'AbortError') throw error;
    const failure = toFailure(error);
    throw fromFailure(failure, culprit(failure.code));
  }
}
