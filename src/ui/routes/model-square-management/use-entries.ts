import { useQuery } from '@tanstack/react-query';
import type { ManagedModel } from '../../../core/contract/model-square.ts';
import { client } from '../../client/api.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';

const url = {
  q: '',
  type: '',
  tag: '',
  vendor: '',
  price: '',
  context: '',
  spec: '',
  since: '',
  status: '',
} as const;
const asTheyAre = (models: readonly ManagedModel[]) => models;
export const nameOf = (model: ManagedModel) => model.model;

export function useEntries() {
  return useList({
    queryKey: queryKeys.modelSquare.entries,
    url,
    keyOf: nameOf,
    toRows: asTheyAre,
    fetchPage: ({ state, page, pageSize }) =>
      client.modelSquare.manage({
        p: page,
        page_size: pageSize,
        model: state.q,
        type: state.type,
        tags: state.tag,
        manufacturer: state.vendor,
        price_type: state.price,
        context: state.context,
        specification: state.spec,
        publish_time: state.since,
        status: state.status,
      }),
  });
}

/** What the entries can be filtered by, which is also suggested in the form. */
export function useChoices() {
  return useQuery({
    queryKey: queryKeys.modelSquare.choices,
    queryFn: () => client.modelSquare.filters(),
    staleTime: 60_000,
  }).data;
}

/** Throws when there is no entry of this name. */
export async function loadEntry(name: string): Promise<ManagedModel> {
  const { items } = await client.modelSquare.manage({ model: name });
  const entry = items.find(({ model }) => model === name);
  // The server's own words: the entry is gone.
  return entry ?? client.modelSquare.update({ model: name });
}
