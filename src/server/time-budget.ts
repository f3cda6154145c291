/**
 * How much of the main thread's time calls of the console API may take
 * (docs/rules/security.md#time-budget).
 */
import type { Clock } from '../core/kernel/clock.ts';
import { AppError } from '../core/kernel/errors.ts';

export interface TimeBudget {
  /** Throws AppError rate_limited where the budget of one of the keys is used up. */
  check(keys: readonly string[]): void;
  /** Runs work that does not wait, and takes its time from the budgets. */
  measure<T>(keys: readonly string[], work: () => T): T;
  spend(keys: readonly string[], ms: number): void;
  /** Milliseconds of this thread's time, for measuring. */
  now(): number;
}

export interface TimeBudgetDeps {
  readonly clock: Clock;
  /**
   * Absent: what the processor spent on this thread, so that waiting for other processes does not
   * count.
   */
  readonly now?: (() => number) | undefined;
  readonly isEnabled: boolean;
}

/** Milliseconds that each key may use at once, and that it gets back in a second. */
const most = 2000;
const perSecond = 100;
/** Keys above which those are looked for whose budget is whole again. */
const sweepAt = 10_000;

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export function createTimeBudget({
  clock,
  now = threadTime,
  isEnabled,
}: TimeBudgetDeps): TimeBudget {
  /** What was used by key, as of a time. */
  const used = new Map<string, { ms: number; at: number }>();
  let sweepSize = sweepAt;

  const usedNow = (key: string): number => {
    const entry = used.get(key);
    return entry === undefined
      ? 0
      : Math.max(0, entry.ms - ((clock.now() - entry.at) / 1000) * perSecond);
  };
  const sweep = (): void => {
    for (const key of used.keys()) if (usedNow(key) === 0) used.delete(key);
    sweepSize = Math.max(sweepAt, used.size * 2);
  };
  const spend = (keys: readonly string[], ms: number): void => {
    if (!isEnabled || ms <= 0) return;
    for (const key of keys) used.set(key, { ms: usedNow(key) + ms, at: clock.now() });
    if (used.size > sweepSize) sweep();
  };
  return {
    now,
    spend,
    check: (keys) => {
      const beyond = Math.max(0, ...keys.map(usedNow)) - most;
      if (beyond <= 0) return;
      const seconds = Math.max(1, Math.ceil(beyond / perSecond));
      throw new AppError('rate_limited', { seconds, retryAfter: seconds });
    },
    measure: (keys, work) => {
      const from = now();
      try {
        return work();
      } finally {
        spend(keys, now() - from);
      }
    },
  };
}
