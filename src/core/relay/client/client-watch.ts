/**
 * Whether the client is still there, and whether the gateway lets the request go on. An AbortSignal
 * costs more than all other bookkeeping of a request, so it is created only on demand.
 */
import type { Writable } from 'node:stream';
import { AppError } from '../../kernel/errors.ts';

/**
 * `left`: the client closed its connection. `stopped`: the gateway stops and cuts off what is under
 * way.
 */
export type Departure = 'left' | 'stopped';

export interface ClientWatch {
  /** Why the request is to end; undefined: the client waits for its answer. */
  readonly departure: Departure | undefined;
  /**
   * Called when the client leaves before its reply is complete, or the gateway stops; at once when
   * that has happened, since it may happen before anything listens. One listener at a time.
   */
  onLeft(listener: ((why: Departure) => void) | null): void;
  /** Aborted with the AppError of the departure. */
  signal(): AbortSignal;
}

export interface StoppableWatch extends ClientWatch {
  /** The gateway stops now. */
  stop(): void;
}

/** client_gone, which nobody reads any more, or shutting_down, which the caller gets. */
export function departureError(why: Departure): AppError {
  return new AppError(why === 'left' ? 'client_gone' : 'shutting_down');
}

/** Watches a response, or the socket of a client that asks for an upgrade. */
export function watchClient(response: Writable): StoppableWatch {
  return new ResponseWatch(response);
}

class ResponseWatch implements StoppableWatch {
  #why: Departure | undefined;
  #listener: ((why: Departure) => void) | null = null;
  #controller: AbortController | null = null;

  constructor(response: Writable) {
    // Of a response that was closed before no event follows.
    if (response.destroyed && !response.writableFinished) this.#why = 'left';
    response.once('close', () => {
      if (!response.writableFinished) this.#depart('left');
    });
  }

  get departure(): Departure | undefined {
    return this.#why;
  }

  stop(): void {
    this.#depart('stopped');
  }

  #depart(why: Departure): void {
    this.#why ??= why;
    this.#controller?.abort(departureError(this.#why));
    this.#listener?.(why);
  }

  onLeft(listener: ((why: Departure) => void) | null): void {
    this.#listener = listener;
    if (this.#why !== undefined) listener?.(this.#why);
  }

  signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#why !== undefined) this.#controller.abort(departureError(this.#why));
    return this.#controller.signal;
  }
}
