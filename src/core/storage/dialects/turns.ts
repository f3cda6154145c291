/** A queue that grants turns in the order of the requests. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /**
   * Resolves when it is the caller's turn, with a function that ends the turn (further calls of it
   * do nothing).
   */
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
