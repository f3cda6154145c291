import BetterSqlite3 from 'better-sqlite3';
import type { PlanBatch } from '../ledger/plan.ts';
import { batchOfText } from '../ledger/settlement.ts';
import { createSqliteCommitter } from '../ledger/sqlite-commit.ts';
import { startCheckpoints } from './sqlite-checkpoint.ts';
import { createExecutor, openSqlite } from './sqlite-connection.ts';
import { toFailure } from './sqlite-errors.ts';
import type { WorkerReply, WorkerRequest, WorkerSettings } from './sqlite-messages.ts';

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
