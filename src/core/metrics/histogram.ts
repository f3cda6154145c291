/** Counts of durations in fixed buckets. Observing allocates nothing. */

/** Upper bounds in seconds. */
export const durationBounds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300] as const;

export class Histogram {
  readonly #counts = new Float64Array(durationBounds.length + 1);
  #sum = 0;

  observe(ms: number): void {
    const seconds = ms / 1000;
    let place = 0;
    while (place < durationBounds.length && seconds > (durationBounds[place] ?? 0)) place += 1;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#sum += seconds;
  }

  /** Numbers of durations up to each bound, and of all; the sum in seconds. */
  read(): { readonly upTo: readonly number[]; readonly count: number; readonly sum: number } {
    let count = 0;
    const upTo = Array.from(this.#counts, (own) => {
      count += own;
      return count;
    });
    return { upTo: upTo.slice(0, -1), count, sum: this.#sum };
  }
}
