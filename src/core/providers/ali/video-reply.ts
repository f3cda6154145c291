/** What DashScope reports of videos under way (docs/rules/video.md#dashscope-video-states). */
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import {
  countOf,
  type Loose,
  recordOf,
  replyObject,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { readAliFailure, refuseFailure } from './failure.ts';

/** The id of an accepted task. Throws ReplyFailure where the reply is an error or names none. */
export function readSubmission(body: unknown): string {
  const reply = replyObject(body);
  refuseFailure(reply);
  const id = textOf(recordOf(reply.output)?.task_id);
  if (id !== undefined) return id;
  throw new ReplyFailure(readAliFailure({ status: 502, headers: {}, text: '', body }));
}

export type VideoState = 'QUEUED' | 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE' | 'GONE' | 'UNKNOWN';

/**
 * `GONE`: DashScope does not know the task, or no longer. `UNKNOWN`: a word that is not documented.
 */
const states: Readonly<Record<string, VideoState>> = {
  PENDING: 'QUEUED',
  SUSPENDED: 'QUEUED',
  RUNNING: 'IN_PROGRESS',
  SUCCEEDED: 'SUCCESS',
  FAILED: 'FAILURE',
  CANCELED: 'FAILURE',
  UNKNOWN: 'GONE',
};

export interface VideoReport {
  readonly state: VideoState;
  /** '' unless it failed. */
  readonly failReason: string;
  readonly videoUrl: string | undefined;
  /** Length of the video in seconds, as charged by DashScope. */
  readonly seconds: number | undefined;
  /** `1280*720`, or the resolution where that is all it says. */
  readonly size: string | undefined;
  /** Unix seconds. */
  readonly startTime: number | undefined;
  readonly finishTime: number | undefined;
}

/** `2025-01-08 10:00:00.123` in Beijing as Unix seconds. */
export function beijingSeconds(value: unknown): number | undefined {
  const [, date, time] =
    /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})/.exec(textOf(value) ?? '') ?? [];
  const milliseconds = date === undefined ? Number.NaN : Date.parse(`${date}T${time}+08:00`);
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}

function reasonOf(output: Loose): string {
  const code = textOf(output.code);
  const message =
    textOf(output.message) ??
    (output.task_status === 'CANCELED' ? 'canceled upstream' : 'failed upstream');
  return code === undefined ? message : `${code}: ${message}`;
}

function sizeOf(usage: Loose): string | undefined {
  const ratio = textOf(usage.video_ratio);
  const resolution = countOf(usage.SR);
  return (
    textOf(usage.size) ??
    (ratio === 'standard' ? undefined : ratio) ??
    (resolution === undefined ? undefined : `${resolution}P`)
  );
}

/**
 * Throws ReplyFailure for an error in place of a task, AppError('bad_response_body') for what is
 * none.
 */
export function readVideoReport(body: unknown): VideoReport {
  const reply = replyObject(body);
  const output = recordOf(reply.output);
  if (output === undefined) refuseFailure(reply);
  const usage = recordOf(reply.usage) ?? {};
  const state = states[textOf(output?.task_status) ?? ''] ?? 'UNKNOWN';
  const videoUrl = textOf(output?.video_url);
  const isEmpty = state === 'SUCCESS' && videoUrl === undefined;
  return {
    // A video that cannot be fetched was not made.
    state: isEmpty ? 'FAILURE' : state,
    failReason: isEmpty
      ? 'no video in the result'
      : state === 'FAILURE' && output !== undefined
        ? reasonOf(output)
        : '',
    videoUrl,
    seconds:
      countOf(usage.output_video_duration) ??
      countOf(usage.video_duration) ??
      countOf(usage.duration),
    size: sizeOf(usage),
    startTime: beijingSeconds(output?.scheduled_time),
    finishTime: beijingSeconds(output?.end_time),
  };
}
