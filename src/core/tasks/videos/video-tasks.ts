/** The videos of users: lists, single ones, and where their results are (docs/rules/video.md). */

import type { TaskResults } from '../../files/results/task-results.ts';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Storage, Task } from '../../storage/storage.ts';
import type { TaskEngine } from '../task-engine.ts';
import { readPrivate } from '../task-private.ts';
import { presentVideo, type VideoView, viewVideo } from './present-video.ts';
import { createVideoLinks, type VideoLinkDeps, type VideoLinks } from './video-links.ts';

export type VideoItem = ReturnType<typeof presentVideo>;

export interface VideoTasks {
  readonly links: VideoLinks;
  /** Newest first. */
  page(
    userId: number,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ items: VideoItem[]; total: number }>;
  /**
   * One of the user's, looked up at its upstream if it is not finished. Throws AppError
   * task_not_exist for all others.
   */
  find(userId: number, taskId: string): Promise<VideoView>;
  /** The same as it is stored. */
  findStored(userId: number, taskId: string): Promise<VideoView>;
  /** The same of any user, as it is stored, for addresses that are signed. */
  findSigned(taskId: string): Promise<VideoView>;
  present(view: VideoView): VideoItem;
  /** Where the upstream has the result; '' where it has none. For the gateway alone. */
  sourceOf(task: Task): string;
}

export interface VideoTaskDeps extends VideoLinkDeps {
  readonly storage: Pick<Storage, 'tasks'>;
  readonly engine: Pick<TaskEngine, 'refresh'>;
  readonly results: Pick<TaskResults, 'storedUntil'>;
  readonly clock: Clock;
}

const filter = { platform: 'ali', action: 'VIDEO' } as const;

export function createVideoTasks(deps: VideoTaskDeps): VideoTasks {
  const { storage, engine, results, clock } = deps;
  const links = createVideoLinks(deps);

  const view = async (task: Task): Promise<VideoView> => {
    const storedUntil =
      task.status === 'SUCCESS' ? await results.storedUntil(task.taskId) : undefined;
    return viewVideo(task, storedUntil, nowSeconds(clock));
  };
  const present = (video: VideoView) => presentVideo(video, links.forConsole(video.task.taskId));
  const isVideo = (task: Task | null): task is Task =>
    task?.platform === filter.platform && task.action === filter.action;

  const findOwn = async (userId: number, taskId: string): Promise<Task> => {
    const row = taskId === '' ? null : await storage.tasks.findByTaskId(taskId, userId);
    if (!isVideo(row)) throw new AppError('task_not_exist');
    return row;
  };

  return {
    links,
    present,
    page: async (userId, page) => {
      const { items, total } = await storage.tasks.page({ userId, ...filter }, page);
      return { items: (await Promise.all(items.map(view))).map(present), total };
    },
    find: async (userId, taskId) => {
      const row = await findOwn(userId, taskId);
      const record = await engine.refresh({ table: 'tasks', row });
      return view(record.table === 'tasks' ? record.row : row);
    },
    findStored: async (userId, taskId) => view(await findOwn(userId, taskId)),
    findSigned: async (taskId) => {
      const row = await storage.tasks.findByTaskId(taskId);
      if (!isVideo(row)) throw new AppError('task_not_exist');
      return view(row);
    },
    sourceOf: ({ privateData }) => readPrivate(privateData).result_url ?? '',
  };
}
