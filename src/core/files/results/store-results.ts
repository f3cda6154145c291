/**
 * Downloads what finished tasks made, before its address at the upstream ends
 * (docs/rules/files.md#results).
 */
import { nowSeconds } from '../../kernel/clock.ts';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import type { Storage, Task, TaskResult } from '../../storage/storage.ts';
import { headerText } from '../../upstream/exchange.ts';
import type { Draft } from '../store/file-store.ts';
import { newResultPath } from '../store/paths.ts';
import { download } from './download.ts';
import { headBytes, isMediaType, mediaTypeOf } from './media-type.ts';
import { guardFor, type TaskResultDeps } from './task-results.ts';

export interface StoreResultsDeps extends TaskResultDeps {
  readonly storage: Pick<Storage, 'taskResults' | 'channels' | 'tasks'>;
  /** Where the upstream has a task's result; '': nowhere. */
  readonly sourceOf: (task: Task) => string;
  /** Days for which a copy is kept. */
  readonly days: number;
}

/** Platforms whose results are stored. Music and drawings keep their addresses. */
const platforms = ['ali'];
const maxBytes = 500 * 1024 * 1024;
const downloadMs = 600_000;
/**
 * Seconds: for as long as an upstream keeps a result, and until the next try after each that
 * failed.
 */
const upstreamLife = 86_400;
const pauses = [60, 300, 900, 3600];
const atOnce = 2;
const batch = 50;
/** A task ends when its upstream says so, which may be noticed hours later. Seconds. */
const overlap = 6 * 3600;

/** Failures that the next try would meet again. */
const final: ReadonlySet<ErrorCode> = new Set([
  'result_gone',
  'file_too_large',
  'image_type_unsupported',
  'address_not_allowed',
]);

/** One round: notes tasks that have finished, and downloads what is due. */
export function bindStoreResults(deps: StoreResultsDeps): (signal: AbortSignal) => Promise<void> {
  const { storage, store, clock, ids, logger } = deps;
  const results = storage.taskResults;
  let seenUntil = 0;

  const noteNew = async (): Promise<void> => {
    const now = nowSeconds(clock);
    const from = Math.max(seenUntil - overlap, now - upstreamLife);
    for (;;) {
      const found = await results.listNew(platforms, from, batch);
      for (const { taskId, userId, finishTime } of found)
        await results.insert({ taskId, userId, dueAt: now, createdAt: finishTime });
      if (found.length < batch) break;
    }
    seenUntil = now;
  };

  /** Throws AppError. Nothing is left of a download that fails. */
  const fetchDraft = async (task: Task, signal: AbortSignal): Promise<Draft> => {
    const url = deps.sourceOf(task);
    if (!URL.canParse(url)) throw new AppError('result_gone');
    const guard = await guardFor(deps, task.channelId);
    const { status, headers, body } = await download({
      url,
      guard,
      totalTimeout: downloadMs,
      signal,
    });
    try {
      if ([401, 403, 404, 410].includes(status)) throw new AppError('result_gone');
      if (status !== 200) throw new AppError('result_unreachable');
      if (!isMediaType(headerText(headers, 'content-type')))
        throw new AppError('image_type_unsupported');
      if (Number(headerText(headers, 'content-length')) > maxBytes)
        throw new AppError('file_too_large', { limit: maxBytes / 1024 / 1024 });
      return await store.receive(body, maxBytes);
    } finally {
      body.destroy();
    }
  };

  /**
   * The path is written down before the file gets it, so that a crash between the two leaves no
   * file that nobody knows.
   */
  const keep = async ({ taskId }: TaskResult, draft: Draft): Promise<void> => {
    const media = mediaTypeOf(await draft.head(headBytes));
    if (media === undefined) throw new AppError('image_type_unsupported');
    const path = newResultPath(clock.now(), ids, media.extension);
    if (!(await results.update(taskId, 'waiting', { path }))) return;
    await draft.commit(path);
    const expiresAt = nowSeconds(clock) + deps.days * 86_400;
    const isKept = await results.update(taskId, 'waiting', {
      state: 'stored',
      mime: media.type,
      bytes: draft.bytes,
      expiresAt,
    });
    // Its owner deleted the task meanwhile.
    if (!isKept) await store.delete(path);
  };

  const giveUpOrWait = async (result: TaskResult, error: unknown): Promise<void> => {
    const { taskId, createdAt } = result;
    const tries = result.tries + 1;
    const now = nowSeconds(clock);
    const dueAt = now + (pauses[Math.min(tries, pauses.length) - 1] ?? 0);
    const isOver =
      (error instanceof AppError && final.has(error.code)) || dueAt > createdAt + upstreamLife;
    await results.update(taskId, 'waiting', isOver ? { state: 'failed', tries } : { tries, dueAt });
    logger.warn(
      { error, taskId, tries },
      isOver ? 'a result is not stored' : 'a result could not be stored yet',
    );
  };

  const storeOne = async (result: TaskResult, signal: AbortSignal): Promise<void> => {
    let draft: Draft | undefined;
    try {
      if (result.path !== '') await store.delete(result.path);
      const task = await storage.tasks.findByTaskId(result.taskId, result.userId);
      if (task === null) throw new AppError('result_gone');
      draft = await fetchDraft(task, signal);
      await keep(result, draft);
    } catch (error) {
      if (!signal.aborted) await giveUpOrWait(result, error);
    } finally {
      await draft?.discard();
    }
  };

  return async (signal) => {
    await noteNew();
    const due = [...(await results.listDue(nowSeconds(clock), batch))];
    const work = async (): Promise<void> => {
      for (let next = due.shift(); next !== undefined && !signal.aborted; next = due.shift())
        await storeOne(next, signal);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  };
}
