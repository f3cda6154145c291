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
}

type FenceFields = Pick<Budget, 'mostRequests' | 'mostMinutes' | 'mostRepeats'>;

export const hasFence = ({ mostRequests, mostMinutes, mostRepeats }: FenceFields): boolean =>
  mostRequests > 0 || mostMinutes > 0 || mostRepeats > 0;

/** Undefined: the budget is about money alone. With each grant a loop may go on for as long again. */
export function fenceOf(
  budget: Budget,
  { startsAt, fencedFrom, grants }: BudgetWindowRow,
): Fence | undefined {
  if (budget.mostMinutes === 0 && budget.mostRepeats === 0) return undefined;
  return {
    budget: budget.name || String(budget.id),
    minutes: budget.mostMinutes,
    from: Math.max(startsAt, fencedFrom),
    repeats: budget.mostRepeats * (1 + grants),
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

/** The largest part of its fence that a window has used, in per cent, rounded down. */
export function usedOfFence(budget: Budget, window: BudgetWindowRow, now: number): number {
  const { mostRequests, mostMinutes, mostRepeats } = budget;
  const { requests, extraRequests, startsAt, fencedFrom, repeats, grants } = window;
  const part = (used: number, limit: number) => (limit === 0 ? 0 : (used / limit) * 100);
  return Math.floor(
    Math.max(
      part(requests, mostRequests === 0 ? 0 : mostRequests + extraRequests),
      part(now - Math.max(startsAt, fencedFrom), mostMinutes * 60),
      part(repeats, mostRepeats * (1 + grants)),
    ),
  );
}
