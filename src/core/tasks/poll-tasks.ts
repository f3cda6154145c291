/**
 * One round of the poller: time limits first, then the states of unfinished tasks
 * (docs/rules/tasks.md#polling).
 */
import { ReplyFailure } from '../canonical/kit/failure.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Storage } from '../storage/storage.ts';
import type { TaskEngine } from './task-engine.ts';
import { factsOf, type TaskRecord, updateRecord } from './task-record.ts';
import type { UpstreamStates } from './upstream-states.ts';

export interface PollDeps {
  readonly storage: Pick<Storage, 'tasks' | 'midjourneys'>;
  readonly engine: Pick<TaskEngine, 'apply' | 'fail'>;
  readonly upstreams: UpstreamStates;
  /** Minutes until a task of `tasks` has timed out; 0: never. */
  readonly timeoutMinutes: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Unfinished rows of each table that one round looks at. */
const rowsPerRound = 1000;
/** Rows that one round ends because of their age. */
const endedPerRound = 100;
/** Milliseconds. */
const minute = 60_000;
const submitLimit = 10 * minute;
const drawingLimit = 60 * minute;
/** Rounds in which the key of a task is refused, until the task fails. */
const mostRefusals = 10;
/** Channels and keys that are polled at the same time: a slow one does not hold up the others. */
const sideBySide = 8;
/**
 * Milliseconds between requests about single tasks with one key, and how many of them may wait for
 * their replies.
 */
const pause = 100;
const mostUnderWay = 20;
/** Tasks that are remembered because the upstream failed for them. */
const mostFailed = 1000;

/**
 * Returns a function that polls once. Rounds continue where the last one ended, so that no task
 * waits behind others for ever.
 */
export function createTaskPoller(deps: PollDeps): (signal: AbortSignal) => Promise<void> {
  const { storage, engine, upstreams, clock, logger } = deps;
  /** Ids after which the next round begins. */
  const cursors = { tasks: 0, midjourneys: 0 };
  /**
   * Tasks for which the upstream failed, by when and in how large a batch. Those of their key that
   * can be read come before them, then those that failed longest ago; a batch is halved until the
   * task stands alone for which the upstream fails.
   */
  const failed = new Map<string, { readonly at: number; readonly size: number }>();
  let failures = 0;
  const failedAt = (task: TaskRecord): number => failed.get(nameOf(task))?.at ?? 0;

  const list = async (table: 'tasks' | 'midjourneys'): Promise<readonly TaskRecord[]> => {
    const after = cursors[table];
    const read = async (from: number): Promise<TaskRecord[]> =>
      table === 'tasks'
        ? (await storage.tasks.listUnfinished(rowsPerRound, from)).map((row) => ({ table, row }))
        : (await storage.midjourneys.listUnfinished(rowsPerRound, from)).map((row) => ({
            table,
            row,
          }));
    const found = await read(after);
    cursors[table] = found.length < rowsPerRound ? 0 : (found.at(-1)?.row.id ?? 0);
    if (found.length > 0 || after === 0) return found;
    return read(0);
  };

  /** One task that cannot be stored does not hold up the others. */
  const alone = async (task: TaskRecord, store: () => Promise<unknown>): Promise<void> => {
    try {
      await store();
    } catch (error) {
      logger.error({ error, task: factsOf(task).name }, 'the state of a task could not be stored');
    }
  };

  /** Ends what is too old; returns the tasks that are left to poll. */
  const sweep = async (
    tasks: readonly TaskRecord[],
    signal: AbortSignal,
  ): Promise<readonly TaskRecord[]> => {
    const left: TaskRecord[] = [];
    let ended = 0;
    for (const task of tasks) {
      signal.throwIfAborted();
      const { upstreamId, submittedAt } = factsOf(task);
      const age = clock.now() - submittedAt;
      const limit = task.table === 'midjourneys' ? drawingLimit : deps.timeoutMinutes * minute;
      const isUnsent = upstreamId === '' && age > submitLimit;
      const isOverdue = limit > 0 && age > limit;
      if (!isUnsent && !isOverdue) {
        if (upstreamId !== '') left.push(task);
      } else if (ended < endedPerRound) {
        ended += 1;
        await alone(task, () =>
          isUnsent
            ? engine.fail(task, 'not_submitted')
            : engine.fail(task, 'timed_out', { hours: Math.round(limit / (60 * minute)) }),
        );
      }
    }
    return left;
  };

  /**
   * The key that submitted them is not accepted any more: not the tasks' fault, unless it stays so.
   */
  const noteRefusal = async (task: TaskRecord): Promise<void> => {
    const refusals = (factsOf(task).private.poll_errors ?? 0) + 1;
    if (refusals >= mostRefusals) await engine.fail(task, 'key_refused');
    else
      await updateRecord(
        storage,
        task,
        task.row.status,
        { private: { poll_errors: refusals } },
        clock.now(),
      );
  };

  const pollBatch = async (tasks: readonly TaskRecord[], signal: AbortSignal): Promise<void> => {
    try {
      for (const [task, report] of await upstreams.look(tasks, signal))
        await alone(task, () => engine.apply(task, report));
      for (const task of tasks) failed.delete(nameOf(task));
    } catch (error) {
      signal.throwIfAborted();
      const status = error instanceof ReplyFailure ? error.error.status : 0;
      if (status === 401 || status === 403) {
        for (const task of tasks) await alone(task, () => noteRefusal(task));
        return;
      }
      if (failed.size >= mostFailed) failed.clear();
      failures += 1;
      for (const task of tasks) failed.set(nameOf(task), { at: failures, size: tasks.length });
      throw error;
    }
  };

  /**
   * At a steady pace, however slow the upstream answers; what goes wrong ends the round for this
   * key.
   */
  const pollOneByOne = async (tasks: readonly TaskRecord[], signal: AbortSignal): Promise<void> => {
    const underWay = new Set<Promise<void>>();
    const failures: unknown[] = [];
    for (const [index, task] of tasks.entries()) {
      if (index > 0) await clock.sleep(pause, signal);
      if (underWay.size >= mostUnderWay) await Promise.race(underWay);
      if (failures.length > 0) break;
      const one = pollBatch([task], signal)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underWay.delete(one));
      underWay.add(one);
    }
    await Promise.all(underWay);
    if (failures.length > 0) throw failures[0];
  };

  /** Tasks of one channel and key. */
  const pollGroup = async (group: readonly TaskRecord[], signal: AbortSignal): Promise<void> => {
    const [first] = group;
    if (first === undefined) return;
    const size = await upstreams.batchSize(first);
    if (size === undefined) {
      for (const task of group)
        await alone(task, () => engine.fail(task, 'channel_gone', { channel: task.row.channelId }));
      return;
    }
    const tasks = group.toSorted((a, b) => failedAt(a) - failedAt(b));
    if (size === 1) return pollOneByOne(tasks, signal);
    if (size === 0) return;
    for (const together of [...Map.groupBy(tasks, failedAt).values()]) {
      const [{ size: before } = { size: size * 2 }] = together.flatMap(
        (task) => failed.get(nameOf(task)) ?? [],
      );
      const most = Math.ceil(before / 2);
      for (let at = 0; at < together.length; at += most) {
        signal.throwIfAborted();
        await pollBatch(together.slice(at, at + most), signal);
      }
    }
  };

  return async (signal) => {
    const groups = new Map<string, TaskRecord[]>();
    for (const table of ['tasks', 'midjourneys'] as const) {
      for (const task of await sweep(await list(table), signal)) {
        const { platform, private: known } = factsOf(task);
        const name = `${platform} ${task.row.channelId} ${known.key ?? ''}`;
        const group = groups.get(name);
        if (group === undefined) groups.set(name, [task]);
        else group.push(task);
      }
    }
    const waiting = [...groups.values()];
    const work = async (): Promise<void> => {
      for (let tasks = waiting.shift(); tasks !== undefined; tasks = waiting.shift()) {
        try {
          await pollGroup(tasks, signal);
        } catch (error) {
          signal.throwIfAborted();
          logger.warn(
            { error, channel: tasks[0]?.row.channelId },
            'the tasks of a channel could not be polled',
          );
        }
      }
    };
    await Promise.all(Array.from({ length: sideBySide }, work));
  };
}

const nameOf = ({ table, row }: TaskRecord): string => `${table} ${row.id}`;
