/** Videos as their owners read them (docs/rules/video.md#replies). */
import { isObject, type JsonObject, type JsonValue, parseObject } from '../../kernel/json.ts';
import type { Task } from '../../storage/storage.ts';

/** What the owner of a video sees of it. */
export interface VideoView {
  readonly task: Task;
  readonly model: string;
  /** As it was ordered. */
  readonly input: JsonObject;
  readonly status: VideoStatus;
  /** Seconds; undefined: not known. */
  readonly seconds: number | undefined;
  /** `1280*720` or `720P`. */
  readonly size: string | undefined;
  /** Unix seconds at which the result ends; undefined: there is none, or it is not known. */
  readonly expiresAt: number | undefined;
  /** Whether the result can be fetched. */
  readonly hasResult: boolean;
}

/** Never `SUBMITTED`: clients poll while a video is in one of the first three. */
export type VideoStatus =
  | 'NOT_START'
  | 'QUEUED'
  | 'IN_PROGRESS'
  | 'SUCCESS'
  | 'FAILURE'
  | 'UNKNOWN';

const statuses: ReadonlySet<string> = new Set<VideoStatus>([
  'NOT_START',
  'QUEUED',
  'IN_PROGRESS',
  'SUCCESS',
  'FAILURE',
]);

function statusOf({ status }: Task): VideoStatus {
  if (statuses.has(status)) return status as VideoStatus;
  if (status === '') return 'NOT_START';
  return status === 'SUBMITTED' ? 'QUEUED' : 'UNKNOWN';
}

/** Seconds for which a result can be fetched from its upstream. */
export const upstreamLife = 86_400;

const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const numberOf = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** `storedUntil`: when our copy of the result ends; undefined: there is none. */
export function viewVideo(task: Task, storedUntil: number | undefined, now: number): VideoView {
  const { input, model } = (parseObject(task.properties) ?? {}) as JsonObject;
  const ordered = isObject(input) ? (input as JsonObject) : {};
  const data = (parseObject(task.data) ?? {}) as JsonObject;
  const status = statusOf(task);
  const expiresAt =
    status === 'SUCCESS' ? (storedUntil ?? task.finishTime + upstreamLife) : undefined;
  return {
    task,
    model: textOf(model) ?? textOf(ordered['model']) ?? '',
    input: ordered,
    status,
    seconds: numberOf(data['duration']) ?? numberOf(ordered['duration']),
    size: textOf(data['size']) ?? textOf(ordered['size']) ?? textOf(ordered['resolution']),
    expiresAt,
    hasResult: expiresAt !== undefined && expiresAt > now,
  };
}

/** For the console. `url`: of the result. */
export function presentVideo({ task, status, input, hasResult }: VideoView, url: string) {
  return {
    task_id: task.taskId,
    status,
    task_status: status,
    progress: task.progress,
    created_at: task.createdAt,
    finish_time: task.finishTime,
    fail_reason: task.failReason,
    video_url: hasResult ? url : '',
    input,
  };
}
