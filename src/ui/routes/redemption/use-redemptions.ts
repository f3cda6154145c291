import type { RedemptionEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';

const url = { q: '', state: '' } as const;
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
        keyword: state.q,
        ...(state.state === '' ? {} : { state: Number(state.state) }),
      }),
  });
}
