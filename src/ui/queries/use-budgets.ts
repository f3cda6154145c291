import { useQuery } from '@tanstack/react-query';
import type { BudgetStatus } from '../../core/contract/budgets.ts';
import { everyRow } from '../../core/contract/every-row.ts';
import { client } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { queryKeys } from './query-keys.ts';

/** The budgets that the signed-in user may see, with their open windows; none until known. */
export function useBudgets(): readonly BudgetStatus[] {
  const user = useUser();
  return (
    useQuery({
      queryKey: queryKeys.budget.status(user?.id),
      queryFn: () => everyRow((page) => client.budgets.status(page)),
      staleTime: 30_000,
      meta: { quiet: true },
    }).data ?? []
  );
}

/** Those that are about one token or user: its own, and those that give each an amount. */
export const budgetsFor = (
  budgets: readonly BudgetStatus[],
  kind: 'token' | 'user',
  id: number,
): readonly BudgetStatus[] =>
  budgets.flatMap((budget) => {
    if (budget.owner === kind && budget.owner_id === String(id)) return [budget];
    if (budget.each !== kind) return [];
    const windows = budget.windows.filter(({ subject }) => subject === String(id));
    return windows.length === 0 ? [] : [{ ...budget, windows }];
  });
