/** The channels: filters in the URL, one page of rows (or of tags), and what can be done to them. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { readStored, storageKeys, writeStored } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { toastFailure, toastSuccess } from '../../client/failures.ts';
import { usePageSize } from '../../list/use-page-size.ts';
import { pageOf, useUrlState } from '../../list/use-url-state.ts';
import { hasStatus } from './channel-rows.ts';

const defaults = { q: '', model: '', group: '', status: '', tags: '', sort: '', p: '1' } as const;

export function useRefreshChannels() {
  const queryClient = useQueryClient();
  return useCallback(
    () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['channel'] }),
        queryClient.invalidateQueries({ queryKey: ['overview'] }),
      ]),
    [queryClient],
  );
}

export function useChannels() {
  const { t } = useTranslation();
  const refresh = useRefreshChannels();
  const [state, change] = useUrlState(defaults);
  const [pageSize, setPageSize] = usePageSize();
  const page = pageOf(state.p);
  const tagMode = state.tags === '1';
  // The URL decides; without it, the choice made last.
  const idSort = (state.sort || (readStored(storageKeys.channelIdSort) === 'true' ? 'id' : 'priority')) === 'id';
  const filtered = state.q !== '' || state.model !== '' || state.group !== '' || state.status !== '';

  const list = useQuery({
    queryKey: ['channel', 'list', state, idSort, pageSize],
    queryFn: async () => {
      const order = { id_sort: idSort, tag_mode: tagMode };
      if (!filtered) return { ...(await client.channel.list({ ...order, p: page - 1, page_size: pageSize })), cut: false };
      // Searching answers with all matches at once; the status is this screen's own filter.
      const found = await client.channel.search({ ...order, keyword: state.q, group: state.group, model: state.model });
      const rows = found.items.filter((channel) => hasStatus(channel, state.status));
      if (tagMode) return { items: rows, total: new Set(rows.map((channel) => channel.tag)).size, cut: true };
      return { items: rows.slice((page - 1) * pageSize, page * pageSize), total: rows.length, cut: true };
    },
    placeholderData: keepPreviousData,
  });

  const setStatus = useMutation({
    mutationFn: async ({ channels, status }: { channels: readonly ChannelEntity[]; status: number }) => {
      for (const { id } of channels) await client.channel.update({ id, status });
    },
    onSuccess: (_, { channels, status }) => {
      const count = channels.length;
      if (count > 1)
        toastSuccess(
          status === channelStatuses.enabled ? t('channel.enabled.done', { count }) : t('channel.disabled.done', { count }),
        );
    },
    onSettled: refresh,
  });
  /** Enabling what is enabled is meant for its keys (core, channel-service). */
  const reviveKeys = useMutation({
    mutationFn: ({ id }: ChannelEntity) => client.channel.update({ id, status: channelStatuses.enabled }),
    onSuccess: () => toastSuccess(t('channel.keys.revived')),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: async (channels: readonly ChannelEntity[]) => {
      const [only] = channels;
      if (channels.length === 1 && only !== undefined) await client.channel.remove({ id: only.id });
      else await client.channel.removeMany({ ids: channels.map((channel) => channel.id) });
    },
    onSuccess: (_, channels) => toastSuccess(t('channel.delete.done', { count: channels.length })),
    onSettled: refresh,
  });
  const copy = useMutation({
    mutationFn: ({ id }: ChannelEntity) => client.channel.copy({ id, suffix: t('channel.copy.suffix'), reset_balance: true }),
    meta: { quiet: true },
    onSuccess: () => toastSuccess(t('channel.copy.done')),
    onError: (error) => toastFailure(error, t('channel.copy.failed')),
    onSettled: refresh,
  });
  const setTag = useMutation({
    mutationFn: ({ tag, enabled }: { tag: string; enabled: boolean }) =>
      enabled ? client.channel.enableTag({ tag }) : client.channel.disableTag({ tag }),
    onSuccess: (_, { tag, enabled }) =>
      toastSuccess(enabled ? t('channel.tag.enabled.done', { tag }) : t('channel.tag.disabled.done', { tag })),
    onSettled: refresh,
  });
  return {
    state,
    change,
    page,
    pageSize,
    setPageSize,
    tagMode,
    idSort,
    setIdSort: (on: boolean) => {
      writeStored(storageKeys.channelIdSort, String(on));
      change({ sort: on ? 'id' : 'priority' });
    },
    list,
    filtered,
    refresh,
    setStatus,
    reviveKeys,
    remove,
    copy,
    setTag,
    clear: () => change({ q: '', model: '', group: '', status: '' }),
  };
}
export type Channels = ReturnType<typeof useChannels>;
