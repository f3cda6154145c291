/**
 * How long one attempt may stay silent: before its first byte, and between two chunks
 * (docs/rules/routing.md#first-byte-timeout).
 */
import type { BodyFields } from '../../canonical/provider.ts';
import type { RelayLimits } from '../context.ts';

/** Models that think before their first output, by their name for the upstream. */
const thinkers =
  /^(o\d|gpt-[5-9]|gpt-oss|gemini-(2\.5|[3-9])|grok-[34]|qwq|qwen3|deepseek-r|magistral|glm-(4\.[5-9]|[5-9])|minimax-m\d)|reasoner|reasoning|think|deep-research|-pro\b/;
/** Fields by which a caller asks for thinking. */
const thinkingFields = ['reasoning_effort', 'reasoning', 'thinking', 'output_config'] as const;
/**
 * How much more time they get for the first byte, and between two chunks: as long as Codex waits,
 * 300 s by default.
 */
const firstByteFactor = 5;
const idleFactor = 5;

export function isThinking(upstreamModel: string, body: Pick<BodyFields, 'has'>): boolean {
  const name = upstreamModel.slice(upstreamModel.lastIndexOf('/') + 1).toLowerCase();
  return thinkers.test(name) || thinkingFields.some((field) => body.has(field));
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
