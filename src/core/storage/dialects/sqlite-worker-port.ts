import { Worker } from 'node:worker_threads';
import { AppError } from '../../kernel/errors.ts';
import type { SettlementResult } from '../ledger/settlement.ts';
import type { SqliteResult } from './sqlite-connection.ts';
import { fromFailure } from './sqlite-errors.ts';
import type { WorkerReply, WorkerRequest, WorkerSettings } from './sqlite-messages.ts';
import type { SqlitePort } from './sqlite-port.ts';

type Result = NonNullable<WorkerReply['result']>;

interface Pending {
  resolve(result: Result | undefined): void;
  reject(error: Error): void;
}

/**
 * Starts a worker thread from the module `entry`, which calls serveSqliteWorker, and resolves when
 * its connection is open. If it ends unexpectedly after that, `onDeath` is called once and all
 * further calls fail with `database_unavailable`.
 */
export async function openWorkerPort(
  entry: URL,
  settings: WorkerSettings,
  onDeath: (error: Error) => void,
): Promise<SqlitePort> {
  const worker = new Worker(entry, { workerData: settings, name: `sqlite-${settings.role}` });
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let dead: Error | undefined;
  let isOpen = false;

  const die = (cause: unknown): void => {
    if (dead !== undefined) return;
    dead = new AppError('database_unavailable', { reason: 'the database thread ended' }, { cause });
    for (const caller of pending.values()) caller.reject(dead);
    pending.clear();
    if (isOpen) onDeath(dead);
  };
  worker.on('error', die);
  worker.on('exit', () => die(undefined));
  worker.on('message', (reply: WorkerReply) => {
    const caller = pending.get(reply.id);
    pending.delete(reply.id);
    if (reply.failure !== undefined) caller?.reject(fromFailure(reply.failure));
    else caller?.resolve(reply.result);
  });
  const call = (request: WorkerRequest): Promise<Result | undefined> => {
    if (dead !== undefined) return Promise.reject(dead);
    const { promise, resolve, reject } = Promise.withResolvers<Result | undefined>();
    pending.set(++lastId, { resolve, reject });
    worker.postMessage({ id: lastId, request });
    return promise;
  };

  const port: SqlitePort = {
    execute: async (sql, parameters) =>
      (await call({ kind: 'execute', sql, parameters })) as SqliteResult,
    settle: async (batch) =>
      JSON.parse((await call({ kind: 'settle', batch })) as string) as readonly SettlementResult[],
    close: async () => {
      if (dead !== undefined) return;
      isOpen = false;
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      await call({ kind: 'close' });
      await ended;
    },
  };
  await port.execute('select 1', []);
  isOpen = true;
  return port;
}
