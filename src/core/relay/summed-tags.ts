import { mostSummedTags, otherTags } from '../vocabulary/tags.ts';

/**
 * Keeps the hourly sums by tag small, whatever callers send: a user's first tags of an hour are
 * summed one by one, those beyond as one (docs/rules/tags.md#sums). Log rows and budgets have all.
 */
export class SummedTags {
  #hour = 0;
  #seen = new Map<number, Set<string>>();
  #size = 0;

  /** `hour`: its start, in Unix seconds. Tags of an earlier hour count to the current one's. */
  of(userId: number, hour: number, tags: readonly string[]): readonly string[] {
    if (hour > this.#hour) {
      this.#hour = hour;
      this.#seen = new Map();
      this.#size = 0;
    }
    const seen = this.#seen.get(userId) ?? new Set();
    this.#seen.set(userId, seen);
    const summed = tags.filter((tag) => {
      if (seen.has(tag)) return true;
      if (seen.size >= mostSummedTags.perUser || this.#size >= mostSummedTags.inAll) return false;
      seen.add(tag);
      this.#size += 1;
      return true;
    });
    return summed.length === tags.length ? tags : [...summed, otherTags];
  }
}
