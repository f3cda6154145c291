/**
 * How long one attempt may stay silent: before its first byte, and between two chunks
 * (docs/rules/routing.md#first-byte-timeout).
 */
import type { BodyFields } from '../../canonical/pass-through.ts';
import { bareModelName, factsOf } from '../../models/known-models.ts';
import type { RelayLimits } from '../context.ts';

/** Words in names that the catalogue does not know, of models that think before their first output. */
const thinkingWords = /reasoner|reasoning|think|deep-research|-pro\b/;
/** Fields by which a caller asks for thinking. */
const thinkingFields = ['reasoning_effort', 'reasoning', 'thinking', 'output_config'] as const;
/**
 * How much more time they get for the first byte, and between two chunks: as long as Codex waits,
 * 300 s by default.
 */
const firstByteFactor = 5;
const idleFactor = 5;

export function isThinking(upstreamModel: string, body: Pick<BodyFields, 'has'>): boolean {
  const name = bareModelName(upstreamModel);
  if (factsOf(name).thinks === true || thinkingWords.test(name)) return true;
  return thinkingFields.some((field) => body.has(field));
}

export interface AttemptTimeouts {
  readonly firstByteTimeout: number;
  readonly idleTimeout: number;
  readonly totalTimeout?: number;
}

/**
 * Milliseconds in which something of a streamed answer must come, whatever else keeps the
 * connection open: the time of a whole reply, and more for models that think
 * (docs/rules/streams.md#comments-only). 0: none.
 */
export function silenceLimit(
  { wholeReplyTimeout }: Pick<RelayLimits, 'wholeReplyTimeout'>,
  thinking: boolean,
): number {
  return wholeReplyTimeout * (thinking ? firstByteFactor : 1);
}

/** Milliseconds, at most, in which nothing follows an answer's finish reason. */
const quietLimit = 10_000;

/** Milliseconds without events, after a finish reason, until the answer counts as complete. */
export function quietAfter({ idleTimeout }: Pick<RelayLimits, 'idleTimeout'>): number {
  return idleTimeout === 0 ? quietLimit : Math.min(idleTimeout, quietLimit);
}

/** Milliseconds, where pings are not more frequent. */
const openingLimit = 2000;

/** Milliseconds that what only promises an answer is held. `pingInterval` 0: no pings. */
export function openingWait({ pingInterval }: { readonly pingInterval: number }): number {
  return Math.min(pingInterval || openingLimit, openingLimit);
}

/** Of the time for the first byte: a first word after it is late. */
const lateShare = 1 / 4;

/** Milliseconds until the first word of a stream is late (docs/rules/routing.md#slow-channels). */
export function lateAfter(
  { firstByteTimeout }: Pick<RelayLimits, 'firstByteTimeout'>,
  thinking: boolean,
): number {
  const bound = firstByteTimeout * (thinking ? firstByteFactor : 1) * lateShare;
  return bound === 0 ? Number.POSITIVE_INFINITY : bound;
}

/**
 * Milliseconds, 0: none. An answer in one piece comes when it is complete: its first byte may take
 * the whole call's time, which blanks that keep its connection open do not extend.
 */
export function attemptTimeouts(
  limits: Pick<RelayLimits, 'firstByteTimeout' | 'wholeReplyTimeout' | 'idleTimeout'>,
  request: { readonly stream: boolean; readonly thinking: boolean },
): AttemptTimeouts {
  const idleTimeout = limits.idleTimeout * (request.thinking ? idleFactor : 1);
  const { wholeReplyTimeout } = limits;
  if (!request.stream)
    return { firstByteTimeout: wholeReplyTimeout, idleTimeout, totalTimeout: wholeReplyTimeout };
  const firstByte = limits.firstByteTimeout * (request.thinking ? firstByteFactor : 1);
  const isLonger = wholeReplyTimeout > 0 && firstByte > wholeReplyTimeout;
  return { firstByteTimeout: isLonger ? wholeReplyTimeout : firstByte, idleTimeout };
}
