/** Which window of a budget a request opens, and what it begins with. Pure. */
import type { WindowOpening } from '../storage/storage.ts';
import { playgroundOf } from '../vocabulary/budgets.ts';
import type { IndexedBudget } from './budget-index.ts';
import { calendarWindow, carriedOver, rollingWindow, type Span } from './window.ts';

/** `now`: Unix seconds; `userId`: whose conversation or agent it is. */
export function openingOf(
  budget: IndexedBudget,
  subject: string,
  now: number,
  userId = 0,
): WindowOpening {
  const { id, revision, period, window, each, amount, carryOver, createdTime, modelSet } = budget;
  const isPart = each === 'conversation' || each === 'agent';
  // All of a conversation: it begins with its first request.
  const isRolling = period === 'total' ? isPart : window === 'rolling';
  const span =
    period === 'total' && !isPart
      ? rollingWindow(period, createdTime)
      : isRolling
        ? rollingWindow(period, now)
        : calendarSpan(budget, now);
  const carries = carryOver > 0 && !isRolling && period !== 'total' && createdTime < span.startsAt;
  return {
    budgetId: id,
    revision,
    subject,
    ...span,
    isRolling,
    ...(isPart && { userId }),
    before: ownerOf(budget, subject, [...(modelSet ?? [])]),
    ...(carries && {
      carriedFrom: (previous) => carriedOver(amount, carryOver, previous),
    }),
  };
}

/** By rule: the span that was found last, which takes a while. */
const lastSpans = new Map<string, Span>();
const mostSpans = 1000;

/** All windows of the calendar with the same rule have the same span. */
function calendarSpan(budget: IndexedBudget, now: number): Span {
  const rule = `${budget.period} ${budget.weekStart} ${budget.timeZone}`;
  const last = lastSpans.get(rule);
  if (last !== undefined && last.startsAt <= now && now < last.endsAt) return last;
  const span = calendarWindow(budget, now);
  if (lastSpans.size >= mostSpans) lastSpans.clear();
  lastSpans.set(rule, span);
  return span;
}

/** Whose postings a window begins with. */
function ownerOf(
  budget: IndexedBudget,
  subject: string,
  models: readonly string[],
): WindowOpening['before'] {
  const { owner, ownerId, each, tag } = budget;
  if (each === 'conversation' || each === 'agent') return null;
  const playground = playgroundOf(budget, subject);
  const part =
    playground === undefined
      ? each !== '' && { [`${each}Id`]: Number(subject) }
      : { userId: playground, tokenId: 0 };
  if (owner === 'model') return { ...part, models: [ownerId], tag };
  const own = owner === 'group' ? { group: ownerId } : { [`${owner}Id`]: Number(ownerId) };
  return { ...own, ...part, models, tag };
}
