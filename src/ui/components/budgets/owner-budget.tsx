import { Suspense } from 'react';
import { budgetsFor, useBudgets } from '../../queries/use-budgets.ts';
import { BudgetCell } from './lazy.tsx';

/** The fullest of the budgets of a token or user, in its row; nothing where it has none. */
export function OwnerBudget({
  kind,
  id,
}: {
  readonly kind: 'token' | 'user';
  readonly id: number;
}) {
  const budgets = budgetsFor(useBudgets(), kind, id);
  if (budgets.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <BudgetCell kind={kind} id={id} />
    </Suspense>
  );
}
