import { useQuery } from '@tanstack/react-query';
import type { BudgetStatus } from '../../../core/contract/budgets.ts';
import { client } from '../../client/api.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useBudgets } from '../../queries/use-budgets.ts';

/**
 * The budget with the window that a notice's link names (docs/rules/budgets.md#warnings); undefined:
 * the address names none, or it is gone. The status of budgets has not every conversation.
 */
export function useGranted(windowId: string): BudgetStatus | undefined {
  const budgets = useBudgets();
  const shown = budgets.find(({ windows }) => windows.some(({ id }) => String(id) === windowId));
  const { data } = useQuery({
    queryKey: [...queryKeys.budget.all, 'window', windowId],
    queryFn: () => client.budgets.conversations({ window: Number(windowId) }),
    enabled: /^[1-9]\d{0,15}$/.test(windowId) && budgets.length > 0 && shown === undefined,
    meta: { quiet: true },
  });
  if (shown !== undefined) return shown;
  const [window] = data?.items ?? [];
  const budget = budgets.find(({ id }) => id === window?.budget_id);
  return budget === undefined || window === undefined
    ? undefined
    : { ...budget, windows: [window] };
}
