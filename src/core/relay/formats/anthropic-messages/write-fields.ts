import type { Annotation, FinishReason } from '../../../canonical/chat-reply.ts';
import { foreignSignature } from '../../../canonical/kit/foreign-signature.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import type { Usage } from '../../../canonical/usage.ts';
import type { JsonObject } from '../../../kernel/json.ts';

/**
 * Usage as messages report it: input without cache reads and writes
 * (docs/rules/formats.md#usage-across-formats).
 */
export function writeAnthropicUsage(usage: Usage): JsonObject {
  const read = usage.cachedTokens ?? 0;
  const write = usage.cacheWriteTokens ?? 0;
  const long = usage.cacheWrite1hTokens;
  const searches = usage.toolCalls?.['web_search'];
  return compact({
    input_tokens: Math.max(0, (usage.promptTokens ?? 0) - read - write),
    cache_creation_input_tokens: write,
    cache_read_input_tokens: read,
    cache_creation:
      long === undefined
        ? undefined
        : { ephemeral_5m_input_tokens: Math.max(0, write - long), ephemeral_1h_input_tokens: long },
    output_tokens: usage.completionTokens ?? 0,
    server_tool_use: searches === undefined ? undefined : { web_search_requests: searches },
  });
}

const stopReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
};

/** The stop reason; Anthropic's own reason is kept where our four are coarser. */
export function writeStopReason(
  reason: FinishReason,
  raw: string | null,
  stopSequence: string | null | undefined,
): string {
  if (reason === 'stop' && stopSequence) return 'stop_sequence';
  if (reason === 'stop' && raw === 'pause_turn') return raw;
  if (reason === 'length' && raw === 'model_context_window_exceeded') return raw;
  return stopReasons[reason];
}

/**
 * A source, as in answers of Anthropic's own search. Its `encrypted_index` is our mark, recognised
 * when it comes back.
 */
export function writeCitation({ url, title, citedText }: Annotation): JsonObject {
  return {
    type: 'web_search_result_location',
    url,
    title: title ?? null,
    cited_text: citedText ?? '',
    encrypted_index: foreignSignature,
  };
}

/** Ids of calls match `^[a-zA-Z0-9_-]+$` here. */
export function writeCallId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_');
}
