import { closeSync, openSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import type { Durability } from './engine.ts';

/** One statement's outcome: rows of a reading statement, or the number of rows changed. */
export interface SqliteResult {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

/** Milliseconds that a statement waits for another process's lock (spec: SQLITE_BUSY_TIMEOUT). */
const busyTimeout = 5000;
/** Statements kept prepared; the console's filters make a few hundred different ones. */
const preparedLimit = 300;

export interface ConnectionSettings {
  readonly durability: Durability;
  /** Refuses to write; the file must exist. */
  readonly readonly: boolean;
  /** Off where checkpoints run on another connection (sqlite-checkpoint.ts). */
  readonly checkpoints: boolean;
}

/** Opens a file (created with mode 0600) or `:memory:` in WAL mode with our functions. */
export function openSqlite(file: string, settings: ConnectionSettings): BetterSqlite3.Database {
  if (file !== ':memory:' && !settings.readonly) closeSync(openSync(file, 'a', 0o600));
  const database = new BetterSqlite3(file, { timeout: busyTimeout, readonly: settings.readonly });
  if (!settings.readonly) database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${settings.durability === 'full' ? 'FULL' : 'NORMAL'}`);
  database.pragma('foreign_keys = OFF');
  database.pragma('temp_store = MEMORY');
  database.pragma('cache_size = -8000');
  if (!settings.checkpoints) database.pragma('wal_autocheckpoint = 0');
  // SQLite's own lower() knows ASCII only.
  database.function('lower_text', { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : text));
  return database;
}

/** Runs statements on a connection and keeps the latest ones prepared. */
export function createExecutor(database: BetterSqlite3.Database): (sql: string, parameters: readonly unknown[]) => SqliteResult {
  const prepared = new Map<string, BetterSqlite3.Statement>();
  return (sql, parameters) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.delete(sql); // the order of the map is the order of use
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
