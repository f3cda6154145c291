/**
 * What stops a conversation or an agent that runs in circles (docs/rules/budgets.md#fences). Pure.
 */
import type { BudgetWindow } from '../billing/index.ts';
import { AppError } from '../kernel/errors.ts';
import type { Budget, BudgetWindowRow } from '../storage/storage.ts';

/** Turns of a cycle: one that repeats, or two agents that answer each other. */
const longestCycle = 4;

/**
 * How often the last turns repeat what came directly before them: 1 where they do not. `turns` are
 * what a model did in each turn, oldest first; the same text stands for the same calls or words.
 */
export function repeatsOf(turns: readonly string[]): number {
  let most = 1;
  for (let cycle = 1; cycle <= longestCycle && cycle * 2 <= turns.length; cycle += 1) {
    let same = 0;
    for (let at = turns.length - 1; at >= cycle && turns[at] === turns[at - cycle]; at -= 1)
      same += 1;
    most = Math.max(most, Math.floor(same / cycle) + 1);
  }
  return most;
}

/** What a window allows besides money; 0: no limit. */
export interface Fence {
  readonly budget: string;
  /** Minutes, and the Unix second from which they are counted. */
  readonly minutes: number;
  readonly from: number;
  readonly repeats: number;
  /** Times the usual spending. */
  readonly pace: number;
}

export const fenceFields = ['mostRequests', 'mostMinutes', 'mostRepeats', 'mostPace'] as const;

export const hasFence = (budget: Partial<Pick<Budget, (typeof fenceFields)[number]>>): boolean =>
  fenceFields.some((field) => (budget[field] ?? 0) > 0);

/** Undefined: the budget is about money alone. With each grant a loop may go on for as long again. */
export function fenceOf(
  budget: Budget,
  { startsAt, fencedFrom, grants }: BudgetWindowRow,
): Fence | undefined {
  const { mostMinutes, mostRepeats, mostPace } = budget;
  if (mostMinutes === 0 && mostRepeats === 0 && mostPace === 0) return undefined;
  return {
    budget: budget.name || String(budget.id),
    minutes: mostMinutes,
    from: Math.max(startsAt, fencedFrom),
    repeats: mostRepeats * (1 + grants),
    pace: mostPace,
  };
}

/** The part of a fence that the ledger keeps, because it counts requests. */
export const requestLimit = (
  { mostRequests }: Budget,
  { extraRequests }: BudgetWindowRow,
): Pick<BudgetWindow, 'mostRequests'> =>
  mostRequests === 0 ? {} : { mostRequests: mostRequests + extraRequests };

/** Throws AppError fence_minutes, fence_repeats. */
export function requireInside(fence: Fence, now: number, repeats: number): void {
  const { budget } = fence;
  if (fence.minutes > 0 && now - fence.from >= fence.minutes * 60)
    throw new AppError('fence_minutes', { budget, minutes: fence.minutes });
  if (fence.repeats > 0 && repeats >= fence.repeats)
    throw new AppError('fence_repeats', { budget, times: repeats });
}

interface Part {
  readonly used: number;
  readonly limit: number;
}

/** What a window has used of each part of its fence; limit 0: there is none. `now`: Unix seconds. */
export function fenceUse(
  { mostRequests, mostMinutes, mostRepeats, mostPace }: Pick<Budget, (typeof fenceFields)[number]>,
  window: BudgetWindowRow,
  now: number,
): Readonly<Record<'requests' | 'minutes' | 'repeats' | 'pace', Part>> {
  const { requests, extraRequests, startsAt, fencedFrom, repeats, grants, pace } = window;
  return {
    requests: { used: requests, limit: mostRequests === 0 ? 0 : mostRequests + extraRequests },
    minutes: {
      used: Math.max(0, Math.floor((now - Math.max(startsAt, fencedFrom)) / 60)),
      limit: mostMinutes,
    },
    repeats: { used: repeats, limit: mostRepeats * (1 + grants) },
    pace: { used: pace, limit: mostPace },
  };
}

/** The largest part of its fence that a window has used, in per cent, rounded down. */
export function usedOfFence(budget: Budget, window: BudgetWindowRow, now: number): number {
  const parts = Object.values(fenceUse(budget, window, now));
  return Math.max(
    ...parts.map(({ used, limit }) => (limit === 0 ? 0 : Math.floor((used / limit) * 100))),
  );
}
