import type { BudgetStatus } from '../../../core/contract/budgets.ts';
import { budgetStateOf, fullestOf, rateShare, shareOf } from '../../../core/vocabulary/budgets.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { readBudgets } from '../../queries/use-budgets.ts';

const url = { q: '', state: '', owner: '', of: '', model: '' } as const;
const asTheyAre = (budgets: readonly BudgetStatus[]) => budgets;
const keyOf = (budget: BudgetStatus) => budget.id;

type Filters = Readonly<Record<keyof typeof url, string>>;

const share = (budget: BudgetStatus): number => {
  if (budget.period === 'none') return rateShare(budget);
  const fullest = fullestOf(budget.windows);
  return fullest === undefined ? 0 : shareOf(fullest);
};

/** The budgets that the filters select, of which most is spent first. */
export function selectBudgets(
  budgets: readonly BudgetStatus[],
  { q, state, owner, of, model }: Filters,
): readonly BudgetStatus[] {
  const wanted = q.trim().toLowerCase();
  return budgets
    .filter((budget) => {
      const { id, name, owner_id, owner_name, models } = budget;
      const found = [`#${id}`, name, owner_id, owner_name].some((text) =>
        text.toLowerCase().includes(wanted),
      );
      return (
        found &&
        (state === '' || budgetStateOf(budget) === state) &&
        (owner === '' || budget.owner === owner) &&
        (of === '' || owner_id === of) &&
        (model === '' || models === '' || models.split(',').includes(model))
      );
    })
    .toSorted((one, other) => share(other) - share(one) || other.id - one.id);
}

export function useBudgetList() {
  return useList({
    queryKey: queryKeys.budget.list,
    url,
    keyOf,
    toRows: asTheyAre,
    fetchPage: async ({ state, page, pageSize }) => {
      const selected = selectBudgets(await readBudgets(), state);
      const items = selected.slice((page - 1) * pageSize, page * pageSize);
      return { items, total: selected.length };
    },
  });
}
