/** A thread that runs one entry module after another (lasting-threads.ts). */
import { syncBuiltinESMExports } from 'node:module';
import threads, { type MessagePort } from 'node:worker_threads';

export interface ThreadTask {
  /** Evaluated with `port` as its parentPort and `data` as its workerData. */
  readonly entry: string;
  readonly data: unknown;
  readonly port: MessagePort;
}

const parent = threads.parentPort;
if (parent === null) throw new Error('the host runs as a worker thread only');

let serial = 0;
let port: MessagePort | undefined;

parent.on('message', (task: ThreadTask | 'end') => {
  if (task === 'end') {
    port?.close();
    return;
  }
  ({ port } = task);
  port.once('close', () => parent.postMessage('free'));
  Object.assign(threads, { parentPort: port, workerData: task.data });
  syncBuiltinESMExports();
  serial += 1;
  // What fails while it is evaluated ends the thread, as an error of any thread does.
  void import(`${task.entry}?${serial}`);
});
