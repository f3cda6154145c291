/** The end of a forwarded stream, waiting for the settlement. */
import type { ForwardFormat } from '../formats/shared/forward-format.ts';

/** How far a stream has come: its end may still take its time, is expected to come now, or is here. */
export type EndState = 'open' | 'finished' | 'last';

export class StreamTail {
  readonly #format: ForwardFormat;
  /** Images that were ordered, each of which has an event of its own. */
  readonly #images: () => number;
  #chunks: Buffer[] = [];
  /** What was not looked at yet: each event is read once, however many follow. */
  #unread: Buffer[] = [];
  #finished = false;
  #drawn = 0;
  /** In bytes. */
  size = 0;

  constructor(format: ForwardFormat, images: () => number) {
    this.#format = format;
    this.#images = images;
  }

  get bytes(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  push(events: Buffer): void {
    this.#chunks.push(events);
    this.#unread.push(events);
    this.size += events.length;
  }

  #read(): void {
    for (const events of this.#unread.splice(0)) {
      this.#finished ||= this.#format.isFinished(events);
      this.#drawn += this.#format.streamImages?.(events) ?? 0;
    }
  }

  get isFinished(): boolean {
    this.#read();
    return this.#finished;
  }

  /** Images in it; undefined: the format has none. One, where none is whole: what was delivered is paid. */
  get images(): number | undefined {
    this.#read();
    return this.#format.streamImages === undefined ? undefined : Math.max(1, this.#drawn);
  }

  /** What the newest of it mean. `text`: the same as latin1. */
  stateAfter(text: string): EndState {
    if (!text.includes('data:')) return 'open'; // comments that keep the connection alive
    if (this.#format.isLast?.(text) === true) return 'last';
    if (!this.isFinished) return 'open';
    const { images } = this;
    if (images === undefined) return 'finished';
    return images < this.#images() ? 'open' : 'last';
  }
}
