/**
 * Whether the client is still there, and whether the gateway lets the request go on. An AbortSignal costs more than all other
 * bookkeeping of a request, so it is created only on demand.
 */
import type { Writable } from 'node:stream';

/** `left`: the client closed its connection. `stopped`: the gateway stops and cuts off what is under way. */
export type Departure = 'left' | 'stopped';

export interface ClientWatch {
  /** The request needs no answer any more: the client has left, or the gateway stops. */
  readonly left: boolean;
  /** Called when the client leaves before its reply is complete, or the gateway stops; at once when that has happened. One listener at a time. */
  onLeft(listener: ((why: Departure) => void) | null): void;
  signal(): AbortSignal;
}

export interface StoppableWatch extends ClientWatch {
  /** The gateway stops now. */
  stop(): void;
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
    response.once('close', () => {
      if (!response.writableFinished) this.#depart('left');
    });
  }

  get left(): boolean {
    return this.#why !== undefined;
  }

  stop(): void {
    this.#depart('stopped');
  }

  #depart(why: Departure): void {
    this.#why ??= why;
    this.#controller?.abort();
    this.#listener?.(why);
  }

  onLeft(listener: ((why: Departure) => void) | null): void {
    this.#listener = listener;
    if (this.#why !== undefined) listener?.(this.#why);
  }

  signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.left) this.#controller.abort();
    return this.#controller.signal;
  }
}
