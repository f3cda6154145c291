import { existsSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { AppError } from '../../kernel/errors.ts';
import { type ImportSource, problemOf, quoted, type SourceRow } from './source.ts';

/**
 * SQLite makes files `-wal` and `-shm` beside a file, also for readers. Returns a function that
 * removes those that were not there yet, to be called once the file is closed. They stay where
 * somebody has written to them or still has them open: the old program, started meanwhile, would
 * lose its changes with them.
 */
function watchHelpers(path: string): () => void {
  const made = [`${path}-wal`, `${path}-shm`].filter((file) => !existsSync(file));
  return () => {
    const log = `${path}-wal`;
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0 || made.some(isOpen)) return;
    for (const file of made) rmSync(file, { force: true });
  };
}

/**
 * Whether a process that can be looked at has the file open. Only Linux says so; elsewhere it is
 * assumed.
 */
function isOpen(file: string): boolean {
  if (!existsSync(file)) return false;
  if (!existsSync('/proc/self/fd')) return true;
  const target = realpathSync(file);
  return namesIn('/proc').some((pid) =>
    namesIn(`/proc/${pid}/fd`).some((number) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${number}`) === target;
      } catch {
        return false;
      }
    }),
  );
}

/** Those of processes and open files are numbers. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Half of a sum that cannot overflow 64 bits. */
const sumBase = 1_000_000_000;

/**
 * Opens a file for reading only, in one read transaction: what another program writes meanwhile is
 * not seen. The file and its log stay as they are; helper files that SQLite makes for reading are
 * removed again. Throws AppError import_source_unreadable.
 */
export function openSqliteSource(path: string): ImportSource {
  if (!existsSync(path) || !statSync(path).isFile()) throw unreadable(path, 'no such file');
  const dropHelpers = watchHelpers(path);
  let database: BetterSqlite3.Database;
  try {
    database = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
  } catch (error) {
    dropHelpers();
    throw unreadable(path, problemOf(error));
  }
  try {
    database.defaultSafeIntegers(true);
    database.exec('BEGIN');
    const problem = database.pragma('quick_check(1)', { simple: true });
    if (problem !== 'ok') throw new Error(String(problem));
  } catch (error) {
    database.close();
    dropHelpers();
    throw unreadable(path, isHalfWritten(error) ? halfWritten : problemOf(error));
  }

  const one = (sql: string): Record<string, bigint | null> =>
    database.prepare(sql).get() as Record<string, bigint | null>;
  return {
    engine: 'sqlite',
    name: path,
    async tables() {
      const names = database.prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
      );
      const found = names.pluck().all() as string[];
      return new Map(
        found.map((table) => {
          const columns = database
            .prepare(`SELECT name FROM pragma_table_info(?)`)
            .pluck()
            .all(table) as string[];
          return [table, new Set(columns)];
        }),
      );
    },
    count: async (table) => Number(one(`SELECT count(*) AS n FROM ${quoted(table)}`)['n']),
    async sum(table, column) {
      const value = `CAST(${quoted(column)} AS INTEGER)`;
      const { high, low } = one(
        `SELECT sum(${value} / ${sumBase}) AS high, sum(${value} % ${sumBase}) AS low FROM ${quoted(table)}`,
      );
      return BigInt(high ?? 0) * BigInt(sumBase) + BigInt(low ?? 0);
    },
    async *rows(table, key, batch) {
      let rows: SourceRow[] = [];
      const statement = database.prepare(`SELECT * FROM ${quoted(table)} ORDER BY ${quoted(key)}`);
      try {
        for (const row of statement.iterate()) {
          rows.push(row as SourceRow);
          if (rows.length < batch) continue;
          yield rows;
          rows = [];
        }
      } catch (error) {
        throw error instanceof BetterSqlite3.SqliteError
          ? unreadable(path, `${table}: ${error.message}`)
          : error;
      }
      if (rows.length > 0) yield rows;
    },
    async close() {
      database.close();
      dropHelpers();
    },
  };
}

function unreadable(source: string, problem: string): AppError {
  return new AppError('import_source_unreadable', { source, problem });
}

/** A crash of the old program left a rollback journal, which a reader cannot apply. */
const halfWritten =
  'a write was interrupted; start the old program once and stop it, so that it is undone';
const isHalfWritten = (error: unknown): boolean =>
  error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_READONLY');
