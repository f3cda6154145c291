/** The channels, or their tags with the channels under them. */
import { useCallback, useState } from 'react';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelFilters } from '../../../core/entities/channel-filters.ts';
import { readStored, storageKeys, writeStored } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { usePhone } from '../../hooks/use-phone.ts';
import { filterQuery, filterUrl } from '../../list/declared-filters.ts';
import { switchOn } from '../../list/filters.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import {
  channelRows,
  failedTest,
  keyOfRow,
  liveStates,
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

export function useChannels() {
  const phone = usePhone();
  const [openTags, setOpenTags] = useState<ReadonlySet<string>>(new Set());
  const list = useList({
    // Phones read another list for the same address.
    queryKey: [...queryKeys.channel.list, phone],
    url,
    keeps: ['tags', 'sort'],
    groupedBy: 'tags',
    keyOf: keyOfRow,
    // Phones show the channels themselves: a card has no room for a tree.
    toRows: useCallback(
      (items: readonly ChannelEntity[], { tags }: { readonly tags: string }): readonly Row[] =>
        tags === switchOn && !phone ? tagRows(items, openTags) : channelRows(items),
      [openTags, phone],
    ),
    fetchPage: ({ state, page, pageSize }) =>
      client.channel.list({
        id_sort: sortsById(state.sort),
        tag_mode: state.tags === switchOn && !phone,
        untagged: state.tags === switchOn && !phone,
        p: page - 1,
        page_size: pageSize,
        ...matchOf(state),
      }),
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
      setOpenTags((before) => {
        const next = new Set(before);
        if (!next.delete(tag)) next.add(tag);
        return next;
      }),
  } as const;
}
