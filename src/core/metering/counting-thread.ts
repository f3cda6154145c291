/** The thread that counts: started when it is first needed, ended when it has been idle, replaced when it failed. */
import { Worker } from 'node:worker_threads';
import type { Logger } from '../kernel/logger.ts';
import type { CountReply, CountRequest } from './worker-messages.ts';

export interface CountingThreadSettings {
  readonly logger: Logger;
  /** Milliseconds a count may take, waiting included. */
  readonly timeLimit?: number;
  /** Milliseconds after which a thread without work is ended: the tables weigh some 80 MB. */
  readonly idleLimit?: number;
  readonly workerUrl?: URL;
}

/** Counts that may wait for the thread. */
const queueLimit = 64;
const heapLimitMb = 512;

/** Node runs the source itself; a build puts the worker beside the bundle. */
function ownWorker(): URL {
  const name = import.meta.url.endsWith('.ts') ? './token-worker.ts' : './token-worker.js';
  return new URL(name, import.meta.url);
}

interface Job {
  readonly request: CountRequest;
  /** Undefined: it was not counted. */
  done(reply: CountReply | undefined): void;
}

export class CountingThread {
  readonly #settings: Required<CountingThreadSettings>;
  readonly #queue: Job[] = [];
  #current: Job | undefined;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(settings: CountingThreadSettings) {
    this.#settings = { timeLimit: 5000, idleLimit: 60_000, workerUrl: ownWorker(), ...settings };
  }

  /** Undefined where it could not be counted in time. */
  ask(request: CountRequest): Promise<CountReply | undefined> {
    if (this.#closed || this.#queue.length >= queueLimit) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#giveUp(job), this.#settings.timeLimit);
      const job: Job = {
        request,
        done: (reply) => {
          clearTimeout(timer);
          resolve(reply);
        },
      };
      this.#queue.push(job);
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    for (const job of this.#queue.splice(0)) job.done(undefined);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#answered(undefined);
    await worker?.terminate();
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#queue.shift();
    clearTimeout(this.#idle);
    if (this.#current === undefined) {
      if (this.#worker !== undefined) this.#idle = setTimeout(() => this.#drop(), this.#settings.idleLimit).unref();
      return;
    }
    this.#worker ??= this.#start();
    this.#worker.postMessage(this.#current.request);
  }

  #start(): Worker {
    const worker = new Worker(this.#settings.workerUrl, {
      name: 'token-counter',
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
    });
    worker.unref();
    worker.on('message', (reply: CountReply) => {
      if (this.#worker === worker) this.#answered(reply);
    });
    worker.on('error', (error) => this.#settings.logger.error({ error }, 'the thread that counts tokens failed'));
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      if (this.#current !== undefined) this.#answered(undefined);
    });
    return worker;
  }

  #drop(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #answered(reply: CountReply | undefined): void {
    const job = this.#current;
    this.#current = undefined;
    job?.done(reply);
    this.#next();
  }

  /** What still waits is taken out; what is being counted ends with its thread. */
  #giveUp(job: Job): void {
    if (job === this.#current) {
      this.#drop();
      return this.#answered(undefined);
    }
    const at = this.#queue.indexOf(job);
    if (at === -1) return;
    this.#queue.splice(at, 1);
    job.done(undefined);
  }
}
