/**
 * The contents of a usage-log row's `other` JSON besides the price fields
 * (docs/rules/usage-logs.md#other-fields).
 */
import { isObject, type JsonObject, parseObject } from '../kernel/json.ts';
import { type Shape, type ShapeOf, shape } from '../kernel/shape.ts';

/** Any object of JSON. */
const jsonObject = isObject as Shape<JsonObject>;

const { string, boolean, number, integer, oneOf, list, optional, object } = shape;

/** An attempt of a request on a channel. */
const routeStep = object({
  channel: integer,
  name: string,
  type: integer,
  priority: integer,
  weight: integer,
  /** Duration of the attempt in milliseconds. */
  ms: integer,
  /** HTTP status of the response; 0: no response. */
  status: integer,
  /** The error code and the upstream's message, masked. Absent: the attempt served the request. */
  error: optional(string),
  message: optional(string),
  /**
   * Why it was chosen: `priority` (the only one left of the highest tier), `weight` (drawn by
   * weight), `pinned`, `affinity` (it served the conversation before), `state` (it keeps the
   * response that is continued), `probe` (its half-open circuit lets one request through),
   * `next_key` (another key of the previous channel), `last_resort` (all channels were
   * unavailable).
   */
  reason: oneOf([
    'priority',
    'weight',
    'pinned',
    'affinity',
    'state',
    'probe',
    'next_key',
    'last_resort',
  ]),
  /**
   * With the reason `affinity`: by which the conversation was recognised, an id that its client
   * sent, or how it began.
   */
  affinity: optional(oneOf(['id', 'beginning'])),
  /** The upstream's own id of the request, for its support. */
  upstream_id: optional(string),
  /** The model that the reply names, where that is not the name that was sent. */
  replied_model: optional(string),
  /** It is another model, not another name of the one that was sent. */
  other_model: optional(boolean),
  /** Why the vendor threw pieces of earlier thinking away, once for each, in its words. */
  dropped_thinking: optional(list(string)),
  /** Why the vendor's cache did not serve the prompt, in its words. */
  cache_miss: optional(string),
  /** What the vendor says that the reply cost, in quota. */
  stated_cost: optional(number),
  /** Calls of tools that the vendor ran itself, priced or not. */
  hosted_tools: optional(list(object({ tool: string, count: integer }))),
  /** The usage in the vendor's own words (docs/rules/usage-logs.md#reported-usage). */
  reported_usage: optional(list(jsonObject)),
  /** The account's limits that the reply's headers name: the window's, what is left, its reset. */
  limits: optional(
    list(
      object({
        unit: oneOf(['requests', 'tokens']),
        limit: integer,
        left: integer,
        reset_ms: integer,
      }),
    ),
  ),
  /** The conversation had been served by another channel or key, which has its cache. */
  moved: optional(boolean),
  /** Position of the key, from 1; only where the channel has several. */
  key: optional(integer),
  /**
   * Ids of all candidates, highest priority first, including this one; absent: there was no choice.
   */
  candidates: optional(list(integer)),
  /**
   * Skipped channels: circuit open, cooling down after a 429, or operation not supported. With
   * `candidates` at most 16.
   */
  skipped: optional(
    list(object({ channel: integer, reason: oneOf(['breaker', 'cool_down', 'capability']) })),
  ),
});
export type RouteStep = ShapeOf<typeof routeStep>;

/**
 * Whether the attempt that served a later turn of a conversation kept the channel and key with its
 * cache (docs/rules/routing.md#affinity); undefined: a first turn, or no conversation.
 */
export function conversationTurnOf(served: RouteStep | undefined): 'kept' | 'moved' | undefined {
  if (served?.moved === true) return 'moved';
  return served?.reason === 'affinity' ? 'kept' : undefined;
}

const logOther = object({
  group: optional(string),
  /** Milliseconds to the first chunk of the response. */
  frt: optional(number),
  is_model_mapped: optional(boolean),
  upstream_model_name: optional(string),
  reasoning_effort: optional(string),
  /** The row's prompt_tokens exclude cache reads and writes. */
  claude: optional(boolean),
  /** The part of the charge that made the balance negative. */
  debt: optional(number),
  /**
   * The part of the cost beyond the largest charge or the range of the balance. It was not charged.
   */
  uncharged: optional(number),
  /** Why a stream stopped early. */
  ended: optional(oneOf(['client_gone', 'upstream_cut', 'idle_timeout', 'gateway_stopped'])),
  /** Whose token counts were charged: the upstream's, or ours if it reported none. */
  usage_source: optional(oneOf(['upstream', 'counted'])),
  /** Total time in milliseconds; the row's use_time is in whole seconds. */
  use_ms: optional(number),
  /** Path of the request, without query. */
  request_path: optional(string),
  /** What the playground that sent it calls the request. */
  playground_key: optional(string),
  /** Of error rows: the status that the caller received, the error's code. */
  status_code: optional(number),
  error_code: optional(string),
  /** Of rows that are not about requests: `content` in each language. */
  texts: optional(object({ en: string, zh: string })),
  is_test: optional(boolean),
  test_quota: optional(number),
  /** Only in replies to administrators. */
  admin_info: optional(
    object({
      /** Ids of the channels tried, in order. */
      use_channel: optional(list(string)),
      route: optional(list(routeStep)),
      /** The client's address. */
      ip: optional(string),
      /** Held before the call, and whether it was the smaller hold. */
      held: optional(number),
      small_hold: optional(boolean),
      /** What the upstream charged, in quota, where that was more than the request was sold for. */
      below_cost: optional(number),
    }),
  ),
});
export type LogOther = ShapeOf<typeof logOther> & { readonly [field: string]: unknown };

/**
 * Reads `other`. Anything but a valid object reads as empty, because imported rows may contain any
 * text.
 */
export function readLogOther(text: string): LogOther {
  const other = parseObject(text);
  return logOther(other) ? other : {};
}
