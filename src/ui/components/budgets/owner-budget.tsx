import { Suspense } from 'react';
import type { BudgetStatus } from '../../../core/contract/budgets.ts';
import { budgetsFor } from '../../queries/use-budgets.ts';
import { BudgetCell } from './lazy.tsx';

/** The fullest of the budgets of a token or user, in its row; nothing where it has none. */
export function OwnerBudget({
  kind,
  id,
  budgets,
}: {
  readonly kind: 'token' | 'user';
  readonly id: number;
  /** Those about the rows of the list. */
  readonly budgets: readonly BudgetStatus[];
}) {
  const own = budgetsFor(budgets, kind, id);
  if (own.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <BudgetCell budgets={own} />
    </Suspense>
  );
}
