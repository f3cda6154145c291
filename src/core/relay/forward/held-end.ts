/** The end of a forwarded stream, waiting for the settlement. */
import type { ForwardFormat } from './forward-format.ts';

/** How far a stream has come: its end may still take its time, is expected to come now, or is here. */
export type EndState = 'open' | 'finished' | 'last';

export class HeldEnd {
  readonly #format: ForwardFormat;
  /** Pictures that were ordered, each of which has an event of its own. */
  readonly #pictures: () => number;
  #chunks: Buffer[] = [];
  /** In bytes. */
  size = 0;

  constructor(format: ForwardFormat, pictures: () => number) {
    this.#format = format;
    this.#pictures = pictures;
  }

  get bytes(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  push(events: Buffer): void {
    this.#chunks.push(events);
    this.size += events.length;
  }

  get isFinished(): boolean {
    return this.size > 0 && this.#format.isFinished(this.bytes);
  }

  /** What the newest of it mean. `text`: the same as latin1. */
  stateAfter(text: string): EndState {
    if (!text.includes('data:')) return 'open'; // comments that keep the connection alive
    if (this.#format.isLast?.(text) === true) return 'last';
    if (!this.isFinished) return 'open';
    const { streamPictures } = this.#format;
    if (streamPictures === undefined) return 'finished';
    return streamPictures(this.bytes) < this.#pictures() ? 'open' : 'last';
  }
}
