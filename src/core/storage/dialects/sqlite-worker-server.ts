import { statSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import type { PlanBatch } from '../ledger/plan.ts';
import { batchOfText } from '../ledger/settlement.ts';
import { createSqliteCommitter } from '../ledger/sqlite-commit.ts';
import { createExecutor, openSqlite } from './sqlite-connection.ts';
import { toFailure } from './sqlite-errors.ts';
import type { WorkerReply, WorkerRequest, WorkerSettings } from './sqlite-messages.ts';

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

/** On a full disk the log stays: the next start reads it. */
function emptyLog(database: BetterSqlite3.Database): void {
  try {
    database.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!(error instanceof BetterSqlite3.SqliteError)) throw error;
  }
}

/** What the server uses of its thread's port. */
export interface ServedPort {
  on(event: 'message', listener: (message: { id: number; request: WorkerRequest }) => void): void;
  postMessage(reply: WorkerReply): void;
  close(): void;
}

/**
 * Serves requests on a worker thread that owns one SQLite connection, so that the main thread never
 * waits for the disk. The gateway starts two: one writes, the other reads and makes checkpoints.
 * The counterpart is sqlite-worker-port.ts.
 */
export function serveSqliteWorker(
  port: ServedPort,
  settings: WorkerSettings,
  planBatch: PlanBatch,
): void {
  const writes = settings.role === 'write';
  const database = openSqlite(settings.file, {
    durability: settings.durability,
    readonly: !writes,
    checkpoints: false,
  });
  const execute = createExecutor(database);
  const commit = writes ? createSqliteCommitter(database, planBatch) : undefined;
  const stopCheckpoints = writes ? () => {} : startCheckpoints(settings.file);

  const serve = (request: WorkerRequest): WorkerReply['result'] => {
    switch (request.kind) {
      case 'execute':
        return execute(request.sql, request.parameters);
      case 'settle':
        if (commit === undefined) throw new Error('settlements go to the writing thread');
        return JSON.stringify(commit(batchOfText(request.batch)));
      case 'close':
        stopCheckpoints();
        if (writes) emptyLog(database);
        database.close();
        return undefined;
    }
  };

  port.on('message', ({ id, request }) => {
    let reply: WorkerReply;
    try {
      reply = { id, result: serve(request) };
    } catch (error) {
      reply = { id, failure: toFailure(error) };
    }
    port.postMessage(reply);
    if (request.kind === 'close') port.close();
  });
}
