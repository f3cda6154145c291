/**
 * The counting thread: started when it is first needed, ended when it was idle for a while,
 * replaced when it failed.
 */
import { Worker } from 'node:worker_threads';
import type { Logger } from '../kernel/logger.ts';
import type { CountReply, CountRequest } from './worker-messages.ts';

export interface CountingThreadSettings {
  readonly logger: Logger;
  /** Milliseconds a count may take, waiting included. */
  readonly timeLimit?: number;
  /**
   * Milliseconds after which a thread that has not counted anything yet is ended: on a busy machine
   * it takes longer to start than a count may. One that was ended for it would never be there.
   */
  readonly startLimit?: number;
  /** Milliseconds after which a thread without work is ended: the tables weigh some 80 MB. */
  readonly idleLimit?: number;
  readonly workerUrl?: URL;
}

/** In ms. Tests on a busy machine allow a thread more time to start. */
export const countingLimits = { timeLimit: 5000, startLimit: 60_000, idleLimit: 60_000 };
/** Counts that may wait for the thread. */
const queueLimit = 64;
const heapLimitMb = 512;

/** Node runs the source itself; a build puts the worker beside the bundle. */
function ownWorker(): URL {
  const name = import.meta.url.endsWith('.ts') ? './token-worker.ts' : './token-worker.js';
  return new URL(name, import.meta.url);
}

interface PendingCount {
  readonly request: CountRequest;
  /** Undefined: it could not be counted. */
  done(reply: CountReply | undefined): void;
}

export class CountingThread {
  readonly #settings: Required<CountingThreadSettings>;
  readonly #queue: PendingCount[] = [];
  #current: PendingCount | undefined;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** Runs until the thread has counted something. */
  #starting: NodeJS.Timeout | undefined;
  #newest = 0;
  #closed = false;

  constructor(settings: CountingThreadSettings) {
    this.#settings = { ...countingLimits, workerUrl: ownWorker(), ...settings };
  }

  /** Undefined where it could not be counted in time. */
  count(given: Omit<CountRequest, 'id'>): Promise<CountReply | undefined> {
    if (this.#closed || this.#queue.length >= queueLimit) return Promise.resolve(undefined);
    this.#newest += 1;
    const request = { ...given, id: this.#newest };
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#giveUp(pending), this.#settings.timeLimit);
      const pending: PendingCount = {
        request,
        done: (reply) => {
          clearTimeout(timer);
          resolve(reply);
        },
      };
      this.#queue.push(pending);
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    for (const pending of this.#queue.splice(0)) pending.done(undefined);
    const worker = this.#worker;
    this.#forget();
    this.#complete(undefined);
    await worker?.terminate();
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#queue.shift();
    clearTimeout(this.#idle);
    if (this.#current === undefined) {
      if (this.#worker !== undefined)
        this.#idle = setTimeout(() => this.#drop(), this.#settings.idleLimit).unref();
      return;
    }
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage(this.#current.request);
    } catch (error) {
      // No thread can be started now, as where no process may have more: the next count tries again.
      this.#settings.logger.error({ error }, 'the thread that counts tokens was not started');
      this.#complete(undefined);
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#settings.workerUrl, {
      name: 'token-counter',
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
    });
    worker.unref();
    this.#starting = setTimeout(() => {
      this.#drop();
      this.#complete(undefined);
    }, this.#settings.startLimit).unref();
    worker.on('message', (reply: CountReply) => {
      if (this.#worker !== worker) return;
      clearTimeout(this.#starting);
      this.#starting = undefined;
      if (this.#current?.request.id === reply.id) this.#complete(reply);
    });
    worker.on('error', (error) =>
      this.#settings.logger.error({ error }, 'the thread that counts tokens failed'),
    );
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#forget();
      if (this.#current !== undefined) this.#complete(undefined);
    });
    return worker;
  }

  #drop(): void {
    void this.#worker?.terminate();
    this.#forget();
  }

  #forget(): void {
    this.#worker = undefined;
    clearTimeout(this.#starting);
    this.#starting = undefined;
  }

  #complete(reply: CountReply | undefined): void {
    const pending = this.#current;
    this.#current = undefined;
    pending?.done(reply);
    this.#next();
  }

  /**
   * Removes a waiting count from the queue; the current one ends with its thread, unless that is
   * still starting.
   */
  #giveUp(pending: PendingCount): void {
    if (pending === this.#current) {
      if (this.#starting === undefined) this.#drop();
      return this.#complete(undefined);
    }
    const at = this.#queue.indexOf(pending);
    if (at === -1) return;
    this.#queue.splice(at, 1);
    pending.done(undefined);
  }
}
