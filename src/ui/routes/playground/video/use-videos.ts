/** One's videos: pages of them, newest first, and the states of those that are not finished. */
import {
  type InfiniteData,
  useInfiniteQuery,
  useQueries,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Video } from '../../../../core/contract/video.ts';
import { readStoredJson, storageKeys, writeStored } from '../../../browser/local-storage.ts';
import { client } from '../../../client/api.ts';
import { useUser } from '../../../client/session.ts';
import { queryKeys } from '../../../queries/query-keys.ts';

const pageSize = 10;
/** Milliseconds. */
const pollInterval = 5000;
/** Videos that are polled at a time. */
const mostPolled = 10;

const unfinished: readonly string[] = ['NOT_START', 'QUEUED', 'IN_PROGRESS'];
export const isUnfinished = ({ status }: Video) => unfinished.includes(status);

/** Ids of videos that were not finished when they were last seen, kept for the next visit. */
function readIds(): readonly string[] {
  const value = readStoredJson(storageKeys.unfinishedVideos);
  return Array.isArray(value)
    ? value.filter((id): id is string => typeof id === 'string').slice(0, mostPolled)
    : [];
}

type Page = Awaited<ReturnType<typeof client.video.list>>;

export function useVideos() {
  const user = useUser();
  const queryClient = useQueryClient();
  const [kept, setKept] = useState(readIds);
  const listKey = queryKeys.video.list(user?.id);
  const list = useInfiniteQuery({
    queryKey: listKey,
    queryFn: ({ pageParam }) => client.video.list({ pageNum: pageParam, pageSize }),
    initialPageParam: 1,
    getNextPageParam: ({ pageNum, total }: Page) =>
      pageNum * pageSize < total ? pageNum + 1 : undefined,
  });
  const listed = useMemo(() => {
    const all = (list.data?.pages ?? []).flatMap(({ data }) => data);
    // A new video moves the others to the next page.
    return all.filter(
      ({ task_id }, place) => all.findIndex((other) => other.task_id === task_id) === place,
    );
  }, [list.data]);

  const polledIds = useMemo(
    () =>
      [...new Set([...listed.filter(isUnfinished).map(({ task_id }) => task_id), ...kept])].slice(
        0,
        mostPolled,
      ),
    [listed, kept],
  );
  const polled = useQueries({
    queries: polledIds.map((id) => ({
      queryKey: queryKeys.video.one(user?.id, id),
      queryFn: async () => (await client.video.get({ task_id: id })).data,
      // A failure ends the polling without a word: the list is there, and the next visit polls
      // again.
      retry: false,
      meta: { silent: true },
      refetchInterval: (query: { state: { data?: Video | undefined; error: unknown } }) =>
        query.state.error === null &&
        (query.state.data === undefined || isUnfinished(query.state.data))
          ? pollInterval
          : false,
    })),
  });
  const states = useMemo(
    () => new Map(polled.flatMap(({ data }) => (data === undefined ? [] : [[data.task_id, data]]))),
    [polled],
  );

  // The list keeps what the polls have found, also after they have ended.
  const stamp = [...states.values()]
    .map(({ task_id, status, progress }) => `${task_id} ${status} ${progress}`)
    .join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the states' content decides
  useEffect(() => {
    if (states.size === 0) return;
    queryClient.setQueryData<InfiniteData<Page>>(listKey, (before) =>
      before === undefined
        ? before
        : {
            ...before,
            pages: before.pages.map((page) => ({
              ...page,
              data: page.data.map((video) => states.get(video.task_id) ?? video),
            })),
          },
    );
    // A failed one was refunded.
    if ([...states.values()].some((video) => !isUnfinished(video)))
      void queryClient.invalidateQueries({ queryKey: queryKeys.selfAll });
  }, [stamp]);

  const running = polledIds.filter((id) => {
    const state = states.get(id) ?? listed.find(({ task_id }) => task_id === id);
    return state === undefined ? !polled[polledIds.indexOf(id)]?.isError : isUnfinished(state);
  });
  const runningText = JSON.stringify(running);
  useEffect(() => writeStored(storageKeys.unfinishedVideos, runningText), [runningText]);

  return {
    videos: listed,
    isLoading: list.isPending,
    error: list.error,
    retry: () => void list.refetch(),
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    loadMore: () => void list.fetchNextPage(),
    pages: list.data?.pages.length ?? 0,
    /** After a submit. */
    add: async (id: string) => {
      setKept((before) => [id, ...before]);
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: listKey }),
        queryClient.invalidateQueries({ queryKey: queryKeys.selfAll }),
      ]);
    },
  };
}
export type Videos = ReturnType<typeof useVideos>;
