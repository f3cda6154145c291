import type { BudgetConversation, BudgetWindow } from '../contract/budgets.ts';
import { budgetFields } from '../entities/budget.ts';
import { createPresenter } from '../entities/convert.ts';
import { clampQuota } from '../kernel/quota.ts';
import type { Budget, BudgetWindowRow } from '../storage/storage.ts';
import { shareOf } from '../vocabulary/budgets.ts';
import { fenceUse, usedOfFence } from './fence.ts';

export const presentBudget = createPresenter(budgetFields);

/** Quota that may be spent in a window. */
export const limitOf = ({ amount }: Budget, { carried, extra }: BudgetWindowRow): number =>
  amount + carried + extra;

/** `name`: of the token or user that has the window for itself. */
export function presentWindow(budget: Budget, window: BudgetWindowRow, name: string): BudgetWindow {
  const limit = limitOf(budget, window);
  const { id, subject, startsAt, endsAt, spent } = window;
  return {
    id,
    subject,
    name,
    starts_at: startsAt,
    ends_at: endsAt,
    spent: clampQuota(spent),
    limit: clampQuota(limit),
    left: clampQuota(Math.max(0, limit - spent)),
  };
}

/** A conversation or agent with what it used of its fence. `now`: Unix seconds. */
export function presentConversation(
  { budget, window, username }: { budget: Budget; window: BudgetWindowRow; username: string },
  now: number,
): BudgetConversation {
  const shown = presentWindow(budget, window, '');
  const ofMoney = Math.floor(
    shareOf({ spent: window.spent, limit: limitOf(budget, window) }) * 100,
  );
  return {
    ...shown,
    budget_id: budget.id,
    budget_name: budget.name,
    each: budget.each,
    at_end: budget.atEnd,
    user_id: window.userId,
    username,
    fence: fenceUse(budget, window, now),
    used_percent: Math.max(ofMoney, usedOfFence(budget, window, now)),
  };
}
