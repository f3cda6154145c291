import type { BudgetWindow } from '../contract/budgets.ts';
import { budgetFields } from '../entities/budget.ts';
import { createPresenter } from '../entities/convert.ts';
import { clampQuota } from '../kernel/quota.ts';
import type { Budget, BudgetWindowRow } from '../storage/storage.ts';

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
