import { parentPort, workerData } from 'node:worker_threads';
import { startCheckpoints } from './dialects/sqlite-checkpoint.ts';
import { createExecutor, openSqlite } from './dialects/sqlite-connection.ts';
import { toFailure } from './dialects/sqlite-errors.ts';
import type { WorkerReply, WorkerRequest, WorkerSettings } from './dialects/sqlite-messages.ts';
import { createSqliteCommitter } from './ledger/commit-sqlite.ts';

/**
 * A thread that owns one SQLite connection: the main thread never waits for a disk. Started twice per gateway, once to
 * write and once to read and make checkpoints (dialects/sqlite-worker-port.ts).
 */
const settings = workerData as WorkerSettings;
const port = parentPort;
if (port === null) throw new Error('sqlite-worker runs as a worker thread only');

const writes = settings.role === 'write';
const database = openSqlite(settings.file, { durability: settings.durability, readonly: !writes, checkpoints: false });
const execute = createExecutor(database);
const commit = writes ? createSqliteCommitter(database) : undefined;
const stopCheckpoints = writes ? () => {} : startCheckpoints(settings.file);

function serve(request: WorkerRequest): WorkerReply['result'] {
  switch (request.kind) {
    case 'execute':
      return execute(request.sql, request.parameters);
    case 'settle':
      if (commit === undefined) throw new Error('settlements go to the writing thread');
      return commit(request.batch);
    case 'close':
      stopCheckpoints();
      if (writes) database.pragma('wal_checkpoint(TRUNCATE)');
      database.close();
      return undefined;
  }
}

port.on('message', ({ id, request }: { id: number; request: WorkerRequest }) => {
  let reply: WorkerReply;
  try {
    reply = { id, result: serve(request) };
  } catch (error) {
    reply = { id, failure: toFailure(error) };
  }
  port.postMessage(reply);
  if (request.kind === 'close') port.close();
});
