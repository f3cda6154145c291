/** Canonical request → Responses body (docs/rules/providers.md#openai-responses). */

import type { ChatRequest, ResponseFormat } from '../../canonical/chat.ts';
import { conversationKey } from '../../canonical/kit/conversation-key.ts';
import { endUser } from '../../canonical/kit/end-user.ts';
import { capOutput } from '../../canonical/kit/output-limit.ts';
import { compact, listOf, recordOf } from '../../canonical/kit/read-json.ts';
import { maxUserLength, outputLimit } from '../../canonical/models/openai.ts';
import { takesBreakpoints } from '../../canonical/wires/openai/cache-marks.ts';
import { strictFormat } from '../../canonical/wires/openai/strict.ts';
import { writeToolChoice, writeTools } from '../../canonical/wires/openai-responses/tools.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { writeInput } from './encode-input.ts';

/** Output limit below which the upstream refuses. */
const leastOutput = 16;
/** What chat callers may send and Responses knows under the same name. */
const sharedWithChat = [
  'metadata',
  'store',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
];
const logprobsOfText = 'message.output_text.logprobs';
const encryptedThinking = 'reasoning.encrypted_content';

/** A caller of this very format, whose cache is its own business. */
const isOwn = ({ origin }: ChatRequest): boolean => origin === 'openai-responses';

/** Fields of the caller that are sent unchanged. */
function keptFields(request: ChatRequest): JsonObject {
  if (isOwn(request)) return request.extra;
  if (request.origin !== 'openai-chat') return {};
  return compact(Object.fromEntries(sharedWithChat.map((name) => [name, request.extra[name]])));
}

function writeFormat(format: ResponseFormat, request: ChatRequest): JsonObject {
  if (format.type !== 'json-schema')
    return { type: format.type === 'json' ? 'json_object' : 'text' };
  const { name = 'response', description, schema } = format;
  return compact({
    type: 'json_schema',
    name,
    description,
    schema,
    strict: strictFormat(format, request),
  });
}

function writeText(request: ChatRequest): JsonObject | undefined {
  const { responseFormat, origin, extra } = request;
  const given =
    origin === 'openai-responses' ? (recordOf(extra.text) as JsonObject | undefined) : undefined;
  const verbosity = origin === 'openai-chat' ? extra.verbosity : undefined;
  const format = responseFormat === undefined ? undefined : writeFormat(responseFormat, request);
  const text = { ...given, ...compact({ format, verbosity }) };
  return Object.keys(text).length === 0 ? undefined : text;
}

/**
 * Callers of this format set summaries themselves; others get them with the effort they request.
 */
function writeReasoning(
  { origin, extra, reasoning }: ChatRequest,
  effort: string | undefined,
): JsonObject | undefined {
  const given =
    origin === 'openai-responses'
      ? (recordOf(extra.reasoning) as JsonObject | undefined)
      : undefined;
  if (given !== undefined) return given;
  if (effort === undefined) return undefined;
  const silent = effort === 'none' || reasoning?.include === false;
  return silent ? { effort } : { effort, summary: 'auto' };
}

/**
 * Each value once; undefined where there is none. A caller of another format that asks for thinking
 * gets it encrypted, so that the next turn can return it.
 */
function writeInclude(
  { origin, extra, logprobs }: ChatRequest,
  effort: string | undefined,
): JsonValue | undefined {
  const given = origin === 'openai-responses' ? listOf(extra.include) : [];
  const thinks = origin !== 'openai-responses' && effort !== undefined && effort !== 'none';
  const requested = new Set([
    ...given,
    ...(logprobs === true ? [logprobsOfText] : []),
    ...(thinks ? [encryptedThinking] : []),
  ]);
  return requested.size === 0 ? undefined : ([...requested] as JsonValue[]);
}

/**
 * The body before the model's edits. `effort`: as the model accepts it. Nothing is stored unless
 * the caller requests it. Throws AppError('unsupported_feature') where several choices are
 * requested.
 */
export function writeResponsesBody(
  request: ChatRequest,
  model: string,
  effort: string | undefined,
): Record<string, JsonValue> {
  if ((request.candidateCount ?? 1) > 1)
    throw new AppError('unsupported_feature', { detail: 'n > 1' });
  const own = request.origin === 'openai-chat' || request.origin === 'openai-responses';
  const limit = capOutput(request.maxOutputTokens, own ? undefined : outputLimit(model));
  const tools = writeTools(request);
  const callable = tools.length > 0;
  const user = endUser(request);
  return {
    store: false,
    ...compact({ prompt_cache_key: isOwn(request) ? undefined : conversationKey(request) }),
    ...keptFields(request),
    ...compact({
      model,
      ...writeInput(request, takesBreakpoints(model)),
      stream: request.stream ? true : undefined,
      max_output_tokens: limit === undefined ? undefined : Math.max(leastOutput, limit),
      temperature: request.temperature,
      top_p: request.topP,
      top_logprobs: request.logprobs === true ? request.topLogprobs : undefined,
      include: writeInclude(request, effort),
      tools: callable ? tools : undefined,
      tool_choice: callable ? writeToolChoice(request) : undefined,
      parallel_tool_calls: callable ? request.parallelToolCalls : undefined,
      text: writeText(request),
      reasoning: writeReasoning(request, effort),
      user: (user?.length ?? 0) <= maxUserLength ? user : undefined,
      service_tier: request.origin.startsWith('openai-') ? request.serviceTier : undefined,
    }),
  };
}
