import type { Task } from './task.ts';
import type { FileSum } from './upload.ts';

/**
 * `waiting`: to be downloaded at `dueAt`; `stored`; `failed`: given up; `expired`: its file was
 * deleted.
 */
export type TaskResultState = 'waiting' | 'stored' | 'failed' | 'expired';

/** A row of `task_results`: our copy of what a finished task made. Times are Unix seconds. */
export interface TaskResult {
  /** The public id of the task. */
  readonly taskId: string;
  /** Of several, from 1; 0: the only one. */
  readonly number: number;
  readonly userId: number;
  readonly state: TaskResultState;
  /** Relative to the upload folder; '' unless stored. */
  readonly path: string;
  readonly mime: string;
  readonly bytes: number;
  /** Downloads that failed. */
  readonly tries: number;
  readonly dueAt: number;
  readonly createdAt: number;
  /** 0 unless stored. */
  readonly expiresAt: number;
}

/** A copy that is there, of a task with several results. */
export type StoredImage = Pick<TaskResult, 'taskId' | 'number' | 'bytes' | 'expiresAt'>;

export interface TaskResultRepository {
  find(taskId: string, number?: number): Promise<TaskResult | null>;
  /** The only result of a task, to be downloaded. False if the task has a row already. */
  insert(result: Pick<TaskResult, 'taskId' | 'userId' | 'dueAt' | 'createdAt'>): Promise<boolean>;
  /** One of several, whose file is about to get its path. */
  insertStored(result: Omit<TaskResult, 'state' | 'tries' | 'dueAt'>): Promise<void>;
  /** Changes the row if its state is still `from`. */
  update(
    taskId: string,
    from: TaskResultState,
    change: Partial<Omit<TaskResult, 'taskId' | 'number' | 'userId'>>,
    number?: number,
  ): Promise<boolean>;
  /** Numbered ones of these tasks that are stored until after `now`, by task and number. */
  listStored(taskIds: readonly string[], now: number): Promise<readonly StoredImage[]>;
  /** Numbered ones of a user that are stored until after `now`, newest first. */
  listImages(userId: number, now: number): Promise<readonly StoredImage[]>;
  /** Makes all results of a task ended: what is stored is found by {@link listEnded}. */
  end(taskId: string): Promise<void>;
  /** Waiting ones that are due, the longest due first. */
  listDue(now: number, limit: number): Promise<readonly TaskResult[]>;
  /**
   * Stored ones that expired before `now`, or whose user was deleted or deactivated, by task and
   * number, without the first `passed`.
   */
  listEnded(now: number, limit: number, passed?: number): Promise<readonly TaskResult[]>;
  /**
   * Tasks of the platforms that succeeded since `from` and have no row yet, in the order in which
   * they ended.
   */
  listNew(
    platforms: readonly string[],
    from: number,
    limit: number,
  ): Promise<readonly Pick<Task, 'taskId' | 'userId' | 'finishTime'>[]>;
  /** Of stored ones. */
  sum(): Promise<FileSum>;
}
