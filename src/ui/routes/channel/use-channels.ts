/** The channels, or their tags with the channels under them. */
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { ChannelTag } from '../../../core/contract/channel-tags.ts';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelFilters } from '../../../core/entities/channel-filters.ts';
import { readStored, storageKeys, writeStored } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { usePhone } from '../../hooks/use-phone.ts';
import { useUrlState } from '../../hooks/use-url-state.ts';
import { filterQuery, filterUrl } from '../../list/declared-filters.ts';
import { switchOn } from '../../list/filters.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import {
  type Children,
  failedTest,
  keyOfRow,
  liveStates,
  mostChildren,
  type Row,
  tagRows,
} from './channel-rows.ts';

const { failed: _failed, state: _state, ...filters } = filterUrl(channelFilters);
const url = { ...filters, tags: '', sort: '' };

/** The URL decides; without it, the choice made last. */
const sortsById = (sort: string) =>
  (sort || (readStored(storageKeys.channelIdSort) === 'true' ? 'id' : 'priority')) === 'id';

/**
 * What the list shows, as its calls have it. The status filter may hold {@link failedTest} or one of
 * {@link liveStates}.
 */
export function matchOf(state: typeof url) {
  const failed = state.status === failedTest ? switchOn : '';
  const live = liveStates.find((name) => name === state.status);
  const chosen = { ...state, ...(live !== undefined && { status: '' }), state: live ?? '', failed };
  return filterQuery(channelFilters, chosen, undefined, 'admins');
}

/** The channels that a tag's row counts: the status selects among them, other filters find tags. */
export const matchOfTag = (tag: string, { status }: Pick<typeof url, 'status'>) =>
  matchOf({ ...url, status, tag });

const none: readonly string[] = [];

/** The first channels of each open tag, while tags are shown. */
function useChildren(openTags: readonly string[]): readonly Children[] {
  const phone = usePhone();
  const [shown] = useUrlState(url);
  const tags = shown.tags === switchOn && !phone ? openTags : none;
  return useQueries({
    queries: tags.map((tag) => {
      const query = { ...matchOfTag(tag, shown), id_sort: sortsById(shown.sort) };
      return {
        queryKey: [...queryKeys.channel.list, 'below', query],
        queryFn: async () =>
          (await client.channel.list({ ...query, page_size: mostChildren })).items,
      };
    }),
    combine: useCallback(
      (results: readonly Pick<UseQueryResult<readonly ChannelEntity[]>, 'data' | 'isError'>[]) =>
        tags.map((tag, index): Children => {
          const { data, isError = false } = results[index] ?? {};
          return { tag, channels: data, broken: isError && data === undefined };
        }),
      [tags],
    ),
  });
}

export function useChannels() {
  const phone = usePhone();
  const [openTags, setOpenTags] = useState<readonly string[]>([]);
  const children = useChildren(openTags);
  const list = useList({
    // Phones read another list for the same address.
    queryKey: [...queryKeys.channel.list, phone],
    url,
    keeps: ['tags', 'sort'],
    groupedBy: 'tags',
    keyOf: keyOfRow,
    toRows: useCallback(
      (items: readonly (ChannelTag | ChannelEntity)[]): readonly Row[] => tagRows(items, children),
      [children],
    ),
    fetchPage: async ({ state, page, pageSize }) => {
      const query = {
        id_sort: sortsById(state.sort),
        p: page - 1,
        page_size: pageSize,
        ...matchOf(state),
      };
      // Phones show the channels themselves: a card has no room for a tree.
      if (state.tags !== switchOn || phone) return client.channel.list(query);
      const { tags, channels, total } = await client.channelTags.list(query);
      return { items: [...tags, ...channels], total };
    },
  });
  return {
    list,
    grouped: list.state.tags === switchOn,
    sorting: {
      column: sortsById(list.state.sort) ? 'id' : 'priority',
      direction: 'desc',
      onSort: (column: string) => {
        writeStored(storageKeys.channelIdSort, String(column === 'id'));
        list.change({ sort: column === 'id' ? 'id' : 'priority' });
      },
    },
    toggleTag: (tag: string) =>
      setOpenTags((before) =>
        before.includes(tag) ? before.filter((open) => open !== tag) : [...before, tag],
      ),
  } as const;
}
