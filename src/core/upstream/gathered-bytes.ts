import { noBytes } from '../kernel/no-bytes.ts';

/**
 * Chunks of at least this many bytes are kept as they are; smaller ones are copied into shared
 * blocks.
 */
const blockSize = 16 * 1024;

/**
 * Collects the chunks of a body. The peer chooses the size of its chunks, and each Buffer costs
 * about a hundred bytes of overhead, so keeping every chunk of a body sent byte by byte would
 * exhaust the memory.
 */
export class GatheredBytes {
  readonly #whole: Buffer[] = [];
  #block: Buffer = noBytes;
  #used = 0;
  /** In bytes. */
  size = 0;

  push(piece: Buffer): void {
    this.size += piece.length;
    if (piece.length >= blockSize || (this.#block.length === 0 && this.#whole.length === 0)) {
      this.#closeBlock();
      this.#whole.push(piece);
      return;
    }
    if (this.#used + piece.length > this.#block.length) {
      this.#closeBlock();
      this.#block = Buffer.allocUnsafe(blockSize);
    }
    this.#used += piece.copy(this.#block, this.#used);
  }

  #closeBlock(): void {
    if (this.#used === 0) return;
    this.#whole.push(this.#block.subarray(0, this.#used));
    this.#block = noBytes;
    this.#used = 0;
  }

  /** All bytes. Nothing may be added afterwards. */
  join(): Buffer {
    this.#closeBlock();
    const [only, ...more] = this.#whole;
    return only !== undefined && more.length === 0 ? only : Buffer.concat(this.#whole);
  }
}
