/**
 * Memory for bodies that is used again: a new buffer for each body makes the garbage collector run
 * after every few dozen of them (docs/rules/relay.md#body-memory). A slab is only used again when
 * nothing can read it any more.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/**
 * Smaller bodies are cheaper in a buffer of their own, larger ones are too rare to keep memory for;
 * in bytes.
 */
const smallest = 16 * 1024;
const largest = 8 * 1024 * 1024;
/** Bytes of free slabs that are kept. */
const mostFree = 64 * 1024 * 1024;
/** Free slabs that were not needed for this many milliseconds are dropped. */
const idleLimit = 5000;

/** The slab in which a body lies, by its memory. */
const slabs = new WeakMap<ArrayBufferLike, BodySlab>();

export class BodySlab {
  readonly #memory: Buffer;
  /** Sockets that took its bytes. */
  #sockets: Socket[] = [];
  /** Requests that were handed to a connection pool and are not known to be written to a socket. */
  #unwritten = 0;

  constructor(size: number) {
    this.#memory = Buffer.allocUnsafeSlow(size);
    slabs.set(this.#memory.buffer, this);
  }

  get size(): number {
    return this.#memory.length;
  }

  first(bytes: number): Buffer {
    return this.#memory.subarray(0, bytes);
  }

  /** Its bytes are about to be sent. */
  sending(): void {
    this.#unwritten += 1;
  }

  written(socket: Socket & { readonly alpnProtocol?: string | false | null }): void {
    // A session of HTTP/2 buffers the bytes itself.
    if (socket.alpnProtocol === 'h2') return;
    this.#unwritten -= 1;
    this.#sockets.push(socket);
  }

  /**
   * Whether every socket has passed the bytes to the kernel. An upstream may answer before it has
   * read a body.
   */
  takeBack(): boolean {
    const isFlushed =
      this.#unwritten === 0 && this.#sockets.every((socket) => socket.writableLength === 0);
    this.#sockets = [];
    return isFlushed;
  }
}

/** Notes that a body is handed to a transport. */
export function noteSending(body: Buffer | string | undefined): void {
  if (typeof body === 'object') slabs.get(body.buffer)?.sending();
}

// undici publishes this just before the first byte of a request is written.
subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as {
    readonly request: { readonly body?: unknown };
    readonly socket: Socket;
  };
  if (Buffer.isBuffer(request.body)) slabs.get(request.body.buffer)?.written(socket);
});

/**
 * In quarters of powers of two, so that few sizes serve all bodies and at most a fifth of a slab
 * stays empty.
 */
function roundedSize(bytes: number): number {
  const step = 2 ** (Math.floor(Math.log2(bytes)) - 2);
  return Math.ceil(bytes / step) * step;
}

export class SlabPool {
  readonly #free = new Map<number, BodySlab[]>();
  #freeBytes = 0;
  /** The fewest free slabs of each size since the last look: they were not needed. */
  readonly #spare = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;

  /** Bytes of free slabs. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  /**
   * Undefined: a body of this size is not kept in a slab. The caller gives it back, or forgets it.
   */
  take(bytes: number): BodySlab | undefined {
    if (bytes < smallest || bytes > largest) return undefined;
    const size = roundedSize(bytes);
    const free = this.#free.get(size);
    const slab = free?.pop();
    if (slab === undefined || free === undefined) return new BodySlab(size);
    this.#freeBytes -= size;
    if (free.length < (this.#spare.get(size) ?? 0)) this.#spare.set(size, free.length);
    return slab;
  }

  /** The owner does not use it any more. */
  give(slab: BodySlab): void {
    if (!slab.takeBack() || this.#freeBytes + slab.size > mostFree) return;
    const free = this.#free.get(slab.size);
    if (free === undefined) this.#free.set(slab.size, [slab]);
    else free.push(slab);
    this.#freeBytes += slab.size;
    this.#timer ??= setTimeout(() => this.#dropSpare(), idleLimit).unref();
  }

  #dropSpare(): void {
    this.#timer = undefined;
    for (const [size, free] of this.#free) {
      const dropped = free.splice(0, this.#spare.get(size) ?? 0).length;
      this.#freeBytes -= dropped * size;
      this.#spare.set(size, free.length);
      if (free.length === 0) this.#free.delete(size);
    }
    if (this.#freeBytes > 0) this.#timer = setTimeout(() => this.#dropSpare(), idleLimit).unref();
  }
}
