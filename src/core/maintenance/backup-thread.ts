/**
 * Runs the work of backups in a thread: it compresses, decrypts and reads whole databases, and the
 * gateway goes on serving meanwhile.
 */
import { Worker } from 'node:worker_threads';
import { AppError } from '../kernel/errors.ts';
import type { ThreadReply, ThreadResults, ThreadWork } from './thread-messages.ts';

/** Node runs the source itself; a build puts the worker beside the bundle. */
const ownWorker = new URL(
  import.meta.url.endsWith('.ts') ? './backup-worker.ts' : './backup-worker.js',
  import.meta.url,
);
/** ms that an aborted thread has to remove what it has begun. */
const grace = 5000;

/** Rejects with what the work throws, and when the signal aborts. */
export function runInThread<T extends keyof ThreadResults>(
  work: ThreadWork & { readonly task: T },
  signal: AbortSignal,
): Promise<ThreadResults[T]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(ownWorker, { workerData: work, name: 'backup' });
    let timer: NodeJS.Timeout | undefined;
    const abort = () => {
      worker.postMessage('stop');
      timer = setTimeout(() => void worker.terminate(), grace);
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    worker.once('message', (reply: ThreadReply) => {
      if ('result' in reply) resolve(reply.result as ThreadResults[T]);
      else reject(errorOf(reply.failure));
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      reject(new Error('the thread of backups ended without a result'));
    });
  });
}

function errorOf({ code, params, message }: Extract<ThreadReply, { failure: unknown }>['failure']) {
  return code === undefined ? new Error(message) : new AppError(code, params ?? {});
}
