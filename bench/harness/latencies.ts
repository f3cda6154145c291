/** Figures of a list of latencies in milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

export function latencyOf(values: readonly number[]): Latency {
  return { p50: quantile(values, 0.5), p99: quantile(values, 0.99), worst: quantile(values, 1) };
}

/**
 * Upper limits in milliseconds of the columns of a histogram; the last column has what is above.
 */
export const histogramLimits = [0.5, 1, 1.5, 2, 3, 5, 10, 20, 50, 100, 200] as const;

/** How many values lie in each column. */
export function histogram(values: readonly number[]): readonly number[] {
  const counts = new Array<number>(histogramLimits.length + 1).fill(0);
  for (const value of values) {
    const column = histogramLimits.findIndex((limit) => value <= limit);
    const index = column === -1 ? histogramLimits.length : column;
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}
