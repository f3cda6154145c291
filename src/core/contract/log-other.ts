/** The contents of a usage-log row's `other` JSON besides the price fields (docs/rules/usage-logs.md#other-fields). */
import { z } from 'zod';
import { parseObject } from '../kernel/json.ts';

/** An attempt of a request on a channel. */
const routeStep = z.object({
  channel: z.number().int(),
  name: z.string(),
  type: z.number().int(),
  priority: z.number().int(),
  weight: z.number().int(),
  /** Duration of the attempt in milliseconds. */
  ms: z.number().int(),
  /** HTTP status of the response; 0: no response. */
  status: z.number().int(),
  /** The error code and the upstream's message, masked. Absent: the attempt served the request. */
  error: z.string().optional(),
  message: z.string().optional(),
  /**
   * Why it was chosen: `priority` (the only one left of the highest tier), `weight` (drawn by weight), `pinned`, `affinity` (it
   * served the conversation before), `state` (it keeps the response that is continued), `probe` (its half-open circuit lets one request through), `next_key` (another key of
   * the previous channel), `last_resort` (all channels were unavailable).
   */
  reason: z.enum(['priority', 'weight', 'pinned', 'affinity', 'state', 'probe', 'next_key', 'last_resort']),
  /** Position of the key, from 1; only where the channel has several. */
  key: z.number().int().optional(),
  /** Ids of all candidates, highest priority first, including this one; absent: there was no choice. */
  candidates: z.array(z.number().int()).optional(),
  /** Skipped channels: circuit open, cooling down after a 429, or operation not supported. With `candidates` at most 16. */
  skipped: z.array(z.object({ channel: z.number().int(), reason: z.enum(['breaker', 'cool_down', 'capability']) })).optional(),
});
export type RouteStep = z.infer<typeof routeStep>;

const logOther = z.looseObject({
  group: z.string().optional(),
  /** Milliseconds to the first chunk of the response. */
  frt: z.number().optional(),
  is_model_mapped: z.boolean().optional(),
  upstream_model_name: z.string().optional(),
  reasoning_effort: z.string().optional(),
  /** The row's prompt_tokens exclude cache reads and writes. */
  claude: z.boolean().optional(),
  /** The part of the charge that made the balance negative. */
  debt: z.number().optional(),
  /** The part of the cost beyond the largest charge or the range of the balance. It was not charged. */
  uncharged: z.number().optional(),
  /** Why a stream stopped early. */
  ended: z.enum(['client_gone', 'upstream_cut', 'idle_timeout', 'gateway_stopped']).optional(),
  /** Whose token counts were charged: the upstream's, or ours if it reported none. */
  usage_source: z.enum(['upstream', 'counted']).optional(),
  /** Total time in milliseconds; the row's use_time is in whole seconds. */
  use_ms: z.number().optional(),
  /** Path of the request, without query. */
  request_path: z.string().optional(),
  /** Of error rows: the status that the caller received, the error's code. */
  status_code: z.number().optional(),
  error_code: z.string().optional(),
  is_test: z.boolean().optional(),
  test_quota: z.number().optional(),
  /** Only in replies to administrators. */
  admin_info: z
    .looseObject({
      /** Ids of the channels tried, in order. */
      use_channel: z.array(z.string()).optional(),
      route: z.array(routeStep).optional(),
      /** The client's address. */
      ip: z.string().optional(),
      /** Held before the call, and whether it was the smaller hold. */
      held: z.number().optional(),
      small_hold: z.boolean().optional(),
    })
    .optional(),
});
export type LogOther = z.infer<typeof logOther>;

/** Reads `other`. Anything but a valid object reads as empty, because imported rows may contain any text. */
export function readLogOther(text: string): LogOther {
  const parsed = logOther.safeParse(parseObject(text) ?? {});
  return parsed.success ? parsed.data : {};
}
