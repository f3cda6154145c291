/** Gives turns in the order in which they were asked for. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when it is this caller's turn, with the function that ends the turn (further calls do nothing). */
  async take(): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    return resolve;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const done = await this.take();
    try {
      return await work();
    } finally {
      done();
    }
  }
}
