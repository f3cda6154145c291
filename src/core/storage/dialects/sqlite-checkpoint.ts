import { statSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { openSqlite } from './sqlite-connection.ts';

/** Milliseconds between looks at the size of the write-ahead log. */
const period = 500;
/** Bytes of log that are worth a checkpoint: what SQLite itself would take, 1000 pages. */
const worthwhile = 4 * 1024 * 1024;
/** Bytes of log from which writers may be held up for a moment, so that the log starts over instead of growing. */
const tooLong = 64 * 1024 * 1024;

/**
 * Copies the write-ahead log into the database file from the reading thread, so that the writer, whose replies requests
 * wait for, never does it. PASSIVE waits for nobody; a writer without a pause could let the log grow for ever that way,
 * so beyond 64 MB RESTART makes it wait for the little that the passive runs left.
 */
export function startCheckpoints(file: string): () => void {
  const connection: BetterSqlite3.Database = openSqlite(file, { durability: 'full', readonly: false, checkpoints: false });
  const timer = setInterval(() => {
    const bytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes < worthwhile) return;
    connection.pragma('wal_checkpoint(PASSIVE)');
    if (bytes > tooLong) connection.pragma('wal_checkpoint(RESTART)');
  }, period);
  return () => {
    clearInterval(timer);
    connection.close();
  };
}
