/** Writes a reply as its parts come. A client that reads slowly slows its upstream down. */
import type { Clock } from '../../kernel/clock.ts';
import type { ClientReply } from './client.ts';
import { fullAfter, writeChunk } from './stream-write.ts';

interface WrittenJob {
  readonly response: ClientReply;
  /** Milliseconds; 0: no pings. */
  readonly policy: { readonly pingInterval: number };
  readonly deps: { readonly clock: Pick<Clock, 'now'> };
}

export class ReplyWriter {
  readonly #job: WrittenJob;
  readonly #slow: (isFull: boolean) => void;
  #hasWritten = false;
  #isFull = false;
  #lastWrite = 0;

  /** `slow` is called when more must not come for now, and when it may again. */
  constructor(job: WrittenJob, slow: (isFull: boolean) => void) {
    this.#job = job;
    this.#slow = slow;
  }

  /** The client has not taken what was written last. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** `latin1`: the bytes as text. */
  write(data: Buffer | string, latin1?: string): void {
    const { response, policy, deps } = this.#job;
    if (policy.pingInterval > 0) this.#lastWrite = deps.clock.now();
    // The first chunk takes the head along.
    const full = this.#hasWritten ? writeChunk(response, data, latin1) : fullAfter(response, data);
    this.#hasWritten = true;
    if (full === undefined || this.#isFull) return;
    this.#setFull(true);
    full.once('drain', () => this.#setFull(false));
  }

  #setFull(isFull: boolean): void {
    this.#isFull = isFull;
    this.#slow(isFull);
  }

  /** Keeps the connection open where nothing was written for an interval of pings. */
  ping(text: string): void {
    const { response, policy, deps } = this.#job;
    if (deps.clock.now() - this.#lastWrite >= policy.pingInterval) response.write(text);
  }

  /** Sends the headers where nothing was written. */
  flush(): void {
    this.#job.response.write('');
  }

  /** The client has left: it slows nothing down any more. */
  leave(): void {
    this.#setFull(false);
  }
}
