/** Random numbers that repeat for the same seed: a demo site looks the same at each start. */
export interface Random {
  /** From 0 (included) to 1 (excluded). */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean;
  /** One of the items. Throws RangeError when there are none. */
  pick<T>(items: readonly T[]): T;
  /** One of the items, each as often as its weight says. Throws RangeError when there are none. */
  pickWeighted<T>(items: readonly (readonly [item: T, weight: number])[]): T;
}

/** Mulberry32 (public domain). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pickWeighted: Random['pickWeighted'] = (items) => {
    let remaining = next() * items.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [item, weight] of items) {
      remaining -= weight;
      if (remaining < 0) return item;
    }
    throw new RangeError('nothing to pick from');
  };
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => pickWeighted(items.map((item) => [item, 1] as const)),
    pickWeighted,
  };
}
