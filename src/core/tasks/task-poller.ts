import type { Ledger } from '../billing/ledger.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { WriteLog } from '../logs/write-log.ts';
import type { Storage, Task } from '../storage/storage.ts';
import { logTypes } from '../vocabulary/log-types.ts';
import type { TaskPlatform, TaskUpdate } from './task-platform.ts';

export interface TaskPollerDeps {
  readonly storage: Pick<Storage, 'tasks' | 'users'>;
  readonly ledger: Ledger;
  readonly writeLog: WriteLog;
  readonly platforms: readonly TaskPlatform[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The most unfinished tasks that one run polls, oldest first. */
const tasksPerRun = 1000;
const finished = '100%';

/**
 * Updates unfinished tasks. A task is charged when it is submitted. The transaction that marks it failed also refunds it,
 * so it is refunded exactly once. If a platform cannot be reached, its tasks stay for the next run.
 */
export function createTaskPoller(deps: TaskPollerDeps): (signal: AbortSignal) => Promise<void> {
  const { storage, ledger, clock } = deps;

  const refund = async (task: Task, failReason: string): Promise<void> => {
    const owner = await storage.users.find(task.userId);
    await ledger.post({
      userId: task.userId,
      kind: 'refund',
      amount: task.quota,
      reference: `task:${task.id}`,
      guard: {
        table: 'tasks',
        id: task.id,
        from: task.status,
        to: 'FAILURE',
        set: { progress: finished, fail_reason: failReason, finish_time: nowSeconds(clock), updated_at: nowSeconds(clock) },
      },
      log: deps.writeLog.prepare({ userId: task.userId, username: owner?.username ?? '' }, logTypes.system, 'log.refunded', {
        quota: task.quota,
        task: task.taskId,
      }),
    });
  };

  const apply = async ({ task, status, progress, failReason, data }: TaskUpdate): Promise<void> => {
    const now = nowSeconds(clock);
    const result = { updatedAt: now, ...(data !== undefined && { data }) };
    if (status === 'FAILURE' && task.quota > 0) {
      if (data !== undefined) await storage.tasks.update(task.id, task.status, result);
      return refund(task, failReason);
    }
    const isFinished = status === 'SUCCESS' || status === 'FAILURE';
    await storage.tasks.update(task.id, task.status, {
      ...result,
      status,
      failReason,
      progress: isFinished ? finished : `${Math.min(Math.max(Math.floor(progress), 0), 99)}%`,
      ...(task.startTime === 0 && status !== 'QUEUED' && { startTime: now }),
      ...(isFinished && { finishTime: now }),
    });
  };

  const pollPlatform = async (platform: TaskPlatform, tasks: readonly Task[], signal: AbortSignal): Promise<void> => {
    for (let from = 0; from < tasks.length; from += platform.batchSize) {
      signal.throwIfAborted();
      for (const update of await platform.poll(tasks.slice(from, from + platform.batchSize), signal)) await apply(update);
    }
  };

  return async (signal) => {
    const unfinished = await storage.tasks.listUnfinished(tasksPerRun);
    for (const platform of deps.platforms) {
      const tasks = unfinished.filter((task) => task.platform === platform.id);
      try {
        await pollPlatform(platform, tasks, signal);
      } catch (error) {
        signal.throwIfAborted();
        deps.logger.error({ error, platform: platform.id }, 'the tasks of a platform could not be polled');
      }
    }
  };
}
