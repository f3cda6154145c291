/** Pieces of at least this many bytes are kept as they came; smaller ones are copied into blocks that they share. */
const blockSize = 16 * 1024;

/**
 * Bytes that come in pieces, put together at the end. A peer chooses how small its pieces are, and each that is kept by
 * itself takes a hundred bytes besides its own: a body sent byte by byte would fill the memory.
 */
export class GatheredBytes {
  readonly #whole: Buffer[] = [];
  #block: Buffer = Buffer.alloc(0);
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
    if (this.#used > 0) this.#whole.push(this.#block.subarray(0, this.#used));
    this.#block = Buffer.alloc(0);
    this.#used = 0;
  }

  /** All of it; nothing may come behind. */
  join(): Buffer {
    this.#closeBlock();
    const [only, ...more] = this.#whole;
    return only !== undefined && more.length === 0 ? only : Buffer.concat(this.#whole);
  }
}
