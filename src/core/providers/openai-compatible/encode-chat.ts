/** Canonical request → chat completions body (docs/rules/providers.md#openai-chat-requests). */

import type { ChatRequest, HostedTool, Tool, ToolChoice } from '../../canonical/chat.ts';
import { endUser } from '../../canonical/kit/end-user.ts';
import { capOutput } from '../../canonical/kit/output-limit.ts';
import { compact, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import { effortOf } from '../../canonical/kit/reasoning.ts';
import {
  effortFor,
  maxUserLength,
  openAiFacts,
  outputLimit,
  refusedFields,
} from '../../canonical/models/openai.ts';
import { strictFor, strictFormat } from '../../canonical/wires/openai/strict.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { fitEffort } from '../../models/fit-effort.ts';
import { factsOf } from '../../models/known-models.ts';
import { type MessageRules, writeMessages } from './encode-messages.ts';
import { applyEdits, dropFields, type FieldEdits } from './model-rules.ts';

/** Stop sequences OpenAI takes. */
const maxStops = 4;

function writeParameters(parameters: JsonObject | undefined): JsonObject {
  if (parameters === undefined) return { type: 'object', properties: {} };
  const { $schema: _, ...rest } = parameters;
  return rest;
}

function writeTool(tool: Tool, request: ChatRequest): JsonValue[] {
  if (tool.type === 'foreign') return tool.origin === 'openai-chat' ? [tool.raw] : [];
  if (tool.type !== 'function') return [];
  const { name, description } = tool;
  const parameters = writeParameters(tool.parameters);
  return [
    {
      type: 'function',
      function: compact({ name, description, parameters, strict: strictFor(tool, request) }),
    },
  ];
}

/** Whether chat completions have a tool: their own, and a search where the model is made for it. */
export function takesTool(
  tool: HostedTool,
  { origin }: Pick<ChatRequest, 'origin'>,
  model: string,
): boolean {
  if (tool.type === 'foreign') return tool.origin === 'openai-chat';
  return tool.type === 'web-search' && (origin === 'openai-chat' || isSearchModel(model));
}

function isSearchModel(model: string): boolean {
  return model.includes('-search');
}

function writeToolChoice(choice: ToolChoice | undefined): JsonValue | undefined {
  if (choice === undefined) return undefined;
  return choice.type === 'tool'
    ? { type: 'function', function: { name: choice.name } }
    : choice.type;
}

function writeResponseFormat(request: ChatRequest): JsonValue | undefined {
  const format = request.responseFormat;
  if (format === undefined) return undefined;
  if (format.type !== 'json-schema')
    return { type: format.type === 'json' ? 'json_object' : 'text' };
  const { name = 'response', description, schema } = format;
  return {
    type: 'json_schema',
    json_schema: compact({ name, description, schema, strict: strictFormat(format, request) }),
  };
}

/** The same for other vendors whose models take an effort in OpenAI's field. */
export function askEffort({ reasoning, origin }: ChatRequest, model: string): FieldEdits {
  const effort = reasoning?.adaptive === true ? 'medium' : effortOf(reasoning);
  const { efforts = [] } = factsOf(model);
  return origin === 'openai-chat' || effort === undefined || efforts.length === 0
    ? {}
    : { reasoning_effort: fitEffort(effort, efforts) };
}

/** A caller of Responses' key of the cache, for other vendors that take one by that name. */
export function keepCacheKey({ origin, extra }: ChatRequest): FieldEdits {
  const key = origin === 'openai-responses' ? textOf(extra.prompt_cache_key) : undefined;
  return key === undefined ? {} : { prompt_cache_key: key };
}

/** The effort of callers of other formats, for models of OpenAI's that take one. */
export function writeEffort(request: ChatRequest, model: string): string | undefined {
  const effort = effortOf(request.reasoning);
  const known = request.origin === 'openai-chat' || openAiFacts(model).efforts !== undefined;
  return effort === undefined || !known ? undefined : textOf(effortFor(model, effort));
}

function writeWebSearch(request: ChatRequest, model: string): JsonObject | undefined {
  const search = request.tools?.find((tool) => tool.type === 'web-search');
  if (search?.type !== 'web-search') return undefined;
  if (request.origin === 'openai-chat') return search.options;
  return isSearchModel(model) ? {} : undefined;
}

/**
 * What a caller of Responses says of the cache of OpenAI's models. Chat completions know no longer
 * life but that of single marks.
 */
function keptForCache({ origin, extra }: ChatRequest, model: string): JsonObject {
  if (origin !== 'openai-responses' || openAiFacts(model).vendor === undefined) return {};
  const mode = recordOf(extra.prompt_cache_options)?.mode;
  return compact({
    prompt_cache_key: extra.prompt_cache_key,
    prompt_cache_retention: extra.prompt_cache_retention,
    prompt_cache_options: typeof mode === 'string' ? { mode } : undefined,
  });
}

/**
 * The body before the edits its model needs (`model-rules.ts`): with `max_tokens` and without
 * `stream_options`.
 */
export function writeChatBody(
  request: ChatRequest,
  model: string,
  rules: MessageRules,
): Record<string, JsonValue> {
  const fromChat = request.origin === 'openai-chat' || request.origin === 'openai-completions';
  const tools = (request.tools ?? []).flatMap((tool) => writeTool(tool, request));
  const callable = tools.length > 0;
  const user = endUser(request);
  const body = {
    ...(fromChat ? request.extra : keptForCache(request, model)),
    ...compact({
      model,
      messages: writeMessages(request, rules),
      stream: request.stream ? true : undefined,
      max_tokens: fromChat
        ? request.maxOutputTokens
        : capOutput(request.maxOutputTokens, outputLimit(model)),
      temperature: request.temperature,
      top_p: request.topP,
      top_k: fromChat ? request.topK : undefined,
      stop: fromChat ? request.stop : request.stop?.slice(0, maxStops),
      seed: request.seed,
      frequency_penalty: request.frequencyPenalty,
      presence_penalty: request.presencePenalty,
      n: request.candidateCount,
      logprobs: request.logprobs,
      top_logprobs: request.topLogprobs,
      logit_bias: request.logitBias,
      tools: callable ? tools : undefined,
      tool_choice: callable ? writeToolChoice(request.toolChoice) : undefined,
      parallel_tool_calls: callable ? request.parallelToolCalls : undefined,
      response_format: writeResponseFormat(request),
      reasoning_effort: writeEffort(request, model),
      web_search_options: writeWebSearch(request, model),
      modalities: fromChat ? request.modalities : undefined,
      user: fromChat || (user?.length ?? 0) <= maxUserLength ? user : undefined,
      service_tier: fromChat ? request.serviceTier : undefined,
    }),
  };
  // For callers of OpenAI's own format, OpenAI itself refuses it.
  return fromChat
    ? body
    : applyEdits(
        body,
        dropFields((name) => body[name], refusedFields(model)),
      );
}
