import { statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { openSqlite } from './sqlite-connection.ts';

/** Milliseconds between checks of the size of the write-ahead log. */
const period = 500;
/** Bytes of log that are worth a checkpoint: SQLite's own default, 1000 pages. */
const checkpointFrom = 4 * 1024 * 1024;
/**
 * Bytes of log from which writers are blocked briefly, so that the log restarts instead of growing.
 */
const restartFrom = 64 * 1024 * 1024;
/** Milliseconds that a restart waits for readers, with writers blocked. */
const restartTimeout = 100;

/**
 * Copies the write-ahead log into the database file from the reading thread, so that the writer,
 * which requests wait for, does not have to. A PASSIVE checkpoint does not block, but under
 * constant writes the log could grow without limit. So beyond 64 MB a RESTART checkpoint blocks the
 * writer for the small remainder. While a long reader such as a backup needs the log, it is only
 * tried again when the log has doubled.
 */
export function startCheckpoints(file: string): () => void {
  const connection: BetterSqlite3.Database = openSqlite(file, {
    durability: 'full',
    readonly: false,
    checkpoints: false,
  });
  connection.pragma(`busy_timeout = ${restartTimeout}`);
  let restartAt = restartFrom;
  /** 0 where it is not known, as on a disk that fails for a moment. */
  const sizeOfLog = (): number => {
    try {
      return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    } catch {
      return 0;
    }
  };
  const check = (): void => {
    const bytes = sizeOfLog();
    if (bytes < checkpointFrom) return;
    connection.pragma('wal_checkpoint(PASSIVE)');
    if (bytes <= restartAt) return;
    const [result] = connection.pragma('wal_checkpoint(RESTART)') as { busy: number }[];
    restartAt = result?.busy === 1 ? bytes * 2 : restartFrom;
  };
  const timer = setInterval(() => {
    try {
      check();
    } catch (error) {
      // As on a full disk: the log keeps everything, and the next look tries again. The end of this
      // thread would end the process.
      if (!(error instanceof BetterSqlite3.SqliteError)) throw error;
    }
  }, period);
  timer.unref(); // the thread lives as long as its port
  return () => {
    clearInterval(timer);
    connection.close();
  };
}
