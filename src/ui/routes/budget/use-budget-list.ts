import type { BudgetStatus } from '../../../core/contract/budgets.ts';
import { budgetFilters } from '../../../core/entities/budget-filters.ts';
import { client } from '../../client/api.ts';
import { filterQuery, filterUrl } from '../../list/declared-filters.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';

const url = filterUrl(budgetFilters);
const asTheyAre = (budgets: readonly BudgetStatus[]) => budgets;
const keyOf = (budget: BudgetStatus) => budget.id;

/** The budgets that the signed-in user may see, of which most is spent first. */
export function useBudgetList() {
  return useList({
    queryKey: queryKeys.budget.list,
    url,
    keyOf,
    toRows: asTheyAre,
    fetchPage: ({ state, page, pageSize }) =>
      client.budgets.status({
        p: page,
        page_size: pageSize,
        sort: 'used',
        ...filterQuery(budgetFilters, state, undefined, 'admins'),
      }),
  });
}
