/** Our copies of what finished tasks made (docs/rules/files.md#results). */
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import { workThrough } from '../../kernel/work-through.ts';
import type { Storage, Task, TaskResult } from '../../storage/storage.ts';
import { addressOf, type GuardPolicy } from '../../upstream/guard.ts';
import { type ContentReply, type ContentRequest, contentReply } from '../content-reply.ts';
import type { FileStore } from '../store/file-store.ts';
import { forwardResult } from './forward-result.ts';

export interface TaskResults {
  /** When the copy of a task's result ends, in Unix seconds; undefined: there is none. */
  storedUntil(taskId: string): Promise<number | undefined>;
  /** The copy, of several the one with this number; null: there is none. */
  open(taskId: string, request: ContentRequest, number?: number): Promise<ContentReply | null>;
  /**
   * What the upstream has at `url`, which may be public, on the host of the task's channel or in
   * FETCH_ALLOW_HOSTS. `signal` ends it, also while its body is read. Throws AppError result_gone,
   * result_unreachable, address_not_allowed.
   */
  forward(
    task: Pick<Task, 'channelId'>,
    url: string,
    request: ContentRequest,
    signal?: AbortSignal,
  ): Promise<ContentReply>;
  /**
   * Deletes copies that have expired or whose users were deleted. Returns their number; `failures`
   * gets the error of each one that could not be deleted.
   */
  clean(signal?: AbortSignal, failures?: unknown[]): Promise<number>;
}

export interface TaskResultDeps {
  readonly storage: Pick<Storage, 'taskResults' | 'channels'>;
  readonly store: FileStore;
  readonly guard: GuardPolicy;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

const batch = 100;
const cacheControl = 'private, max-age=3600';

export function createTaskResults(deps: TaskResultDeps): TaskResults {
  const { storage, store, clock, logger } = deps;

  const findStored = async (taskId: string, number = 0): Promise<TaskResult | undefined> => {
    const found = await storage.taskResults.find(taskId, number);
    return found?.state === 'stored' && found.expiresAt > nowSeconds(clock) ? found : undefined;
  };

  return {
    storedUntil: async (taskId) => (await findStored(taskId))?.expiresAt,
    open: async (taskId, request, number) => {
      const result = await findStored(taskId, number);
      const file = result === undefined ? null : await store.open(result.path);
      if (result === undefined || file === null) return null;
      const tag = result.path.split(/[/.]/).at(-2) ?? '';
      return contentReply(file, { type: result.mime, tag, cacheControl }, request);
    },
    forward: async ({ channelId }, url, request, signal) =>
      forwardResult(url, await guardFor(deps, channelId), request, { signal }),
    clean: async (signal, failures = []) => {
      const now = nowSeconds(clock);
      let deleted = 0;
      await workThrough({
        read: (limit, passed) => storage.taskResults.listEnded(now, limit, passed),
        batch,
        work: async ({ taskId, number, path }) => {
          await store.delete(path);
          const change = { state: 'expired', path: '', bytes: 0 } as const;
          if (await storage.taskResults.update(taskId, 'stored', change, number)) deleted += 1;
          return true;
        },
        failed: (error, { path }) => {
          failures.push(error);
          logger.error(
            { error, path },
            'a result could not be deleted; the next clean-up tries again',
          );
        },
        signal,
      });
      return deleted;
    },
  };
}

/**
 * A channel's own address is where the operator sends requests anyway
 * (docs/rules/files.md#results).
 */
export async function guardFor(
  { storage, guard }: Pick<TaskResultDeps, 'storage' | 'guard'>,
  channelId: number,
): Promise<GuardPolicy> {
  const { baseUrl = '' } = (await storage.channels.find(channelId)) ?? {};
  return { ...guard, channelAddress: addressOf(baseUrl) };
}
