/** One try on one channel: what it is made with, how it ends, and what its usage is. */
import type { ProviderError } from '../canonical/chat-reply.ts';
import type { Usage } from '../canonical/usage.ts';
import type { LogOther, RouteStep } from '../contract/log-other.ts';
import { AppError } from '../kernel/errors.ts';
import type { Countable } from '../metering/countable.ts';
import { topicOf } from '../models/known-failures.ts';
import { isOtherModel } from '../models/known-models.ts';
import type { UpstreamChannel } from '../upstream/channel.ts';
import { exchangeError, type FailureKind } from '../upstream/exchange.ts';
import { type Departure, departureError } from './client/client-watch.ts';
import type { Failure } from './failure.ts';
import type { Allowance } from './formats/families/api-family.ts';
import { maskError, maskOf } from './mask.ts';

/** The channels that were considered for an attempt; empty: there was no choice. */
export type Consideration = Pick<RouteStep, 'candidates' | 'skipped' | 'affinity' | 'moved'>;

/** What the upstream said of its reply, noted while it comes. */
export interface ReplyFacts {
  /** The upstream's own id of the request. */
  requestId?: string;
  /** The model that the reply names. */
  model?: string;
  /** The limits of the account that its headers name. */
  limits?: readonly Allowance[];
}

export interface Attempt {
  readonly channel: UpstreamChannel;
  readonly upstreamModel: string;
  /** Clock milliseconds. */
  readonly startedAt: number;
  readonly reason: RouteStep['reason'];
  /** For the log row. */
  readonly considered?: Consideration;
  /** The channels tried before. */
  readonly earlier: readonly RouteStep[];
  /** Filled while the reply is read. Absent: nothing is noted. */
  readonly reply?: ReplyFacts;
  /** The effort its request asks for, once that is written. */
  readonly reasoningEffort?: string;
  /**
   * So many of the conversation's messages, from the first, came while other accounts served it:
   * their signatures are not this one's. Absent: none, as far as is known.
   */
  readonly foreignMessages?: number | undefined;
}

export type AttemptResult =
  /**
   * The reply ended and the bill is settled. `ended`: why a stream stopped early; `failure`: what
   * its caller got; `late`: whether the first word of a stream came after its bound.
   */
  | {
      readonly kind: 'served';
      readonly ended?: LogOther['ended'];
      readonly failure?: Failure;
      readonly late?: boolean | undefined;
    }
  /** Nothing reached the client: another channel may try. */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly status: number }
  /** The client left before anything reached it. */
  | { readonly kind: 'gone' };

/** What was used, as far as it is known. */
export interface MeasuredUsage {
  /** What the upstream reported; undefined: nothing. */
  readonly usage: Usage | undefined;
  /**
   * Zero is believed where it is reported. Absent: it counts as not reported where there is
   * something to count.
   */
  readonly believesZero?: boolean;
  /** The request, counted where the upstream reported no prompt tokens. */
  readonly input: () => Countable;
  /** What reached the client, counted where the upstream reported no completion tokens. */
  readonly output: () => Countable;
  /** Images that were generated, where that can be seen. */
  readonly images?: number;
  /** Seconds of generated speech, where they are charged. */
  readonly spokenSeconds?: number;
}

/** How a served request ended, as its bill needs to know it. */
export interface AttemptOutcome extends MeasuredUsage {
  readonly channel: UpstreamChannel;
  readonly upstreamModel: string;
  readonly stream: boolean;
  /** Clock milliseconds at which the answer was begun, where that is not when the request came. */
  readonly startedAt?: number;
  /** Clock milliseconds of the answer's first chunk; streams only. */
  readonly firstByteAt?: number;
  /** Why a stream stopped early. */
  readonly ended?: LogOther['ended'];
  readonly steps: readonly RouteStep[];
  readonly reasoningEffort?: string;
  /** Nothing of an answer came: it costs nothing. */
  readonly isUnanswered?: true;
  /** The reply is the upstream's own, not translated. */
  readonly forwarded?: true;
}

/** A reply that began and then broke before anything of an answer came: nothing of it is charged. */
export function withoutAnswer(outcome: AttemptOutcome): AttemptOutcome {
  const raw = outcome.usage?.raw;
  return {
    ...outcome,
    usage: { promptTokens: 0, completionTokens: 0, ...(raw && { raw }) },
    isUnanswered: true,
  };
}

/** Usage that came after the client had left counts where the answer was complete. */
export function withLateUsage(received: AttemptOutcome, late: AttemptOutcome): AttemptOutcome {
  return late.ended === undefined && late.usage !== undefined
    ? { ...received, usage: late.usage }
    : received;
}

export function describeStep(
  attempt: Attempt,
  now: number,
  result: Pick<RouteStep, 'status' | 'error' | 'message'>,
): RouteStep {
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
    ...describeReply(attempt),
    ...result,
  };
}

function describeReply({ reply = {}, upstreamModel }: Attempt): Partial<RouteStep> {
  const { requestId, model, limits } = reply;
  return {
    ...(limits && {
      limits: limits.map(({ resetMs, ...limit }) => ({ ...limit, reset_ms: Math.round(resetMs) })),
    }),
    ...(requestId === undefined ? {} : { upstream_id: requestId }),
    ...(model === undefined || model === upstreamModel ? {} : repliedModel(upstreamModel, model)),
  };
}

function repliedModel(sent: string, replied: string): Partial<RouteStep> {
  return { replied_model: replied, ...(isOtherModel(sent, replied) && { other_model: true }) };
}

/** The steps of a request that this attempt served. */
export function servedSteps(attempt: Attempt, now: number): readonly RouteStep[] {
  return [...attempt.earlier, describeStep(attempt, now, { status: 200 })];
}

/** Statuses that say enough: of the key, of the account, of a limit. */
const plainStatuses = new Set([401, 402, 429]);

/**
 * The error with what it is about (docs/rules/relay.md#known-failures): vendors write the same with
 * any status.
 */
function recognised(error: ProviderError, vendor: string): ProviderError {
  const topic = topicOf(error, vendor);
  if (topic === 'account') return { ...error, accountFault: true };
  if (topic === undefined || plainStatuses.has(error.status)) return error;
  return { ...error, status: 400, accountFault: false, about: topic };
}

/**
 * An upstream's error, recognised and masked, as the channel maps it (`status_code_mapping`; 200 is
 * never mapped to or from).
 */
export function upstreamFailure(
  { channel }: Attempt,
  reported: ProviderError,
): Extract<Failure, { from: 'upstream' }> {
  const mapped = channel.statusCodeMapping.get(reported.status);
  const error = recognised(reported, channel.provider.slug);
  const mappedStatus =
    mapped !== undefined && mapped >= 400 && mapped <= 599 ? mapped : error.status;
  return { from: 'upstream', error: maskError(error, maskOf(channel)), mappedStatus };
}

export function upstreamFailed(attempt: Attempt, error: ProviderError): AttemptResult {
  const failure = upstreamFailure(attempt, error);
  return { kind: 'failed', status: failure.error.status, failure };
}

export function gatewayFailed(error: AppError): AttemptResult {
  return { kind: 'failed', status: 0, failure: { from: 'gateway', error } };
}

/**
 * An attempt that delivered nothing because its request was cut off: a caller who is still there is
 * sent the reason.
 */
export function cutOff(why: Departure): AttemptResult {
  return why === 'left' ? { kind: 'gone' } : gatewayFailed(departureError(why));
}

/** Refusals of the outbound guard name the host they are about. */
const namesHost: ReadonlySet<string> = new Set(['address_not_allowed', 'file_unreachable']);

/**
 * Our error for an exchange with a channel that broke. Callers are not shown the channel's host.
 */
export function connectionError(kind: FailureKind, cause: Error): AppError {
  const error = exchangeError(kind, cause);
  return namesHost.has(error.code) ? new AppError('do_request_failed', {}, { cause }) : error;
}

export function connectionFailed(kind: FailureKind, cause: Error): AttemptResult {
  return gatewayFailed(connectionError(kind, cause));
}
