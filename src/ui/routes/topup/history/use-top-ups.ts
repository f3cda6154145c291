/**
 * Top-up orders: one's own, or for administrators those of all users; with sums of what was paid.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TopUpRecordEntity } from '../../../../core/contract/top-up.ts';
import { type TopUpStatus, topUpStatuses } from '../../../../core/vocabulary/statuses.ts';
import { client } from '../../../client/api.ts';
import { useIsAdmin, useUser } from '../../../client/session.ts';
import { switchOn } from '../../../list/filters.ts';
import { anySpans, anyTimeParameters, rangeOf } from '../../../list/time-range.ts';
import { useList } from '../../../list/use-list.ts';
import { queryKeys } from '../../../queries/query-keys.ts';

const url = { ...anyTimeParameters, q: '', status: '', user: '', mine: '' } as const;
type TopUpState = Readonly<Record<keyof typeof url, string>>;

const asTheyAre = (orders: readonly TopUpRecordEntity[]) => orders;
const keyOf = (order: TopUpRecordEntity) => order.trade_no;

/** A status of the URL; '' for anything that is none. */
function statusOf(text: string): TopUpStatus | '' {
  return topUpStatuses.find((status) => status === text) ?? '';
}

/** Whose orders: only administrators choose. */
function payerFilter(state: Pick<TopUpState, 'user' | 'mine'>, admin: boolean) {
  return admin
    ? ({ username: state.user, scope: state.mine === switchOn ? 'self' : '' } as const)
    : {};
}

/**
 * The filters of the call. A preset span is counted from now, so it is read again with every call.
 */
function callFilters(state: TopUpState, admin: boolean, now: number) {
  const { start, end } = rangeOf(state, now, anySpans);
  const range = start === 0 ? {} : { start_time: start, end_time: end };
  return {
    status: statusOf(state.status),
    trade_no: state.q,
    ...range,
    ...payerFilter(state, admin),
  };
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
      const filters = callFilters(state, admin, Math.floor(Date.now() / 1000));
      const { records, total } = await client.topUp.list({ ...filters, page, page_size: pageSize });
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
    placeholderData: keepPreviousData,
  });
  return { list, income: income.data };
}
/** Yuan that were paid in the current day, month and year. */
export type Income = NonNullable<ReturnType<typeof useTopUps>['income']>;
