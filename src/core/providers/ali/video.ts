/** Videos as tasks (docs/rules/video.md#dashscope-video). */

import { compact } from '../../canonical/kit/read-json.ts';
import { fetchObject } from '../../canonical/kit/task-reply.ts';
import type { Call, Effects } from '../../canonical/provider.ts';
import type {
  PolledTask,
  TaskProvider,
  TaskReport,
  TaskSubmission,
} from '../../canonical/task-provider.ts';
import type { VideoOrder } from '../../canonical/video.ts';
import { readAliFailure } from './failure.ts';
import {
  readSubmission,
  readVideoReport,
  type VideoReport,
  type VideoState,
} from './video-reply.ts';
import { encodePoll, encodeVideo } from './video-request.ts';

/** Percent of a task that waits for its turn. */
const acceptedProgress = 20;

async function submit(order: VideoOrder, call: Call, effects: Effects): Promise<TaskSubmission> {
  const reply = await fetchObject(effects, encodeVideo(order, call), readAliFailure);
  return { upstreamId: readSubmission(reply), status: 'QUEUED', progress: acceptedProgress, reply };
}

const statuses: Readonly<Record<VideoState, TaskReport['status'] | undefined>> = {
  QUEUED: 'QUEUED',
  IN_PROGRESS: 'IN_PROGRESS',
  SUCCESS: 'SUCCESS',
  FAILURE: 'FAILURE',
  GONE: 'LOST',
  UNKNOWN: undefined,
};

const inMilliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000;

/**
 * The address of the result is for the gateway alone: callers get one of ours, which lasts longer.
 */
function toTaskReport(upstreamId: string, report: VideoReport): TaskReport {
  const status = statuses[report.state];
  const startTime = inMilliseconds(report.startTime);
  const finishTime = inMilliseconds(report.finishTime);
  return {
    upstreamId,
    ...(status !== undefined && { status }),
    ...(report.failReason !== '' && { failReason: report.failReason }),
    ...(startTime !== undefined && { startTime }),
    ...(finishTime !== undefined && { finishTime }),
    ...(report.state === 'SUCCESS' && {
      ...(report.seconds !== undefined && { measured: { seconds: report.seconds } }),
      data: compact({ duration: report.seconds, size: report.size }),
      ...(report.videoUrl !== undefined && { resultUrl: report.videoUrl }),
    }),
  };
}

async function poll(
  tasks: readonly PolledTask[],
  call: Call,
  effects: Effects,
): Promise<readonly TaskReport[]> {
  const reports: TaskReport[] = [];
  for (const { upstreamId } of tasks) {
    const body = await fetchObject(effects, encodePoll(upstreamId, call), readAliFailure);
    reports.push(toTaskReport(upstreamId, readVideoReport(body)));
  }
  return reports;
}

export const aliVideos: TaskProvider<VideoOrder> = {
  platform: 'ali',
  batchSize: 1,
  submitTimeout: 60_000,
  pollTimeout: 15_000,
  submit,
  poll,
};
