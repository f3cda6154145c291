/** Videos as holders of tokens read them (docs/rules/video.md#replies). */
import type { JsonObject } from '../../../kernel/json.ts';
import type { VideoStatus, VideoView } from '../../../tasks/videos/present-video.ts';
import type { VideoLinks } from '../../../tasks/videos/video-links.ts';

const openAiStatuses: Readonly<Record<VideoStatus, string>> = {
  NOT_START: 'queued',
  QUEUED: 'queued',
  IN_PROGRESS: 'in_progress',
  SUCCESS: 'completed',
  FAILURE: 'failed',
  UNKNOWN: 'in_progress',
};

/** OpenAI's video object, with the task's id under the name that New API's clients read as well. */
export function writeOpenAiVideo(video: VideoView, links: VideoLinks): JsonObject {
  const { task, input, status, size, seconds } = video;
  const { taskId, failReason } = task;
  return {
    id: taskId,
    task_id: taskId,
    object: 'video',
    model: video.model,
    status: openAiStatuses[status],
    progress: Number.parseInt(task.progress, 10) || 0,
    created_at: task.createdAt,
    completed_at: status === 'SUCCESS' ? task.finishTime : null,
    expires_at: video.expiresAt ?? null,
    prompt: input['prompt'] ?? null,
    ...(seconds !== undefined && { seconds: String(seconds) }),
    ...(size !== undefined && { size: size.replace('*', 'x') }),
    remixed_from_video_id: null,
    error: status === 'FAILURE' ? { code: 'video_generation_failed', message: failReason } : null,
    ...(video.hasResult && { metadata: { url: links.forToken(taskId) } }),
  };
}

export function writeTask(video: VideoView, links: VideoLinks): JsonObject {
  const { task, status, seconds, size } = video;
  const url = video.hasResult ? links.forToken(task.taskId) : '';
  return {
    task_id: task.taskId,
    platform: task.platform,
    action: task.action,
    status,
    fail_reason: task.failReason,
    result_url: url,
    submit_time: task.submitTime,
    start_time: task.startTime,
    finish_time: task.finishTime,
    progress: task.progress,
    data: { video_url: url, duration: seconds ?? null, size: size ?? null },
  };
}
