/** Whether the client is still there. An AbortSignal costs more than all other bookkeeping of a request, so it is created only on demand. */
import type { Writable } from 'node:stream';

export interface ClientWatch {
  readonly left: boolean;
  /** Called when the client leaves before its reply is complete; at once when it has left. One listener at a time. */
  onLeft(listener: (() => void) | null): void;
  signal(): AbortSignal;
}

/** Watches a response, or the socket of a client that asks for an upgrade. */
export function watchClient(response: Writable): ClientWatch {
  return new ResponseWatch(response);
}

class ResponseWatch implements ClientWatch {
  left = false;
  #listener: (() => void) | null = null;
  #controller: AbortController | null = null;

  constructor(response: Writable) {
    response.once('close', () => {
      if (response.writableFinished) return;
      this.left = true;
      this.#controller?.abort();
      this.#listener?.();
    });
  }

  onLeft(listener: (() => void) | null): void {
    this.#listener = listener;
    if (this.left) listener?.();
  }

  signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.left) this.#controller.abort();
    return this.#controller.signal;
  }
}
