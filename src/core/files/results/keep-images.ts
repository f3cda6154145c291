/** Copies of the images of an order, kept when they come (docs/rules/files.md#kept-images). */
import { Readable } from 'node:stream';
import { nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Task } from '../../storage/storage.ts';
import type { Draft } from '../store/file-store.ts';
import { newResultPath } from '../store/paths.ts';
import { download } from './download.ts';
import { headBytes, mediaTypeOf } from './media-type.ts';
import { guardFor, type TaskResultDeps } from './task-results.ts';

/** The image itself, or where the upstream has it. */
export type MadeImage = Buffer | string;

export type ImageOwner = Pick<Task, 'taskId' | 'userId' | 'channelId'>;

export interface KeepImagesDeps extends TaskResultDeps {
  /** Days for which a copy is kept. */
  readonly days: number;
}

/** Bytes of one image, and milliseconds of a download. */
const maxBytes = 32 * 1024 * 1024;
const downloadMs = 60_000;
/** Images and bytes of a user: the oldest go first. */
export const imageBounds = { most: 300, bytes: 300 * 1024 * 1024 } as const;

/**
 * Keeps them under the numbers from 1, in their order. Never rejects: what cannot be kept is
 * logged, and the answer was given.
 */
export function bindKeepImages(
  deps: KeepImagesDeps,
): (owner: ImageOwner, images: readonly MadeImage[]) => Promise<void> {
  const { storage, store, clock, ids, logger } = deps;
  const results = storage.taskResults;

  const receive = async (image: MadeImage, channelId: number): Promise<Draft> => {
    if (typeof image !== 'string') return store.receive(Readable.from([image]), maxBytes);
    const { status, body } = await download({
      url: image,
      guard: await guardFor(deps, channelId),
      totalTimeout: downloadMs,
    });
    try {
      if (status !== 200) throw new AppError('result_unreachable');
      return await store.receive(body, maxBytes);
    } finally {
      body.destroy();
    }
  };

  const keepOne = async (
    { taskId, userId, channelId }: ImageOwner,
    image: MadeImage,
    number: number,
  ): Promise<void> => {
    const draft = await receive(image, channelId);
    try {
      const media = mediaTypeOf(await draft.head(headBytes));
      if (media?.type.startsWith('image/') !== true) throw new AppError('image_type_unsupported');
      const path = newResultPath(clock.now(), ids, media.extension);
      const createdAt = nowSeconds(clock);
      // The row first: no file is ever without one.
      await results.insertStored({
        taskId,
        number,
        userId,
        path,
        mime: media.type,
        bytes: draft.bytes,
        createdAt,
        expiresAt: createdAt + deps.days * 86_400,
      });
      try {
        await draft.commit(path);
      } catch (error) {
        await results.update(taskId, 'stored', { state: 'failed', path: '', bytes: 0 }, number);
        throw error;
      }
    } finally {
      await draft.discard();
    }
  };

  /** Makes room by what is oldest. */
  const trim = async (userId: number): Promise<void> => {
    let bytes = 0;
    const kept = await results.listImages(userId, nowSeconds(clock));
    for (const [place, { taskId, number, bytes: size }] of kept.entries()) {
      bytes += size;
      // Its file is deleted with those that have expired.
      if (place >= imageBounds.most || bytes > imageBounds.bytes)
        await results.update(taskId, 'stored', { expiresAt: 0 }, number);
    }
  };

  return async (owner, images) => {
    const { taskId } = owner;
    for (const [index, image] of images.entries()) {
      try {
        await keepOne(owner, image, index + 1);
      } catch (error) {
        logger.warn({ error, taskId, number: index + 1 }, 'an image could not be kept');
      }
    }
    await trim(owner.userId).catch((error: unknown) =>
      logger.error({ error, taskId }, 'old images could not be ended; the next order tries again'),
    );
  };
}
