import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import type { BudgetStatus } from '../../core/contract/budgets.ts';
import type { BudgetSubject } from '../../core/vocabulary/budgets.ts';
import { client } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { queryKeys } from './query-keys.ts';

const none: readonly BudgetStatus[] = [];
/** Ids that one call may name. */
const mostIds = 100;

function useRead(
  queryKey: QueryKey,
  queryFn: () => Promise<readonly BudgetStatus[]>,
  enabled = true,
): readonly BudgetStatus[] {
  const { data = none } = useQuery({
    queryKey,
    queryFn,
    enabled,
    staleTime: 30_000,
    // Bars stay where a row comes or goes; those of other rows are not looked at.
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  return enabled ? data : none;
}

/**
 * The budgets about tokens or users, or of windows, with these windows alone; `course`: those for
 * each conversation or agent, without windows. None until known.
 */
export function useBudgetsAbout(
  kind: BudgetSubject,
  ids: readonly number[] = [],
): readonly BudgetStatus[] {
  const user = useUser();
  return useRead(
    queryKeys.budget.about(user?.id, kind, ids),
    async () => {
      const found: BudgetStatus[] = [];
      for (let start = 0; start === 0 || start < ids.length; start += mostIds) {
        const piece = ids.slice(start, start + mostIds).join(',');
        found.push(...(await client.budgets.about({ kind, ids: piece })));
      }
      return found;
    },
    kind === 'course' || ids.length > 0,
  );
}

/** Those that are spent, near their end or on the way to it, fullest first. */
export function useEndingBudgets(): readonly BudgetStatus[] {
  const user = useUser();
  return useRead(queryKeys.budget.ending(user?.id), () => client.budgets.ending());
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
