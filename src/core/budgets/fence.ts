/**
 * What stops a conversation or an agent that runs in circles (docs/rules/budgets.md#fences). Pure.
 */
import type { BudgetWindow } from '../billing/index.ts';
import { AppError } from '../kernel/errors.ts';
import type { Budget, BudgetWindowRow } from '../storage/storage.ts';

/** Turns of a cycle: one that repeats, or two agents that answer each other. */
const longestCycle = 4;

/** A turn of a model and its outcome. Turns are compared by these texts. */
export interface ModelTurn {
  /** Its calls with their arguments; without calls its words. */
  readonly did: string;
  readonly calls: boolean;
  /** The results of its calls; without calls the reply to its words. */
  readonly got: string;
}

/** Calls that only wait for something, or look at what still runs. */
const waiting = /\b(?:sleep|wait|poll|yield)|(?:Bash|Task)Output\b/i;
/** Such a call, or one whose result changed, may be repeated this many times as often. */
const patience = 4;

/** The last turns of a cycle beside those before them: how much of a repetition they are. */
function repetition(turns: readonly ModelTurn[], end: number, cycle: number): number {
  let isPatient = false;
  for (let at = end - cycle; at < end; at += 1) {
    const turn = turns[at];
    const earlier = turns[at - cycle];
    if (turn === undefined || earlier === undefined || turn.did !== earlier.did) return 0;
    // The same words as before answer something new.
    if (turn.got !== earlier.got && !turn.calls) return 0;
    isPatient ||= turn.got !== earlier.got || waiting.test(turn.did);
  }
  return isPatient ? 1 / patience : 1;
}

/**
 * How often the last turns repeat what came directly before them: 1 where they do not. `turns`:
 * oldest first.
 */
export function repeatsOf(turns: readonly ModelTurn[]): number {
  let most = 1;
  if (turns.length < 2) return most;
  for (let cycle = 1; cycle <= longestCycle; cycle += 1) {
    let repeats = 1;
    for (let end = turns.length; end >= 2 * cycle; end -= cycle) {
      const more = repetition(turns, end, cycle);
      if (more === 0) break;
      repeats += more;
    }
    most = Math.max(most, Math.floor(repeats));
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
  /** As a multiple of the usual spending. */
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
