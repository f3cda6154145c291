/** What of a forwarded stream is kept after it was sent: to be counted where usage never comes, and to end it where it breaks. */
import type { GeneratedText } from '../../metering/countable.ts';
import type { ForwardFormat } from '../formats/shared/forward-format.ts';

/** Bytes kept of the front. */
const keepLimit = 1024 * 1024;

export class SentEvents {
  /** The front, a character for each byte: thousands of small buffers would weigh far more. */
  #front = '';
  /** The events that were sent last. */
  newest: Buffer = Buffer.alloc(0);
  #isFrontWhole = true;
  /** Bytes sent in all. */
  #size = 0;

  /** `text`: the same as latin1. */
  note(events: Buffer, text: string): void {
    this.#size += text.length;
    this.newest = events;
    if (this.#front.length < keepLimit) this.#front += text;
    else this.#isFrontWhole = false;
  }

  /** The front and the newest events. */
  kept(): Buffer {
    const front = Buffer.from(this.#front, 'latin1');
    return this.#isFrontWhole ? front : Buffer.concat([front, this.newest]);
  }

  /** What all of it said and `held`, which was not sent, says; beyond the front by the front's density. */
  generated(format: ForwardFormat, held: Buffer): GeneratedText {
    const { text, toolCalls } = format.generated(Buffer.concat([Buffer.from(this.#front, 'latin1'), held]));
    if (this.#size <= this.#front.length) return { text, toolCalls };
    const length = Math.round((text.length * this.#size) / this.#front.length);
    return { text: text.repeat(Math.ceil(length / Math.max(1, text.length))).slice(0, length), toolCalls };
  }
}
