/** Lists of drawings and tasks (docs/rules/task-logs.md#lists). */

import { drawingFilters, taskFilters } from '../entities/task-filters.ts';
import { z } from '../kernel/zod.ts';
import { endpoint, id, pageQueryFromZero, quotaField } from './endpoint.ts';
import { filterSchema } from './filter-schema.ts';

/** What rows of both lists have. */
const shared = {
  id: z.number().int(),
  user_id: z.number().int(),
  /** 0 in users' own lists. */
  channel_id: z.number().int(),
  /** What was charged; 0 after a refund. */
  quota: quotaField,
  /** What was given back because it failed. */
  refunded: quotaField,
  /** Percentage as text; `100%`: finished. */
  progress: z.string(),
  fail_reason: z.string(),
  /**
   * For administrators only, as `channel_name`; empty where the user or the channel was deleted.
   */
  username: z.string().optional(),
  channel_name: z.string().optional(),
};

/** Times are Unix milliseconds. */
const drawing = z.object({
  ...shared,
  /** The submit's result: 1 submitted, 21 waiting, 22 duplicate, 0 not submitted. */
  code: z.number().int(),
  action: z.string(),
  mj_id: z.string(),
  prompt: z.string(),
  prompt_en: z.string(),
  description: z.string(),
  state: z.string(),
  /** As `submit_time`. */
  created_at: z.number().int(),
  submit_time: z.number().int(),
  start_time: z.number().int(),
  finish_time: z.number().int(),
  /** Of the gateway while option MjForwardUrlEnabled is on, else of the upstream. */
  image_url: z.string(),
  video_url: z.string(),
  /** JSON array text or ''. */
  video_urls: z.string(),
  /** '' until the upstream has reported one. */
  status: z.string(),
  /** JSON text or ''. */
  buttons: z.string(),
  properties: z.string(),
});
export type DrawingEntity = z.infer<typeof drawing>;

/** Times are Unix seconds. */
const task = z.object({
  ...shared,
  created_at: z.number().int(),
  updated_at: z.number().int(),
  task_id: z.string(),
  platform: z.string(),
  action: z.string(),
  status: z.string(),
  submit_time: z.number().int(),
  start_time: z.number().int(),
  finish_time: z.number().int(),
  /** `input`: what was ordered; `model`. */
  properties: z.record(z.string(), z.unknown()),
  /** What the upstream reported last; null: nothing yet. */
  data: z.unknown(),
});
export type TaskEntity = z.infer<typeof task>;

export const drawingApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/mj/',
    access: 'admin',
    shape: 'list',
    input: pageQueryFromZero.extend(filterSchema(drawingFilters, 'admins').shape),
    output: z.array(drawing),
    summary: 'Drawings of all users, newest first; filters are exact, times in milliseconds',
  }),
  listSelf: endpoint({
    method: 'GET',
    path: '/api/mj/self',
    access: 'user',
    shape: 'list',
    input: pageQueryFromZero.extend(filterSchema(drawingFilters, 'owner').shape),
    output: z.array(drawing),
    summary: 'My drawings, newest first',
  }),
  removeSelf: endpoint({
    method: 'DELETE',
    path: '/api/turnpike/self/drawings/:id',
    access: 'user',
    input: z.object({ id }),
    output: z.undefined(),
    summary: 'Delete a drawing of mine that is over',
  }),
};

export const taskApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/task/',
    access: 'admin',
    shape: 'list',
    input: pageQueryFromZero.extend(filterSchema(taskFilters, 'admins').shape),
    output: z.array(task),
    summary: 'Tasks of all users, newest first; filters are exact, times in seconds',
  }),
  listSelf: endpoint({
    method: 'GET',
    path: '/api/task/self',
    access: 'user',
    shape: 'list',
    input: pageQueryFromZero.extend(filterSchema(taskFilters, 'owner').shape),
    output: z.array(task),
    summary: 'My tasks, newest first',
  }),
  removeSelf: endpoint({
    method: 'DELETE',
    path: '/api/turnpike/self/tasks/:id',
    access: 'user',
    input: z.object({ id }),
    output: z.undefined(),
    summary: 'Delete a task of mine that is over, with the copies of its results',
  }),
};
