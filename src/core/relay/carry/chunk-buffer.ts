import { GatheredBytes } from '../../upstream/gathered-bytes.ts';
import { wholeEvents } from '../formats/shared/forward-format.ts';

/** Bytes of a blank line that may stand in an earlier piece than its last newline. */
const seam = 2;

/** Pieces of a stream that make no whole event yet: put together only once, however many they are. */
export class ChunkBuffer {
  #waiting = new GatheredBytes();
  #tail: Buffer = Buffer.alloc(0);

  /** In bytes. */
  get size(): number {
    return this.#waiting.size;
  }

  push(piece: Buffer): void {
    this.#waiting.push(piece);
    this.#tail = Buffer.concat([this.#tail, piece.subarray(-seam)]).subarray(-seam);
  }

  /** Length of what in the next piece still belongs to whole events; 0: with it there is no whole one either. */
  wholeIn(next: Buffer): number {
    const inside = wholeEvents(next);
    if (inside > 0 || this.size === 0) return inside;
    return Math.max(0, wholeEvents(Buffer.concat([this.#tail, next.subarray(0, seam)])) - this.#tail.length);
  }

  /** All of them and what follows, in one; nothing waits any more. */
  takeWith(next: Buffer): Buffer {
    if (this.size === 0) return next;
    this.#waiting.push(next);
    const whole = this.#waiting.join();
    this.#waiting = new GatheredBytes();
    this.#tail = Buffer.alloc(0);
    return whole;
  }
}
