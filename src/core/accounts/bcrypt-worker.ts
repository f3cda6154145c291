/** Entry of the thread that checks one password against a bcrypt hash, as its `workerData` says. */
import { parentPort, workerData } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

const { password, hash } = workerData as { readonly password: string; readonly hash: string };

function matches(): boolean {
  try {
    return compareSync(password, hash);
  } catch {
    return false; // a malformed hash
  }
}

parentPort?.postMessage(matches());
