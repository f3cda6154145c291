import type { Task } from '../storage/storage.ts';
import type { taskStatuses } from '../vocabulary/task-types.ts';

export type TaskStatus = (typeof taskStatuses)[number];

/** The state of a task as its upstream reports it. */
export interface TaskUpdate {
  readonly task: Task;
  readonly status: TaskStatus;
  /** Percent; used only while the task is neither `SUCCESS` nor `FAILURE`. */
  readonly progress: number;
  /** '' unless the task failed. */
  readonly failReason: string;
  /** The result as JSON text; absent: unchanged. */
  readonly data?: string;
}

/** A task that an upstream has accepted. */
export interface AcceptedTask {
  /** The public id. */
  readonly taskId: string;
  /** JSON text for later calls; encrypted in the database. */
  readonly privateData: string;
}

/**
 * An upstream whose work takes longer than one request: music, images, video. `Order` is the caller's request.
 * docs/adding-things.md lists the files of a new one.
 */
export interface TaskPlatform<Order = never> {
  /** The value of the column `platform`. */
  readonly id: string;
  /** The most tasks in one poll. */
  readonly batchSize: number;
  /** Throws AppError if the upstream rejects the task; then nothing is charged. */
  submit(order: Order, signal: AbortSignal): Promise<AcceptedTask>;
  /** Fetches the state of unfinished tasks of this platform. Tasks missing in the upstream's reply are omitted. */
  poll(tasks: readonly Task[], signal: AbortSignal): Promise<readonly TaskUpdate[]>;
}
