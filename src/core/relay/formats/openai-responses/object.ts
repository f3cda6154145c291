/** The response object, which repeats the request (OpenAI API reference, Responses). */

import type { ChatRequest, ResponseFormat } from '../../../canonical/chat.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import type { Usage } from '../../../canonical/usage.ts';
import { writeToolChoice, writeTools } from '../../../canonical/wires/openai-responses/tools.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../kernel/json.ts';
import { estimateTokens, tokenFamilyOf } from '../../../pricing/estimate-tokens.ts';
import type { WireError } from '../families/api-family.ts';
import { inOpenAiWords } from '../families/openai.ts';
import type { ReplyContext } from '../shared/chat-translation.ts';

export type ResponseStatus = 'in_progress' | 'completed' | 'incomplete' | 'failed';

function writeFormat(format: ResponseFormat | undefined): JsonValue {
  if (format?.type !== 'json-schema')
    return { type: format?.type === 'json' ? 'json_object' : 'text' };
  const { name = 'response', description = null, schema, strict = null } = format;
  return { type: 'json_schema', name, description, schema, strict };
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? (value as JsonObject) : {};
}

function instructionsOf(request: ChatRequest | undefined): string | null {
  const first = request?.messages[0];
  return first?.role === 'system' ? first.content.map((part) => part.text).join('\n') : null;
}

/** The members that stay the same from the first event to the last. */
export function responseHead(
  id: string,
  { request, model, created, previousId, keepsContent = true }: ReplyContext,
): JsonObject {
  const { extra = {} } = request ?? {};
  return {
    id,
    object: 'response',
    created_at: created,
    instructions: instructionsOf(request),
    max_output_tokens: request?.maxOutputTokens ?? null,
    metadata: objectIn(extra['metadata']),
    model,
    parallel_tool_calls: request?.parallelToolCalls ?? true,
    previous_response_id: previousId ?? null,
    reasoning: {
      effort: request?.reasoning?.effort ?? null,
      summary: null,
      ...objectIn(extra['reasoning']),
    },
    service_tier: request?.serviceTier ?? 'default',
    store: keepsContent && extra['store'] !== false,
    temperature: request?.temperature ?? 1,
    text: { ...objectIn(extra['text']), format: writeFormat(request?.responseFormat) },
    tool_choice: (request === undefined ? undefined : writeToolChoice(request)) ?? 'auto',
    tools: request === undefined ? [] : writeTools(request),
    top_p: request?.topP ?? 1,
    truncation: extra['truncation'] === 'auto' ? 'auto' : 'disabled',
    user: request?.user ?? null,
  };
}

export function writeResponsesUsage(usage: Usage): JsonObject {
  const input = usage.promptTokens ?? 0;
  const output = usage.completionTokens ?? 0;
  const long = usage.cacheWrite1hTokens ?? 0;
  return {
    input_tokens: input,
    input_tokens_details: compact({
      cached_tokens: usage.cachedTokens ?? 0,
      cache_write_tokens: usage.cacheWriteTokens || undefined,
      cache_write_tokens_details: long > 0 ? { ttl_12h_tokens: long } : undefined,
    }),
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: input + output,
  };
}

/**
 * Codex repeats a whole turn that ends without usage, so missing figures are estimated
 * (docs/rules/formats.md#usage-across-formats).
 */
export function completeUsage(
  reported: Usage | undefined,
  context: ReplyContext,
  text: () => string,
): Usage {
  return {
    ...reported,
    promptTokens: reported?.promptTokens ?? context.estimatedPromptTokens ?? 0,
    completionTokens:
      reported?.completionTokens ?? estimateTokens(text(), tokenFamilyOf(context.model)),
  };
}

/** OpenAI's own code of a failed response, where the upstream gave none. */
function errorCode({ status, code }: WireError): string {
  if (code !== undefined && code !== '') return code;
  if (status === 429) return 'rate_limit_exceeded';
  return status < 500 ? 'invalid_prompt' : 'server_error';
}

/** One event; `sequence` is its number in the stream. */
export function responseEvent(type: string, sequence: number, fields: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...fields })}\n\n`;
}

/** The two events that end a failed stream. `response`: as far as it is known. */
export function failureEvents(response: JsonObject, given: WireError, sequence: number): string {
  const error = inOpenAiWords(given);
  const { message, param = null } = error;
  return (
    responseEvent('error', sequence, { code: errorCode(error), message, param }) +
    responseEvent('response.failed', sequence + 1, { response: failedResponse(response, given) })
  );
}

/** A response that failed. */
export function failedResponse(response: JsonObject, given: WireError): JsonObject {
  const error = inOpenAiWords(given);
  return {
    ...response,
    status: 'failed',
    error: { code: errorCode(error), message: error.message },
    incomplete_details: null,
  };
}
