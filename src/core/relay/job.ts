/** A request that was read, checked and paid for in advance: what every attempt on a channel works from. */

import type { ProviderError } from '../canonical/chat.ts';
import type { Provider, UpstreamFailure, UpstreamRequest } from '../canonical/provider.ts';
import type { LogOther, RouteStep } from '../contract/log-other.ts';
import { AppError } from '../kernel/errors.ts';
import type { ClientPart, UpstreamChannel } from '../upstream/channel.ts';
import {
  type CollectedReply,
  type FailureKind,
  headerText,
  type ResponseHeaders,
  type WireRequest,
} from '../upstream/exchange.ts';
import type { Operation } from '../vocabulary/operations.ts';
import type { WireFormat } from '../vocabulary/wire-formats.ts';
import type { RequestBody } from './body/request-body.ts';
import { attemptTimeouts, isThinking } from './carry/timeouts.ts';
import type { Bill } from './charge/bill.ts';
import type { ClientWatch } from './client/client-watch.ts';
import type { CallerContext } from './context.ts';
import { type Failure, maskMessage, withoutKey } from './failure.ts';
import { callRules } from './formats/calls.ts';
import type { Consideration } from './select/route-steps.ts';

export interface RelayJob extends CallerContext {
  readonly operation: Operation;
  readonly format: WireFormat;
  readonly body: RequestBody;
  /** The name the caller asked for. */
  readonly model: string;
  readonly stream: boolean;
  /** The caller asked for a usage chunk. */
  readonly includeUsage: boolean;
  readonly promptTokens: number;
  /** What of the caller's request travels on. */
  readonly clientPart: ClientPart;
  readonly bill: Pick<Bill, 'countsSpeech' | 'settle' | 'release'>;
  readonly client: ClientWatch;
  /** A test of a channel: nobody pays. */
  readonly isTest?: boolean;
}

/** One try on one channel. */
export interface Attempt {
  readonly channel: UpstreamChannel;
  readonly upstreamModel: string;
  readonly startedAt: number;
  readonly reason: RouteStep['reason'];
  /** The other channels it was chosen among, for the log row. */
  readonly considered?: Consideration;
  /** The channels tried before. */
  readonly earlier: readonly RouteStep[];
  /** The effort its request asks for, once that is written. */
  readonly reasoningEffort?: string;
}

export type AttemptResult =
  /** The reply ended, `ended` tells a stream that stopped early; the bill is settled. */
  | { readonly kind: 'served'; readonly ended?: LogOther['ended'] }
  /** Nothing reached the client: another channel may try. */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly status: number }
  /** The client left before anything reached it. */
  | { readonly kind: 'gone' };

export function describeStep(attempt: Attempt, now: number, result: Pick<RouteStep, 'status' | 'error' | 'message'>): RouteStep {
  const { channel } = attempt;
  return {
    channel: channel.id,
    name: channel.name,
    type: channel.type,
    priority: channel.priority,
    weight: channel.weight,
    ms: Math.round(now - attempt.startedAt),
    reason: attempt.reason,
    ...(channel.keyPosition > 0 ? { key: channel.keyPosition } : {}),
    ...attempt.considered,
    ...result,
  };
}

/** The steps of a request that this attempt served. */
export function servedSteps(attempt: Attempt, now: number): readonly RouteStep[] {
  return [...attempt.earlier, describeStep(attempt, now, { status: 200 })];
}

/** An upstream's error as the channel maps it (`status_code_mapping`; 200 is never mapped to or from). */
export function upstreamFailed(attempt: Attempt, error: ProviderError): AttemptResult {
  const mapped = attempt.channel.statusCodeMapping.get(error.status);
  const mappedStatus = mapped !== undefined && mapped >= 400 && mapped <= 599 ? mapped : error.status;
  return {
    kind: 'failed',
    status: error.status,
    failure: { from: 'upstream', error: withoutKey(error, attempt.channel.key), mappedStatus },
  };
}

export function gatewayFailed(error: AppError): AttemptResult {
  return { kind: 'failed', status: 0, failure: { from: 'gateway', error } };
}

export function connectionFailed(kind: FailureKind, cause: Error): AttemptResult {
  if (cause instanceof AppError) return gatewayFailed(cause);
  const code = kind === 'first-byte-timeout' || kind === 'idle-timeout' ? 'upstream_timeout' : 'do_request_failed';
  return gatewayFailed(new AppError(code, {}, { cause }));
}

/** Characters of an unreadable reply that administrators are shown. */
const rawLength = 300;

/** Reads what a failed reply says, in its provider's own way; a provider that trips over it is not trusted with it. */
export function readProviderFailure(provider: Provider, reply: CollectedReply): ProviderError {
  const text = reply.bytes.toString('utf8', 0, 64 * 1024);
  const failure: UpstreamFailure = {
    status: reply.status,
    headers: Object.fromEntries(Object.keys(reply.headers).map((name) => [name, headerText(reply.headers, name)])),
    text,
    body: parseOrUndefined(text),
  };
  const error = provider.readFailure(failure);
  if (error.message !== undefined) return { ...error, message: maskMessage(error.message) };
  return text.trim() === '' ? error : { ...error, raw: maskMessage(text.trim().slice(0, rawLength)) };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** SSE, or Amazon's frames. */
export function isEventStream(headers: ResponseHeaders): boolean {
  const type = headerText(headers, 'content-type').toLowerCase();
  return type.startsWith('text/event-stream') || type.startsWith('application/vnd.amazon.eventstream');
}

/** An adapter's request as the transport takes it. Bodies are asked for uncompressed: usage is read from them. */
export function toWireRequest(job: RelayJob, attempt: Attempt, request: UpstreamRequest): WireRequest {
  const { body } = request;
  // The first event of an image or an audio may be the whole of it.
  const stream = job.stream && callRules(job.format) === undefined;
  return {
    method: request.method,
    url: request.url,
    headers: { ...request.headers, 'accept-encoding': 'identity' },
    body: body === undefined ? undefined : body instanceof Uint8Array ? asBuffer(body) : JSON.stringify(body),
    proxy: attempt.channel.proxy,
    ...attemptTimeouts(job.deps.limits, { stream, thinking: isThinking(attempt.upstreamModel, job.body) }),
  };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Errors of an upstream are kept this far, in bytes. */
export const maxErrorBytes = 1024 * 1024;
