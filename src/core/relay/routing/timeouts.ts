/** How long one attempt may stay silent: before its first byte, and between two pieces (spec, relay 14). */
import type { BodyFields } from '../../providers/provider.ts';
import type { RelayLimits } from '../parts.ts';

/** Models that think before they say anything, by their name for the upstream. */
const thinkers = /^(o\d|gpt-[5-9]|gemini-(2\.5|[3-9])|grok-[34]|qwq|deepseek-r)|reasoner|reasoning|think|deep-research|-pro\b/;
/** Fields by which a caller asks for thinking. */
const thinkingFields = ['reasoning_effort', 'reasoning', 'thinking'] as const;
/** How much more time they get for the first byte, and between two pieces (o1 and o3 of the family: double). */
const firstByteFactor = 4;
const idleFactor = 2;

export function isThinking(upstreamModel: string, body: Pick<BodyFields, 'has'>): boolean {
  const name = upstreamModel.slice(upstreamModel.lastIndexOf('/') + 1).toLowerCase();
  return thinkers.test(name) || thinkingFields.some((field) => body.has(field));
}

/** Milliseconds, 0: none. An answer in one piece comes when it is complete: its first byte has the whole call's time. */
export function attemptTimeouts(
  limits: Pick<RelayLimits, 'firstByteTimeout' | 'wholeReplyTimeout' | 'idleTimeout'>,
  request: { readonly stream: boolean; readonly thinking: boolean },
): { readonly firstByteTimeout: number; readonly idleTimeout: number } {
  const idleTimeout = limits.idleTimeout * (request.thinking ? idleFactor : 1);
  if (!request.stream) return { firstByteTimeout: limits.wholeReplyTimeout, idleTimeout };
  const firstByte = limits.firstByteTimeout * (request.thinking ? firstByteFactor : 1);
  const whole = limits.wholeReplyTimeout;
  return { firstByteTimeout: whole > 0 && firstByte > whole ? whole : firstByte, idleTimeout };
}
