/**
 * Top-up orders: one's own, or for administrators those of all users; with sums of what was paid.
 */
import { useQuery } from '@tanstack/react-query';
import type { TopUpRecordEntity } from '../../../../core/contract/top-up.ts';
import { topUpFilters } from '../../../../core/entities/top-up-filters.ts';
import { client } from '../../../client/api.ts';
import { useIsAdmin, useUser } from '../../../client/session.ts';
import { filterQuery, filterUrl } from '../../../list/declared-filters.ts';
import { switchOn } from '../../../list/filters.ts';
import { anySpans } from '../../../list/time-range.ts';
import { useList } from '../../../list/use-list.ts';
import { queryKeys } from '../../../queries/query-keys.ts';

const url = { ...filterUrl(topUpFilters, anySpans), mine: '' };
type TopUpState = typeof url;

const asTheyAre = (orders: readonly TopUpRecordEntity[]) => orders;
const keyOf = (order: TopUpRecordEntity) => order.trade_no;

/** Whose orders: only administrators choose. */
function payerFilter(state: Pick<TopUpState, 'user' | 'mine'>, admin: boolean) {
  return admin
    ? ({ username: state.user, scope: state.mine === switchOn ? 'self' : '' } as const)
    : {};
}

export function useTopUps() {
  const admin = useIsAdmin();
  const user = useUser();
  const list = useList({
    queryKey: queryKeys.topUp.list(user?.id),
    url,
    keyOf,
    toRows: asTheyAre,
    fetchPage: async ({ state, page, pageSize }) => {
      const { records, total } = await client.topUp.list({
        ...filterQuery(topUpFilters, state, anySpans, admin ? 'admins' : 'owner'),
        ...payerFilter(state, admin),
        page,
        page_size: pageSize,
      });
      return { items: records, total };
    },
  });
  // Only the user counts for the sums, so they are not read again with every page.
  const { state } = list;
  const income = useQuery({
    queryKey: queryKeys.topUp.income(user?.id, state.user, state.mine === switchOn),
    queryFn: async () => {
      const { todayIncome, monthIncome, yearIncome } = await client.topUp.list({
        ...payerFilter(state, admin),
        page_size: 1,
      });
      return { today: todayIncome, month: monthIncome, year: yearIncome };
    },
  });
  return { list, income: income.data };
}
/** Yuan that were paid in the current day, month and year. */
export type Income = NonNullable<ReturnType<typeof useTopUps>['income']>;
