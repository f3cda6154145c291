/**
 * Corrects Claude's events from clouds to what Anthropic's callers expect: complete final usage, no
 * fields of the cloud (docs/rules/providers.md#claude-streams).
 */

import type { ProviderError } from '../../canonical/chat-reply.ts';
import { mergeAnthropicUsage } from '../../canonical/kit/anthropic-usage.ts';
import { errorFromBody } from '../../canonical/kit/failure.ts';
import { type Loose, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { StreamEvent, StreamRewriter } from '../../canonical/pass-through.ts';
import { parseJson } from '../../kernel/json.ts';

/** Bedrock's figures in `message_stop`. */
export const invocationMetrics = 'amazon-bedrock-invocationMetrics';

const inputCounts = [
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const;

const typeByStatus: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

function sse(type: string, data: string): string {
  return `event: ${type}\ndata: ${data}\n\n`;
}

/** An upstream's failure as Anthropic's `error` event. */
export function errorEvent({ status, message }: ProviderError): string {
  const type = typeByStatus[status] ?? 'api_error';
  return sse(
    'error',
    JSON.stringify({ type: 'error', error: { type, message: message ?? `status ${status}` } }),
  );
}

export class NativeMessageStream implements StreamRewriter {
  #usage: Loose | undefined;

  push({ data }: StreamEvent): string {
    return data === '' ? '' : this.write(data);
  }

  /** One event's JSON as SSE; empty where it is none. */
  write(json: string): string {
    const value = parseJson(json);
    const event = recordOf(Array.isArray(value) ? value[0] : value);
    const type = textOf(event?.type);
    if (event === undefined) return '';
    if (type === undefined)
      return event.error === undefined ? '' : errorEvent(errorFromBody(event));
    if (type === 'message_start')
      this.#usage = mergeAnthropicUsage(this.#usage, recordOf(event.message)?.usage);
    else if (type === 'message_delta') return sse(type, this.#complete(event, json));
    else if (type === 'message_stop' && event[invocationMetrics] !== undefined)
      return sse(type, JSON.stringify({ type }));
    return sse(type, json);
  }

  /**
   * Counts that only `message_start` reported are repeated in the final usage, where clients read
   * them.
   */
  #complete(event: Loose, json: string): string {
    const usage = recordOf(event.usage) ?? {};
    const missing = inputCounts.filter(
      (name) => (usage[name] ?? null) === null && this.#usage?.[name] !== undefined,
    );
    if (missing.length === 0) return json;
    const known = Object.fromEntries(missing.map((name) => [name, this.#usage?.[name]]));
    return JSON.stringify({ ...event, usage: { ...usage, ...known } });
  }
}
