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

/** Node runs the source itself; a build puts the worker beside the bundle (dependencies.md 5, pitfall 8). */
function workerUrl(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('../sqlite-worker.ts', import.meta.url)
    : new URL('./sqlite-worker.js', import.meta.url);
}

/**
 * Starts a worker thread and resolves when its connection is open. `onDeath` hears once of a worker that was open and
 * ended by itself; everything asked of it then fails with `database_unavailable`.
 */
export async function openWorkerPort(settings: WorkerSettings, onDeath: (error: Error) => void): Promise<SqlitePort> {
  const worker = new Worker(workerUrl(), { workerData: settings, name: `sqlite-${settings.role}` });
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let dead: Error | undefined;
  let isOpen = false;

  const die = (cause: unknown): void => {
    if (dead !== undefined) return;
    dead = new AppError('database_unavailable', { reason: 'the database thread ended' }, { cause });
    for (const call of pending.values()) call.reject(dead);
    pending.clear();
    if (isOpen) onDeath(dead);
  };
  worker.on('error', die);
  worker.on('exit', () => die(undefined));
  worker.on('message', (reply: WorkerReply) => {
    const call = pending.get(reply.id);
    pending.delete(reply.id);
    if (reply.failure !== undefined) call?.reject(fromFailure(reply.failure));
    else call?.resolve(reply.result);
  });
  const ask = (request: WorkerRequest): Promise<Result | undefined> => {
    if (dead !== undefined) return Promise.reject(dead);
    const { promise, resolve, reject } = Promise.withResolvers<Result | undefined>();
    pending.set(++lastId, { resolve, reject });
    worker.postMessage({ id: lastId, request });
    return promise;
  };

  const port: SqlitePort = {
    execute: async (sql, parameters) => (await ask({ kind: 'execute', sql, parameters })) as SqliteResult,
    settle: async (batch) => (await ask({ kind: 'settle', batch })) as readonly SettlementResult[],
    close: async () => {
      if (dead !== undefined) return;
      isOpen = false;
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      await ask({ kind: 'close' });
      await ended;
    },
  };
  await port.execute('select 1', []);
  isOpen = true;
  return port;
}
