import type { Filters, FilterValues } from '../../entities/filters.ts';
import type { drawingFilters, taskFilters } from '../../entities/task-filters.ts';
import type { Quota } from '../../kernel/quota.ts';
import type { Listing, PageRequest } from './listing.ts';

/**
 * A row of `midjourneys`: a drawing (docs/rules/process.md#tables). Times are Unix MILLISECONDS.
 */
export interface Midjourney {
  readonly id: number;
  readonly code: number;
  readonly userId: number;
  readonly tokenId: number;
  readonly action: string;
  /** The upstream's id. */
  readonly mjId: string;
  readonly prompt: string;
  readonly promptEn: string;
  readonly description: string;
  readonly state: string;
  readonly submitTime: number;
  readonly startTime: number;
  readonly finishTime: number;
  readonly imageUrl: string;
  readonly videoUrl: string;
  /** JSON array text or ''. */
  readonly videoUrls: string;
  readonly status: string;
  /** Percentage as text; anything but `100%` is unfinished. */
  readonly progress: string;
  readonly failReason: string;
  readonly channelId: number;
  readonly quota: Quota;
  /** JSON text or ''. */
  readonly buttons: string;
  readonly properties: string;
  /**
   * JSON text or ''. Encrypted at rest, because it contains the key that submitted the drawing.
   * Never leaves the server.
   */
  readonly privateData: string;
}

/**
 * A row of `tasks`: music, images, video (docs/rules/process.md#tables). Times are Unix seconds.
 */
export interface Task {
  readonly id: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The public id. */
  readonly taskId: string;
  readonly platform: string;
  readonly userId: number;
  readonly channelId: number;
  readonly quota: Quota;
  readonly action: string;
  readonly status: string;
  readonly failReason: string;
  readonly submitTime: number;
  readonly startTime: number;
  readonly finishTime: number;
  /** Percentage as text; anything but `100%` is unfinished. */
  readonly progress: string;
  /** JSON text or ''. */
  readonly properties: string;
  readonly data: string;
  /**
   * JSON text or ''. Encrypted at rest, because it contains the key that started the task. Never
   * leaves the server.
   */
  readonly privateData: string;
}

export type NewMidjourney = Pick<Midjourney, 'userId' | 'action' | 'submitTime'> &
  Partial<Midjourney>;
export type NewTask = Pick<Task, 'userId' | 'taskId' | 'platform' | 'createdAt'> & Partial<Task>;

/** The user is given by id: the service looks up names. Times have the unit of the table. */
type WorkFilter<F extends Filters> = Omit<FilterValues<F>, 'user'> & { readonly userId?: number };
export type MidjourneyFilter = WorkFilter<typeof drawingFilters>;
export type TaskFilter = WorkFilter<typeof taskFilters>;

/** Methods that drawings and tasks share. */
interface WorkRepository<Row, NewRow, Filter, Change> {
  find(id: number): Promise<Row | null>;
  /**
   * Newest first: by the time of the submit, then by id. `total` is exact up to `totalCap`
   * (listing.ts).
   */
  page(filter: Filter, page: PageRequest): Promise<Listing<Row>>;
  /** Returns the new id. */
  insert(row: NewRow): Promise<number>;
  /**
   * Updates the row if its status is `from`. The caller that gets true for a change to FAILURE
   * refunds the quota, exactly once.
   */
  update(id: number, from: string, change: Change): Promise<boolean>;
  /** Unfinished rows with an id above `after`, oldest first, for polling. */
  listUnfinished(limit: number, after?: number): Promise<readonly Row[]>;
  /** Removes a row that was never sent to an upstream. */
  removeUnsent(id: number): Promise<boolean>;
}

export interface MidjourneyRepository
  extends WorkRepository<
    Midjourney,
    NewMidjourney,
    MidjourneyFilter,
    Partial<Omit<Midjourney, 'id' | 'userId'>>
  > {
  /** The newest row with the upstream's id, of one user or of all. */
  findByMjId(mjId: string, userId?: number): Promise<Midjourney | null>;
  /** The rows of one user, or of all, with these upstream ids, id descending. */
  findByMjIds(mjIds: readonly string[], userId?: number): Promise<readonly Midjourney[]>;
  /** Deletes a user's row that is over. False: there is none. */
  removeFinished(id: number, userId: number): Promise<boolean>;
  /** Private data as the column stores it, for changes that the ledger writes. */
  sealPrivateData(userId: number, privateData: string): string;
}

export interface TaskRepository
  extends WorkRepository<
    Task,
    NewTask,
    TaskFilter,
    Partial<Omit<Task, 'id' | 'userId' | 'taskId'>>
  > {
  /** The newest row with the public id, of one user or of all. */
  findByTaskId(taskId: string, userId?: number): Promise<Task | null>;
  /** A user's rows with these public ids, id descending. */
  findByTaskIds(taskIds: readonly string[], userId: number): Promise<readonly Task[]>;
  /** Deletes a user's row that is over, and returns its public id. Undefined: there is none. */
  removeFinished(id: number, userId: number): Promise<string | undefined>;
  /** Private data as the column stores it, for changes that the ledger writes. */
  sealPrivateData(taskId: string, privateData: string): string;
}
