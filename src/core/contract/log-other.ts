/** What the `other` JSON of a usage-log row holds beside its price fields (docs/rules/usage-logs.md#other-fields). */
import { z } from 'zod';
import { parseObject } from '../kernel/json.ts';

/** One channel a request tried, in order. */
const routeStep = z.object({
  channel: z.number().int(),
  name: z.string(),
  type: z.number().int(),
  priority: z.number().int(),
  weight: z.number().int(),
  /** Milliseconds spent on it until its outcome was clear. */
  ms: z.number().int(),
  /** HTTP status of its answer; 0: none came. */
  status: z.number().int(),
  /** Absent: it served the request. Else the error code and the upstream's words, masked. */
  error: z.string().optional(),
  message: z.string().optional(),
  /**
   * Why it was chosen: `priority` (the only one left of the highest tier), `weight` (drawn by weight), `pinned`, `affinity` (its
   * conversation was there before), `probe` (its circuit lets one request through to see), `next_key` (another key of the
   * channel before), `last_resort` (every channel was to be passed over).
   */
  reason: z.enum(['priority', 'weight', 'pinned', 'affinity', 'probe', 'next_key', 'last_resort']),
  /** Position of the key, from 1; only where the channel has several. */
  key: z.number().int().optional(),
  /** Ids it was chosen among, highest priority first, itself included; absent: there was no choice. */
  candidates: z.array(z.number().int()).optional(),
  /** Who was passed over: circuit open, resting after a 429, unable to do this operation. With `candidates` at most 16. */
  skipped: z.array(z.object({ channel: z.number().int(), reason: z.enum(['breaker', 'cool_down', 'capability']) })).optional(),
});
export type RouteStep = z.infer<typeof routeStep>;

const logOther = z.looseObject({
  group: z.string().optional(),
  /** Milliseconds to the first piece of the answer. */
  frt: z.number().optional(),
  is_model_mapped: z.boolean().optional(),
  upstream_model_name: z.string().optional(),
  reasoning_effort: z.string().optional(),
  /** The row's prompt_tokens exclude cache reads and writes. */
  claude: z.boolean().optional(),
  /** The part of the charge that went below zero. */
  debt: z.number().optional(),
  /** Why a stream stopped early. */
  ended: z.enum(['client_gone', 'upstream_cut', 'idle_timeout']).optional(),
  /** Whose figures were charged: the upstream's, or ours where it told none. */
  usage_source: z.enum(['upstream', 'counted']).optional(),
  /** The whole time in milliseconds; the row's use_time is in whole seconds. */
  use_ms: z.number().optional(),
  /** Path of the request, without query. */
  request_path: z.string().optional(),
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

/** Reads `other`; what is not an object, or of the wrong shape, is empty: imported rows hold anything. */
export function readLogOther(text: string): LogOther {
  const parsed = logOther.safeParse(parseObject(text) ?? {});
  return parsed.success ? parsed.data : {};
}
