import type { Task } from '../storage/storage.ts';
import type { taskStatuses } from '../vocabulary/task-types.ts';

export type TaskStatus = (typeof taskStatuses)[number];

/** What an upstream reports about a task. */
export interface TaskUpdate {
  readonly task: Task;
  readonly status: TaskStatus;
  /** Percent; counts only while the task is neither `SUCCESS` nor `FAILURE`. */
  readonly progress: number;
  /** '' unless the task failed. */
  readonly failReason: string;
  /** The result as JSON text; absent: unchanged. */
  readonly data?: string;
}

/** What an upstream accepted. */
export interface AcceptedTask {
  /** The public id. */
  readonly taskId: string;
  /** JSON text; sealed at rest, for the calls that follow. */
  readonly privateData: string;
}

/**
 * An upstream whose work takes longer than a request: music, images, video. `Order` is what a caller sends.
 * docs/adding-things.md lists the files of a new one.
 */
export interface TaskPlatform<Order = never> {
  /** The value of the column `platform`. */
  readonly id: string;
  /** Most tasks that one poll asks about. */
  readonly batchSize: number;
  /** Throws AppError where the upstream refuses; then nothing is charged. */
  submit(order: Order, signal: AbortSignal): Promise<AcceptedTask>;
  /** Asks about unfinished tasks of this platform. A task that the upstream does not name in its reply is left out. */
  poll(tasks: readonly Task[], signal: AbortSignal): Promise<readonly TaskUpdate[]>;
}
