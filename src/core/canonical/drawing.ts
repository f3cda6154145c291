/**
 * Drawings, between the caller and a Midjourney proxy. Both speak the protocol of midjourney-proxy,
 * so its task object is the neutral form, too (docs/rules/midjourney.md).
 */
import { isObject, type JsonObject, type JsonValue } from '../kernel/json.ts';
import type { drawingActions } from '../vocabulary/task-types.ts';
import type { DrawingResult, TaskReport } from './task-provider.ts';

/** `EDITS` and `VIDEO` exist at newer proxies. */
export type DrawingAction = (typeof drawingActions)[number] | 'EDITS' | 'VIDEO';

/** The speeds that a path may name: `/mj-fast/mj/…`. */
export const drawingModes = ['fast', 'relax', 'turbo'] as const;
export type DrawingMode = (typeof drawingModes)[number];

/** A submit, as a proxy gets it. */
export interface DrawingOrder {
  readonly action: DrawingAction;
  /** From `/mj/` on, with the caller's query: `/mj/submit/imagine`. */
  readonly path: string;
  /** Undefined: the path names none. */
  readonly mode: DrawingMode | undefined;
  readonly body: JsonObject;
  /** It continues a task. */
  readonly continues: boolean;
  /** The id of a task that the proxy gives none: an upload. */
  readonly ownId: string;
}

/** What a proxy replies to a submit, whether it took the order or not. */
export interface DrawingReply {
  readonly code: number;
  readonly description: string;
  /** The proxy's id of the task; of an upload the addresses of the images. */
  readonly result: string | readonly string[];
  readonly properties: JsonObject;
  /** The whole body, for the caller. */
  readonly body: JsonObject;
}

/** The codes of a submit (midjourney-proxy, docs/api.md). */
export const drawingReplyCodes = {
  accepted: 1,
  noAccount: 3,
  invalid: 4,
  failed: 9,
  exists: 21,
  queued: 22,
  queueFull: 23,
  bannedPrompt: 24,
  saturated: 30,
} as const;

const accepting: readonly number[] = [
  drawingReplyCodes.accepted,
  drawingReplyCodes.exists,
  drawingReplyCodes.queued,
];

/** Whether the proxy works on the order: all other codes refuse it. */
export function isAccepted(code: number): boolean {
  return accepting.includes(code);
}

const speedFlags = /\s*--(?:fast|relax|turbo)(?![\w-])/gi;

/** A prompt without the flags that select a speed. */
export function withoutSpeed(prompt: string): string {
  return prompt.replace(speedFlags, '').trim();
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function time(value: unknown): number {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : 0;
}

function json(value: unknown): string {
  const isEmpty =
    value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  return isEmpty ? '' : JSON.stringify(value);
}

/** Percent. Proxies also write `50` and words such as `Waiting to start`, which say nothing. */
function percent(value: unknown): number | undefined {
  const [, digits] = /^\s*(\d{1,3})(?:\.\d+)?\s*%?\s*$/.exec(text(value)) ?? [];
  return digits === undefined ? undefined : Math.min(Number(digits), 100);
}

/** `MODAL` waits for the caller. Anything else, such as '', says nothing of the state. */
const statuses: Readonly<Record<string, TaskReport['status']>> = {
  NOT_START: 'SUBMITTED',
  SUBMITTED: 'SUBMITTED',
  IN_PROGRESS: 'IN_PROGRESS',
  MODAL: 'MODAL',
  SUCCESS: 'SUCCESS',
  FAILURE: 'FAILURE',
  CANCEL: 'FAILURE',
};

export function readDrawingStatus(value: unknown): TaskReport['status'] {
  const word = text(value).trim().toUpperCase();
  return Object.hasOwn(statuses, word) ? statuses[word] : undefined;
}

/** Reads a task object. Undefined: it is none, or has no id. */
export function readDrawing(body: unknown): TaskReport | undefined {
  if (!isObject(body)) return undefined;
  const upstreamId = text(body['id']);
  if (upstreamId === '') return undefined;
  const status = readDrawingStatus(body['status']);
  const progress = percent(body['progress']);
  const failReason = text(body['failReason']);
  const failed = status !== 'SUCCESS' && failReason !== '';
  return {
    upstreamId,
    status: failed ? 'FAILURE' : status,
    ...(progress !== undefined && { progress }),
    ...timesOf(body),
    ...(failReason !== '' && { failReason }),
    drawing: { code: drawingReplyCodes.accepted, ...present(body) },
  };
}

/** What the report has no word of stays as it is. */
function present(body: Readonly<Record<string, unknown>>): DrawingResult {
  const texts = ['promptEn', 'description', 'state', 'imageUrl', 'videoUrl'].map((name) => [
    name,
    text(body[name]),
  ]);
  const documents = ['videoUrls', 'buttons', 'properties'].map((name) => [name, json(body[name])]);
  return Object.fromEntries([...texts, ...documents].filter(([, value]) => value !== ''));
}

function timesOf(
  body: Readonly<Record<string, unknown>>,
): Pick<TaskReport, 'startTime' | 'finishTime'> {
  const startTime = time(body['startTime']);
  const finishTime = time(body['finishTime']);
  return { ...(startTime > 0 && { startTime }), ...(finishTime > 0 && { finishTime }) };
}

/** Reads the reply to a submit. Undefined: it has no code. */
export function readDrawingReply(body: unknown): DrawingReply | undefined {
  if (!isObject(body)) return undefined;
  const code = typeof body['code'] === 'string' ? Number(body['code']) : body['code'];
  if (typeof code !== 'number' || !Number.isSafeInteger(code)) return undefined;
  const { result, properties } = body;
  return {
    code,
    description: text(body['description']),
    result: Array.isArray(result)
      ? result.filter((item): item is string => typeof item === 'string')
      : text(result),
    properties: isObject(properties) ? (properties as JsonObject) : {},
    body: body as Record<string, JsonValue>,
  };
}
