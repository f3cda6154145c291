/** When what is left of a budget is spent, at the pace of its window (docs/rules/budgets.md#forecast). */
import { budgetStateOf, fullestOf, neverEnds } from './budgets.ts';

interface SpentWindow {
  readonly spent: number;
  readonly limit: number;
  /** Unix seconds; `ends_at` may be `neverEnds`. */
  readonly starts_at: number;
  readonly ends_at: number;
}

/** Seconds of a window, and the part of it, before which one request is no pace. */
export const leastSeconds = 600;
export const leastPart = 0.05;
/** Seconds beyond which nothing is foretold. */
const horizon = 365 * 86_400;

/**
 * Unix seconds; undefined: it lasts until the window ends or for a year, it is spent already, or it
 * is too early to say.
 */
export function usedUpAt(
  { spent, limit, starts_at, ends_at }: SpentWindow,
  now: number,
): number | undefined {
  const elapsed = now - starts_at;
  const isEndless = ends_at === neverEnds;
  if (spent <= 0 || spent >= limit || elapsed < leastSeconds) return undefined;
  if (!isEndless && elapsed < (ends_at - starts_at) * leastPart) return undefined;
  const left = Math.ceil(((limit - spent) / spent) * elapsed);
  const lasts = left > horizon || (!isEndless && now + left >= ends_at);
  return lasts ? undefined : now + left;
}

/** Whether a budget is spent, near its end or on the way to it. `now`: Unix seconds. */
export function isEnding(
  budget: Parameters<typeof budgetStateOf>[0] & { readonly windows: readonly SpentWindow[] },
  now: number,
): boolean {
  const state = budgetStateOf(budget);
  if (budget.period === 'none' || state === 'off' || state === 'unused') return false;
  const fullest = fullestOf(budget.windows);
  return state !== 'within' || (fullest !== undefined && usedUpAt(fullest, now) !== undefined);
}
