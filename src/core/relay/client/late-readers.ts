/**
 * Streams whose client has left and that are read on for a moment, because their usage may follow
 * (docs/rules/streams.md#client-gone). They are few, short and small, so that leaving early is no
 * way to load the gateway.
 */

/** At most this many at once. */
const mostReaders = 64;
/** Each for this many milliseconds, and this many bytes. */
const longest = 2000;
const mostBytes = 256 * 1024;

export class LateReaders {
  #count = 0;

  /**
   * Undefined: too many read already. `stop` is called once, when time or bytes are used up, unless
   * the reader was closed.
   */
  open(stop: () => void): LateReader | undefined {
    if (this.#count >= mostReaders) return undefined;
    this.#count += 1;
    return new LateReader(stop, () => {
      this.#count -= 1;
    });
  }
}

export class LateReader {
  readonly #stop: () => void;
  readonly #release: () => void;
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;
  #closed = false;

  constructor(stop: () => void, release: () => void) {
    this.#stop = stop;
    this.#release = release;
    this.#timer = setTimeout(stop, longest).unref();
  }

  /** Counts bytes that came. */
  note(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > mostBytes && !this.#closed) this.#stop();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#release();
  }
}
