/** Pieces of a stream that make no whole event yet: put together only once, however many they are. */
export class Pieces {
  #waiting: Buffer[] = [];
  /** In bytes. */
  size = 0;

  push(piece: Buffer): void {
    this.#waiting.push(piece);
    this.size += piece.length;
  }

  /** All of them and what follows, in one; nothing waits any more. */
  takeWith(next: Buffer): Buffer {
    if (this.size === 0) return next;
    const whole = Buffer.concat([...this.#waiting, next]);
    this.#waiting = [];
    this.size = 0;
    return whole;
  }
}
