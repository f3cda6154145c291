import { Worker } from 'node:worker_threads';

/** Node runs the source itself; a build puts the worker beside the bundle. */
const ownWorker = new URL(
  import.meta.url.endsWith('.ts') ? './bcrypt-worker.ts' : './bcrypt-worker.js',
  import.meta.url,
);

/**
 * Compares in a thread of its own, because bcrypt is written in JavaScript and would block
 * everything else. Only imported accounts have such hashes, until their first sign-in. A malformed
 * hash matches nothing.
 */
export function compareBcrypt(password: string, hash: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(ownWorker, { workerData: { password, hash } });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the bcrypt thread ended without a result')));
  });
}
