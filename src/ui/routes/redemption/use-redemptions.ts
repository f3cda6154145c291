import type { RedemptionEntity } from '../../../core/contract/entities.ts';
import { redemptionFilters } from '../../../core/entities/redemption-filters.ts';
import { client } from '../../client/api.ts';
import { filterQuery, filterUrl } from '../../list/declared-filters.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';

const url = filterUrl(redemptionFilters);
const asTheyAre = (codes: readonly RedemptionEntity[]) => codes;
const keyOf = (code: RedemptionEntity) => code.id;

export function useRedemptions() {
  return useList({
    queryKey: queryKeys.redemption.all,
    url,
    keyOf,
    toRows: asTheyAre,
    fetchPage: ({ state, page, pageSize }) =>
      client.redemption.search({
        p: page,
        page_size: pageSize,
        ...filterQuery(redemptionFilters, state, undefined, 'admins'),
      }),
  });
}
