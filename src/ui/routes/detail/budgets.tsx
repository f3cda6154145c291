import { lazy, Suspense } from 'react';
import type { BudgetStatus } from '../../../core/contract/budgets.ts';
import { usedUpAt } from '../../../core/vocabulary/budget-forecast.ts';
import { budgetStateOf, fullestOf, shareOf } from '../../../core/vocabulary/budgets.ts';
import { loadTextPart } from '../../i18n/index.ts';
import { useBudgets } from '../../queries/use-budgets.ts';
import layout from './detail.module.css';

// Only who has some loads it, with its words.
const EndingBudgets = lazy(async () => {
  await loadTextPart('budget');
  const { EndingBudgets } = await import('../../components/budgets/ending-budgets.tsx');
  return { default: EndingBudgets };
});

/** Budgets that are shown. */
const most = 5;

/** Those that are spent, near their end or on the way to it, fullest first. `now`: Unix seconds. */
export function endingBudgets(
  budgets: readonly BudgetStatus[],
  now: number,
): readonly BudgetStatus[] {
  const share = ({ windows }: BudgetStatus) => {
    const fullest = fullestOf(windows);
    return fullest === undefined ? 0 : shareOf(fullest);
  };
  return budgets
    .filter((budget) => {
      const state = budgetStateOf(budget);
      if (budget.period === 'none' || state === 'off' || state === 'unused') return false;
      const fullest = fullestOf(budget.windows);
      return state !== 'within' || (fullest !== undefined && usedUpAt(fullest, now) !== undefined);
    })
    .toSorted((one, other) => share(other) - share(one))
    .slice(0, most);
}

/** What ends soon (docs/rules/budgets.md#forecast); nothing where nothing does. */
export function Budgets() {
  const ending = endingBudgets(useBudgets(), Math.floor(Date.now() / 1000));
  if (ending.length === 0) return null;
  return (
    <div className={layout.full}>
      <Suspense fallback={null}>
        <EndingBudgets budgets={ending} />
      </Suspense>
    </div>
  );
}
