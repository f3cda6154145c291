import { closeSync, openSync, statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import type { Durability } from './engine.ts';

/** Result of a statement: the rows of a query, or the number of changed rows. */
export interface SqliteResult {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

/** Milliseconds that a statement waits for the lock of another process. */
const busyTimeout = 5000;
/** Prepared statements kept; the filters of the console produce a few hundred different ones. */
const preparedLimit = 300;

export interface ConnectionSettings {
  readonly durability: Durability;
  /** Refuses writes; the file must exist. */
  readonly readonly: boolean;
  /** Automatic checkpoints; off where another connection makes them (sqlite-worker-server.ts). */
  readonly checkpoints: boolean;
}

/**
 * Makes the file, with mode 0600, where there is none. Call it before the first connection: POSIX
 * drops all locks of the process on a file with the first descriptor of it that is closed
 * (docs/rules/ledger.md#file-locks), so only SQLite may open one that is there.
 */
export function createSqliteFile(file: string): void {
  if (file === ':memory:' || statSync(file, { throwIfNoEntry: false })?.isFile()) return;
  closeSync(openSync(file, 'a', 0o600)); // of a folder it throws
}

/**
 * Opens a file that is there ({@link createSqliteFile}) or `:memory:` in WAL mode, and registers
 * our SQL functions.
 */
export function openSqlite(file: string, settings: ConnectionSettings): BetterSqlite3.Database {
  const fileMustExist = file !== ':memory:';
  const database = new BetterSqlite3(file, {
    timeout: busyTimeout,
    readonly: settings.readonly,
    fileMustExist,
  });
  if (!settings.readonly) database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${settings.durability === 'full' ? 'FULL' : 'NORMAL'}`);
  database.pragma('foreign_keys = OFF');
  database.pragma('temp_store = MEMORY');
  database.pragma('cache_size = -8000');
  if (!settings.checkpoints) database.pragma('wal_autocheckpoint = 0');
  // SQLite's own lower() only handles ASCII.
  database.function('lower_text', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  );
  return database;
}

/** Runs statements on a connection, with a cache of prepared statements. */
export function createExecutor(
  database: BetterSqlite3.Database,
): (sql: string, parameters: readonly unknown[]) => SqliteResult {
  const prepared = new Map<string, BetterSqlite3.Statement>();
  return (sql, parameters) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.delete(sql); // re-inserted below: the map is ordered by last use
    prepared.set(sql, statement);
    if (prepared.size > preparedLimit)
      for (const oldest of prepared.keys()) {
        prepared.delete(oldest);
        break;
      }
    if (statement.reader) return { rows: statement.all(...parameters), changes: 0 };
    return { rows: [], changes: statement.run(...parameters).changes };
  };
}
