/**
 * Threads for counting and backups outlive the gateway of a test: the next one gets them. A thread
 * takes 65 ms of a core to start, and most of it is Node itself and the modules, which stay. An
 * entry module is evaluated anew for each gateway; a thread that fails or is busy when it is to end
 * is not used again. SQLite's two connections are on the test's own thread ({@link InPlace}).
 * Programs that tests start have threads of their own, as always.
 */
import { EventEmitter, once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import threads, { MessageChannel, Worker, type WorkerOptions } from 'node:worker_threads';
import type {
  WorkerRequest,
  WorkerSettings,
} from '../../src/core/storage/dialects/sqlite-messages.ts';
import type { ServedPort } from '../../src/core/storage/dialects/sqlite-worker-server.ts';
import type { ThreadTask } from './thread-host.ts';

const lasting = /\/src\/core\/(metering\/token-worker|maintenance\/backup-worker)\.ts$/;
const database = /\/src\/core\/sqlite-worker\.ts$/;
const host = join(import.meta.dirname, 'thread-host.ts');
/** Threads of one entry that are kept without work: of two gateways. */
const mostIdle = 4;
/** Milliseconds in which a thread without work has closed its port. */
const patience = 200;

const idle = new Map<string, Worker[]>();

function idleOf(entry: string): Worker[] {
  const found = idle.get(entry) ?? [];
  idle.set(entry, found);
  return found;
}

/** What the program sees of a thread: of a Worker what it uses. */
class LastingThread extends EventEmitter {
  readonly #thread: Worker;
  readonly #idle: Worker[];
  readonly #port;
  #ended = false;

  constructor(entry: URL, options: WorkerOptions = {}) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#idle = idleOf(entry.href);
    const { name, resourceLimits = {} } = options;
    this.#thread = this.#idle.pop() ?? new Worker(host, { name, resourceLimits });
    this.#thread.unref();
    this.#thread.once('error', this.#fail).once('exit', this.#exit);
    port1.on('message', (message) => this.#ended || this.emit('message', message));
    // Its last message comes before the port's end, and no thread that failed says that it is free.
    const free = new Promise((resolve) => this.#thread.once('message', resolve));
    void Promise.all([once(port1, 'close'), free]).then(() => this.#leave());
    port1.unref();
    const task: ThreadTask = { entry: entry.href, data: options.workerData, port: port2 };
    this.#thread.postMessage(task, [port2]);
  }

  readonly #fail = (error: unknown): void => {
    this.emit('error', error);
  };

  readonly #exit = (code: number): void => {
    if (this.#ended) return;
    this.#ended = true;
    this.emit('exit', code);
  };

  #leave(): void {
    this.#thread.off('error', this.#fail).off('exit', this.#exit);
    if (this.#idle.length < mostIdle) this.#idle.push(this.#thread);
    else void this.#thread.terminate();
    this.#exit(0);
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  unref(): void {}

  async terminate(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    const end = once(this.#port, 'close');
    const busy = setTimeout(() => void this.#thread.terminate(), patience);
    this.#thread.postMessage('end');
    await end;
    clearTimeout(busy);
    this.emit('exit', 1);
  }
}

/** Not the one of fake timers. */
const later = setImmediate;

/**
 * A database thread without a thread: waking another one for each statement took a fifth of the
 * time of a gateway's tests. Statements are executed in order, on the same two connections as in
 * threads, and their results come in a later turn of the event loop.
 */
class InPlace extends EventEmitter {
  readonly #port = new EventEmitter();
  readonly #ready: Promise<void>;
  #ended = false;

  constructor(settings: WorkerSettings) {
    super();
    this.#ready = this.#serve(settings);
    this.#ready.catch((error: unknown) => {
      this.emit('error', error);
      this.#end();
    });
  }

  async #serve(settings: WorkerSettings): Promise<void> {
    const { serveSqliteWorker } = await import(
      '../../src/core/storage/dialects/sqlite-worker-server.ts'
    );
    const { planBatch } = await import('../../src/core/billing/plan/plan-batch.ts');
    const port: ServedPort = {
      on: (event, listener) => void this.#port.on(event, listener),
      postMessage: (reply) => {
        const { result } = reply;
        if (typeof result === 'object')
          for (const row of result.rows as Record<string, unknown>[])
            for (const [name, value] of Object.entries(row))
              if (Buffer.isBuffer(value)) row[name] = new Uint8Array(value);
        later(() => this.emit('message', reply));
      },
      close: () => later(() => this.#end()),
    };
    serveSqliteWorker(port, settings, planBatch);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.emit('exit', 0);
  }

  postMessage(message: { id: number; request: WorkerRequest }): void {
    void this.#ready.then(
      () => this.#port.emit('message', message),
      () => {},
    );
  }
}

threads.Worker = new Proxy(Worker, {
  construct: (worker, [entry, options]: [URL | string, WorkerOptions], target) =>
    entry instanceof URL && database.test(entry.pathname)
      ? new InPlace(options.workerData)
      : entry instanceof URL && lasting.test(entry.pathname)
        ? new LastingThread(entry, options)
        : Reflect.construct(worker, [entry, options], target),
});
syncBuiltinESMExports();
