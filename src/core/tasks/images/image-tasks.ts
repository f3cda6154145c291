/** Orders of images as tasks of their user: what was paid is kept (docs/rules/tasks.md#images). */
import type { ImageOwner, MadeImage } from '../../files/results/keep-images.ts';
import { createSignedLinks, type SignedLinkDeps } from '../../files/signed-links.ts';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Quota } from '../../kernel/quota.ts';
import type { Storage, Task } from '../../storage/storage.ts';
import { taskIdLength, taskIdPrefix } from '../task-id.ts';
import { finishedProgress } from '../task-record.ts';

/** An order that was served and charged. */
export interface ServedImages {
  readonly userId: number;
  readonly channelId: number;
  readonly model: string;
  readonly group: string;
  /** What was charged. */
  readonly quota: Quota;
  /** What the page calls the order; '': nothing. */
  readonly key: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** As it was ordered. */
  readonly input: JsonObject;
  readonly images: readonly MadeImage[];
}

export interface ImageTasks {
  /** Keeps an order with its images. */
  add(order: ServedImages): Promise<void>;
  /** A path that shows an image, valid for an hour for everybody who has it. */
  linkTo(taskId: string, number: number): string;
  /** Whether `signature` is that of the image and `expires` (Unix seconds, as text), and valid. */
  isValid(image: ImageName, expires: string, signature: string): boolean;
  /** One of the user's. Throws AppError task_not_exist for all others. */
  findOwn(userId: number, taskId: string): Promise<Task>;
}

export interface ImageName {
  readonly taskId: string;
  readonly number: number;
}

export interface ImageTaskDeps extends SignedLinkDeps {
  readonly storage: Pick<Storage, 'tasks' | 'taskResults'>;
  readonly keepImages: (owner: ImageOwner, images: readonly MadeImage[]) => Promise<void>;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Seconds. */
const linkLife = 3600;
const platform = 'image';

/** Addresses are shown where no copy could be made; the images themselves are in their copies. */
function dataOf(images: readonly MadeImage[]): string {
  return JSON.stringify({
    images: images.map((image) => (typeof image === 'string' ? { url: image } : {})),
  });
}

export function createImageTasks(deps: ImageTaskDeps): ImageTasks {
  const { storage, clock, ids } = deps;
  const links = createSignedLinks(deps);
  const subjectOf = ({ taskId, number }: ImageName): string => `image:${taskId}:${number}`;
  return {
    add: async ({ images, startedAt, key, input, model, group, ...order }) => {
      const now = nowSeconds(clock);
      const { userId, channelId } = order;
      const taskId = `${taskIdPrefix}${ids.alphanumeric(taskIdLength)}`;
      const begun = Math.floor(startedAt / 1000);
      // The copies first: where the task is seen, its images can be had.
      await deps.keepImages({ taskId, userId, channelId }, images);
      try {
        // Finished when it begins to exist, and without charges of its own: the relay has charged it,
        // so that nothing polls it and no refund finds anything.
        await storage.tasks.insert({
          ...order,
          taskId,
          platform,
          action: 'IMAGE',
          status: 'SUCCESS',
          progress: finishedProgress,
          createdAt: begun,
          updatedAt: now,
          submitTime: begun,
          startTime: begun,
          finishTime: now,
          properties: JSON.stringify({ input, model, group, key }),
          data: dataOf(images),
        });
      } catch (error) {
        await storage.taskResults.end(taskId);
        throw error;
      }
    },
    linkTo: (taskId, number) =>
      `/pg/images/generations/${encodeURIComponent(taskId)}/${number}?${links.queryFor(
        subjectOf({ taskId, number }),
        linkLife,
      )}`,
    isValid: (image, expires, signature) =>
      links.isValidUntil(subjectOf(image), expires, signature),
    findOwn: async (userId, taskId) => {
      const task = taskId === '' ? null : await storage.tasks.findByTaskId(taskId, userId);
      if (task?.platform !== platform) throw new AppError('task_not_exist');
      return task;
    },
  };
}
