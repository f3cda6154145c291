import type { DrawingEntity, TaskEntity } from '../contract/task-logs.ts';
import { isObject, parseJson, parseObject } from '../kernel/json.ts';
import type { Midjourney, Task } from '../storage/storage.ts';
import type { DrawingImages } from './drawing-image.ts';
import type { Listed } from './task-lists.ts';

interface PresentContext {
  /** With what only administrators may know. */
  readonly forAdmin: boolean;
}

export interface DrawingContext extends PresentContext {
  readonly images: Pick<DrawingImages, 'addressOf'>;
}

export interface TaskContext extends PresentContext {
  /** The address of a finished video, which players fetch without headers. */
  readonly videoAt?: (taskId: string) => string;
  /** The path of a kept image, for pages. */
  readonly imageAt?: (taskId: string, number: number) => string;
}

function presentShared(
  { row, refunded, username, channelName }: Listed<Midjourney | Task>,
  forAdmin: boolean,
) {
  return {
    id: row.id,
    user_id: row.userId,
    channel_id: forAdmin ? row.channelId : 0,
    quota: row.quota,
    refunded,
    progress: row.progress,
    fail_reason: row.failReason,
    action: row.action,
    status: row.status,
    submit_time: row.submitTime,
    start_time: row.startTime,
    finish_time: row.finishTime,
    ...(forAdmin && { username, channel_name: channelName }),
  };
}

export function presentDrawing(
  listed: Listed<Midjourney>,
  { forAdmin, images }: DrawingContext,
): DrawingEntity {
  const { row } = listed;
  return {
    ...presentShared(listed, forAdmin),
    code: row.code,
    mj_id: row.mjId,
    prompt: row.prompt,
    prompt_en: row.promptEn,
    description: row.description,
    state: row.state,
    created_at: row.submitTime,
    image_url: images.addressOf(row),
    video_url: row.videoUrl,
    video_urls: row.videoUrls,
    buttons: row.buttons,
    properties: row.properties,
  };
}

/** `private_data` is never part of it. */
export function presentTask(
  listed: Listed<Task>,
  { forAdmin, videoAt, imageAt }: TaskContext,
): TaskEntity {
  const { row } = listed;
  const data = parseJson(row.data) ?? null;
  const isVideo = row.platform === 'ali' && row.action === 'VIDEO' && row.status === 'SUCCESS';
  const video = isVideo ? videoAt?.(row.taskId) : undefined;
  const images = row.platform === 'image' ? imagesOf(listed, data, imageAt) : undefined;
  return {
    ...presentShared(listed, forAdmin),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    task_id: row.taskId,
    platform: row.platform,
    properties: parseObject(row.properties) ?? {},
    data:
      images ??
      (video === undefined ? data : { ...(isObject(data) ? data : {}), video_url: video }),
  };
}

/** Each image at our copy, else at its upstream's address; '' where neither has it. */
function imagesOf(
  { row, kept = [] }: Listed<Task>,
  data: unknown,
  imageAt: TaskContext['imageAt'],
) {
  const made: readonly unknown[] =
    isObject(data) && Array.isArray(data['images']) ? data['images'] : [];
  const images = made.map((image, index) => {
    const stored = kept.find(({ number }) => number === index + 1);
    if (stored !== undefined && imageAt !== undefined)
      return { url: imageAt(row.taskId, stored.number), expires_at: stored.expiresAt };
    return { url: isObject(image) ? String(image['url'] ?? '') : '', expires_at: 0 };
  });
  return { images };
}
