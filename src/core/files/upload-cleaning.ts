/** Deletes uploads that nobody needs any more (docs/rules/files.md#expiry). */
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { type WorkThrough, workThrough } from '../kernel/work-through.ts';
import type { Storage, Upload } from '../storage/storage.ts';
import type { TaskResults } from './results/task-results.ts';
import type { FileStore } from './store/file-store.ts';

export interface UploadCleaning {
  /**
   * What has expired or belongs to deleted users. Returns the number of files; `failures` gets the
   * error of each one that could not be deleted.
   */
  run(signal?: AbortSignal, failures?: unknown[]): Promise<number>;
  /**
   * All files of a user whose account was deleted, except those that the model square shows. Never
   * rejects.
   */
  deleteOf(userId: number): Promise<void>;
  /**
   * An upload that was stored for work that is not done, unless something refers to it. Never
   * rejects.
   */
  discard(path: string): Promise<void>;
}

export interface UploadCleaningDeps {
  readonly storage: Pick<Storage, 'uploads'>;
  readonly store: FileStore;
  readonly results: Pick<TaskResults, 'clean'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const batch = 200;
/**
 * Seconds for which a file stays that a model or an unfinished task refers to, until it is looked
 * at again.
 */
const extension = 86_400;

export function createUploadCleaning({
  storage,
  store,
  results,
  clock,
  logger,
}: UploadCleaningDeps): UploadCleaning {
  const { uploads } = storage;

  /**
   * Returns whether it was deleted. The file goes first: a row that is left is found again by the
   * next run.
   */
  const remove = async (upload: Upload): Promise<boolean> => {
    if (await uploads.isReferred(upload.path)) {
      await uploads.setExpiry(upload.id, nowSeconds(clock) + extension);
      return false;
    }
    await store.delete(upload.path);
    return uploads.delete(upload.id);
  };

  /** One that cannot be deleted does not hold up the others. Returns the number of files. */
  const removeAll = async (
    read: WorkThrough<Upload>['read'],
    signal?: AbortSignal,
    failures: unknown[] = [],
  ): Promise<number> => {
    let removed = 0;
    await workThrough({
      read,
      batch,
      work: async (upload) => {
        if (await remove(upload)) removed += 1;
        return true;
      },
      failed: (error, { path }) => {
        failures.push(error);
        logger.error(
          { error, path },
          'an upload could not be deleted; the next clean-up tries again',
        );
      },
      signal,
    });
    return removed;
  };

  const removeExpired = (signal?: AbortSignal, failures?: unknown[]): Promise<number> => {
    const now = nowSeconds(clock);
    return removeAll((limit, passed) => uploads.listExpired(now, limit, passed), signal, failures);
  };

  const removeOrphans = (signal?: AbortSignal, failures?: unknown[]): Promise<number> => {
    let after = 0;
    return removeAll(
      async (limit) => {
        const found = await uploads.listOrphans(after, limit);
        after = found.at(-1)?.id ?? after;
        return found;
      },
      signal,
      failures,
    );
  };

  return {
    async discard(path) {
      try {
        const upload = await uploads.findByPath(path);
        if (upload !== null) await remove(upload);
      } catch (error) {
        logger.error({ error, path }, 'an upload could not be deleted; it expires');
      }
    },
    run: async (signal, failures) =>
      (await removeExpired(signal, failures)) + (await removeOrphans(signal, failures)),
    async deleteOf(userId) {
      try {
        const { items } = await uploads.page(userId, { offset: 0, limit: 10_000 });
        const all = [...items];
        await removeAll(async (limit) => all.splice(0, limit));
        await results.clean();
      } catch (error) {
        logger.error(
          { error, userId },
          'files of a deleted user could not be deleted; the next clean-up tries again',
        );
      }
    },
  };
}
