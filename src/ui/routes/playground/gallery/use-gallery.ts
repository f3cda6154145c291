/** What the signed-in user made, by kind, newest first (docs/rules/task-logs.md#gallery). */
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { DrawingEntity, TaskEntity } from '../../../../core/contract/task-logs.ts';
import { type TaskResult, taskOrder, taskResults } from '../../../../core/contract/task-results.ts';
import { isObject } from '../../../../core/kernel/json.ts';
import { client } from '../../../client/api.ts';
import { queryClient } from '../../../client/query-client.ts';
import { useUser } from '../../../client/session.ts';
import { queryKeys } from '../../../queries/query-keys.ts';

export const galleryKinds = ['images', 'videos', 'music', 'drawings'] as const;
export type GalleryKind = (typeof galleryKinds)[number];

export interface GalleryItem {
  readonly id: number;
  readonly kind: GalleryKind;
  readonly prompt: string;
  readonly model: string;
  readonly group: string;
  /** Unix seconds. */
  readonly madeAt: number;
  readonly quota: number;
  /** Empty: nothing of it can be had any more. */
  readonly results: readonly TaskResult[];
  /** What was ordered besides. */
  readonly input: Readonly<Record<string, unknown>>;
}

const filters = {
  images: { platform: 'image' },
  videos: { platform: 'ali', action: 'VIDEO' },
  music: { platform: 'suno', action: 'MUSIC' },
} as const;
const pageSize = 24;

function ofTask(kind: GalleryKind, task: TaskEntity): GalleryItem {
  const { input, group } = task.properties;
  return {
    id: task.id,
    kind,
    ...taskOrder(task),
    group: typeof group === 'string' ? group : '',
    madeAt: task.submit_time || task.created_at,
    quota: task.quota,
    results: taskResults(task),
    input: isObject(input) ? input : {},
  };
}

const noResult = { title: '', audio: '', video: '', text: '', tags: '', seconds: 0 };

function ofDrawing(drawing: DrawingEntity): GalleryItem {
  const { id, prompt, image_url: image, video_url: video, quota } = drawing;
  return {
    id,
    kind: 'drawings',
    prompt,
    model: 'Midjourney',
    group: '',
    quota,
    input: {},
    madeAt: Math.floor(drawing.submit_time / 1000),
    results: image === '' && video === '' ? [] : [{ ...noResult, image, video }],
  };
}

async function page(kind: GalleryKind, p: number) {
  const query = { p, page_size: pageSize, status: 'SUCCESS' };
  if (kind === 'drawings') {
    const { items, total } = await client.drawing.listSelf(query);
    return { items: items.map(ofDrawing), total };
  }
  const { items, total } = await client.task.listSelf({ ...query, ...filters[kind] });
  return { items: items.map((task) => ofTask(kind, task)), total };
}

export function useGallery(kind: GalleryKind) {
  const user = useUser();
  const all = kind === 'drawings' ? queryKeys.drawing.all : queryKeys.task.all;
  const list = useInfiniteQuery({
    queryKey: [...all, 'gallery', user?.id, kind],
    queryFn: ({ pageParam }) => page(kind, pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) =>
      pages.length * pageSize < total ? pages.length : undefined,
  });
  const remove = useMutation({
    mutationFn: ({ id }: GalleryItem) =>
      kind === 'drawings' ? client.drawing.removeSelf({ id }) : client.task.removeSelf({ id }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: all }),
  });
  const seen = new Set<number>();
  return {
    list,
    remove,
    // Something new moves the others to the next page.
    items: (list.data?.pages ?? [])
      .flatMap(({ items }) => items)
      .filter(({ id }) => !seen.has(id) && seen.add(id)),
  };
}
