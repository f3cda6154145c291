import type { UserEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';

const url = { q: '', group: '' } as const;
const asTheyAre = (users: readonly UserEntity[]) => users;
const keyOf = (user: UserEntity) => user.id;

export function useUsers() {
  return useList({
    queryKey: queryKeys.user.list,
    url,
    keyOf,
    toRows: asTheyAre,
    fetchPage: ({ state, page, pageSize }) =>
      client.user.search({ p: page, page_size: pageSize, keyword: state.q, group: state.group }),
  });
}
