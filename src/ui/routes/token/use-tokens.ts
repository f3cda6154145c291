import type { TokenEntity } from '../../../core/contract/entities.ts';
import { tokenFilters } from '../../../core/entities/token-filters.ts';
import { client } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { filterQuery, filterUrl } from '../../list/declared-filters.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';

const url = filterUrl(tokenFilters, undefined, 'owner');
const asTheyAre = (tokens: readonly TokenEntity[]) => tokens;
const keyOf = (token: TokenEntity) => token.id;

/** The signed-in user's tokens. */
export function useTokens() {
  const user = useUser();
  return useList({
    queryKey: queryKeys.token.list(user?.id),
    url,
    keyOf,
    toRows: asTheyAre,
    fetchPage: ({ state, page, pageSize }) =>
      client.token.list({
        p: page - 1,
        size: pageSize,
        ...filterQuery(tokenFilters, state, undefined, 'owner'),
      }),
  });
}
