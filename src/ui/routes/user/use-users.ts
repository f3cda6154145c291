import type { UserEntity } from '../../../core/contract/entities.ts';
import { userFilters } from '../../../core/entities/user-filters.ts';
import { client } from '../../client/api.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { filterQuery, filterUrl } from '../../list/declared-filters.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';

const {
  quotaFrom: _from,
  quotaTo: _to,
  usedFrom: _least,
  usedTo: _most,
  ...filters
} = filterUrl(userFilters);
const url = { ...filters, balance: '', used: '', sort: '' };
const asTheyAre = (users: readonly UserEntity[]) => users;
const keyOf = (user: UserEntity) => user.id;
type State = typeof url;

/** Days without a sign that the filter offers. */
export const unseenDays = [7, 30, 90, 365] as const;

/** Whole units of the currency from which the filter of what was used begins. */
export const usedUnits = [1, 10, 100] as const;

const sorts = ['role', 'quota', 'used', 'requests', 'seen'] as const;

/** The URL has the column, with `-` before it for the smallest first. */
function sortOf(text: string) {
  const column = text.replace(/^-/, '');
  return { sort: sorts.find((one) => one === column), ascending: text.startsWith('-') };
}

/** What the list shows, as its calls have it: the URL has a kind of balance, units, and days. */
export function matchOf(state: State, quotaPerUnit: number) {
  const days = Number(state.unseen);
  const most = { none: 0, low: Math.ceil(quotaPerUnit) - 1 }[state.balance];
  const units = Number(state.used);
  const values = {
    ...state,
    quotaFrom: '',
    quotaTo: most === undefined ? '' : String(most),
    usedFrom: units > 0 ? String(Math.floor(units * quotaPerUnit)) : '',
    usedTo: state.used === 'none' ? '0' : '',
    unseen: days > 0 ? String(Math.floor(Date.now() / 1000) - days * 86_400) : '',
  };
  return filterQuery(userFilters, values, undefined, 'admins');
}

export function orderOf(state: State) {
  const { sort, ascending } = sortOf(state.sort);
  return sort === undefined ? {} : { sort, ascending };
}

export function useUsers() {
  const { quotaPerUnit } = useMoney();
  const list = useList({
    queryKey: queryKeys.user.list,
    url,
    keeps: ['sort'],
    keyOf,
    toRows: asTheyAre,
    fetchPage: ({ state, page, pageSize }) =>
      client.user.search({
        p: page,
        page_size: pageSize,
        ...matchOf(state, quotaPerUnit),
        ...orderOf(state),
      }),
  });
  const { sort, ascending } = sortOf(list.state.sort);
  return {
    list,
    sorting: {
      column: sort ?? 'id',
      direction: ascending ? 'asc' : 'desc',
      onSort: (column: string) =>
        list.change({ sort: column === sort && !ascending ? `-${column}` : column }),
    },
  } as const;
}
