/** Entry of the thread that makes or checks a backup, as its `workerData` says. */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../kernel/errors.ts';
import { checkStoredBackup, makeStoredBackup } from './stored-backups.ts';
import type { ThreadFailure, ThreadWork } from './thread-messages.ts';

const { task, ...work } = workerData as ThreadWork;
const stopping = new AbortController();
const given = { ...work, signal: stopping.signal };

// Only a message ends the work before its time, so it removes what it has begun.
parentPort?.once('message', () => stopping.abort(new Error('stopping')));
parentPort?.unref();

const failureOf = (error: unknown): ThreadFailure =>
  error instanceof AppError
    ? { code: error.code, params: error.params, message: error.message }
    : { message: error instanceof Error ? error.message : String(error) };

const run = task === 'make' ? makeStoredBackup(given) : checkStoredBackup(given);
void run
  .then(
    (result) => parentPort?.postMessage({ result }),
    (error: unknown) => parentPort?.postMessage({ failure: failureOf(error) }),
  )
  .finally(() => parentPort?.close());
