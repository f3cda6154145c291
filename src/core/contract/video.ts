/** Videos of the signed-in user (docs/rules/video.md#console-calls). */
import { z } from '../kernel/zod.ts';
import { endpoint, videoPageQuery } from './endpoint.ts';

/** Never `SUBMITTED`. Unfinished: the first three. */
const status = z.enum(['NOT_START', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'UNKNOWN']);

const video = z.object({
  task_id: z.string(),
  status,
  /** The same. */
  task_status: status,
  /** Percent, as text: `30%`. */
  progress: z.string(),
  /** Unix seconds; 0: not yet. */
  created_at: z.number().int(),
  finish_time: z.number().int(),
  fail_reason: z.string(),
  /**
   * Valid for an hour, renewed whenever the video is read; empty where there is no result, or no
   * more.
   */
  video_url: z.string(),
  /**
   * As it was ordered: `model`, `prompt`, `group`, and what else was given of `size`, `resolution`,
   * `duration`, `img_url`.
   */
  input: z.record(z.string(), z.unknown()),
});
export type Video = z.infer<typeof video>;

export const videoApi = {
  list: endpoint({
    method: 'GET',
    path: '/pg/videos/generations',
    access: 'user',
    shape: 'flat',
    input: videoPageQuery,
    output: z.object({
      data: z.array(video),
      total: z.number().int(),
      pageNum: z.number().int(),
      pageSize: z.number().int(),
    }),
    summary: 'My videos, newest first',
  }),
  get: endpoint({
    method: 'GET',
    path: '/pg/videos/generations/:task_id',
    access: 'user',
    shape: 'flat',
    input: z.object({ task_id: z.string() }),
    output: z.object({
      data: video,
      task_status: status,
      status,
      video_url: z.string(),
      fail_reason: z.string(),
      /** The same for clients of DashScope. */
      output: z.object({ task_id: z.string(), task_status: status, video_url: z.string() }),
    }),
    summary:
      'One of my videos; an unfinished one is looked up at its provider, at most every five seconds',
  }),
};
