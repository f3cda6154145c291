/**
 * Upstreams whose work takes longer than one request: music, drawings, video (docs/rules/tasks.md).
 * A vendor implements the wire only: it knows no database and no money.
 */
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import type { TaskPlatform } from '../vocabulary/task-types.ts';
import type { Call, Effects } from './call.ts';

/** States in which an upstream may accept a task. */
export type AcceptedStatus = 'SUBMITTED' | 'QUEUED' | 'IN_PROGRESS' | 'MODAL' | 'SUCCESS';

/** What an upstream reports of a drawing besides its state; absent fields stay as they are. */
export interface DrawingResult {
  readonly code?: number;
  readonly promptEn?: string;
  readonly description?: string;
  readonly state?: string;
  readonly imageUrl?: string;
  readonly videoUrl?: string;
  /** JSON text. */
  readonly videoUrls?: string;
  readonly buttons?: string;
  readonly properties?: string;
}

/** What an upstream reports of a task's result; absent members stay as they are. */
export interface TaskResult {
  /** Percent. Absent: it follows from the state. */
  readonly progress?: number;
  /** Unix milliseconds. */
  readonly startTime?: number;
  readonly finishTime?: number;
  /** Column `data` of a task: the result, as callers are shown it. */
  readonly data?: JsonValue;
  /**
   * The address of the result where only the gateway may know it; kept in the task's private data.
   */
  readonly resultUrl?: string;
  /** Columns of a drawing. */
  readonly drawing?: DrawingResult;
}

/** A task that an upstream accepted. */
export interface TaskSubmission extends TaskResult {
  /** The upstream's id. */
  readonly upstreamId: string;
  readonly status: AcceptedStatus;
  /** The upstream's reply, for callers who speak its wire. */
  readonly reply: JsonObject;
}

/** A task whose state is requested. */
export interface PolledTask {
  readonly upstreamId: string;
  readonly action: string;
  /** The upstream's name of the model; '' where it is not known. */
  readonly model: string;
}

/** The state of a task as its upstream reports it. */
export interface TaskReport extends TaskResult {
  readonly upstreamId: string;
  /**
   * `LOST`: the upstream says that it does not know the task (any more): it fails when that is said
   * three times, or when it is older than 23 hours. Absent: a word that is not known, the state
   * stays.
   */
  readonly status?: AcceptedStatus | 'FAILURE' | 'LOST';
  /**
   * Of a task that succeeded: what was made, by the names of what its price was multiplied by. What
   * is less than ordered is refunded (docs/rules/video.md#shorter-videos).
   */
  readonly measured?: Readonly<Record<string, number>>;
  /**
   * Why it failed. A report with a reason is that of a failure, whatever its status, except
   * SUCCESS.
   */
  readonly failReason?: string;
}

/**
 * `Order` is the work as the platform's routes read it (relay/tasks/<platform>) and as `submit`
 * sends it. Requests are sent with `effects.fetch`; the last of them decides what a failure means
 * (docs/rules/tasks.md#retries), so that nothing else is reported.
 */
export interface TaskProvider<Order = unknown> {
  readonly platform: TaskPlatform;
  /** The most tasks in one poll; 1: one request per task, at most ten per second and key. */
  readonly batchSize: number;
  /** Milliseconds: limits of requests that name none. */
  readonly submitTimeout: number;
  readonly pollTimeout: number;
  /**
   * Throws ReplyFailure where the upstream refuses, and AppError (`bad_response_body`) where its
   * reply cannot be read.
   */
  submit(order: Order, call: Call, effects: Effects): Promise<TaskSubmission>;
  /**
   * Tasks that the upstream does not list are omitted: they stay as they are. Throws ReplyFailure
   * where the upstream refuses the request as a whole: after ten rounds of 401 or 403 the tasks
   * fail, all else is tried again.
   */
  poll(tasks: readonly PolledTask[], call: Call, effects: Effects): Promise<readonly TaskReport[]>;
  /**
   * The upstream's reply to the question for the seed of a finished drawing. Throws ReplyFailure
   * and AppError like `submit`.
   */
  imageSeed?(upstreamId: string, call: Call, effects: Effects): Promise<JsonObject>;
}
