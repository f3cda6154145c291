/** Canonical request → messages body (docs/rules/providers.md#claude-requests). */

import type {
  ChatRequest,
  ForeignTool,
  FunctionTool,
  HostedTool,
  Tool,
} from '../../canonical/chat.ts';
import { fitCacheMarks } from '../../canonical/kit/cache-marks.ts';
import { jsonInstructions } from '../../canonical/kit/json-instructions.ts';
import { compact, recordOf } from '../../canonical/kit/read-json.ts';
import { readOption } from '../../canonical/kit/read-option.ts';
import type { Call } from '../../canonical/provider.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { jsonToolName } from '../anthropic-messages/decode-chat.ts';
import { type WrittenMessages, writeMessages } from './encode-messages.ts';
import {
  decidesItself,
  defaultMaxTokens,
  outputLimit,
  splitSuffix,
  takesForcedTools,
  takesOutputFormat,
  wantsOneSampling,
} from './model-rules.ts';
import { anthropicOptions } from './options.ts';
import { inputSchema, outputSchema } from './schema.ts';
import { strictSchemas } from './strict-tools.ts';
import { adapterThinking, requestedThinking, type Thinking } from './thinking.ts';
import { withCallNote, withoutPrefill } from './unmet-wishes.ts';

/** Whether this request's answer comes as the input of the stand-in tool. */
export function answersByTool(request: ChatRequest | undefined, call: Call): boolean {
  return (
    request?.responseFormat?.type === 'json-schema' &&
    !takesOutputFormat(splitSuffix(call.model, call.options).model)
  );
}

const searchUses: Readonly<Record<string, number>> = { low: 1, medium: 5, high: 10 };

/**
 * The search tool. A caller of this very format wrote it itself: version, uses and domains are its
 * own.
 */
function writeWebSearch(options: JsonObject): JsonObject {
  if (typeof options.type === 'string' && options.type.startsWith('web_search_')) return options;
  const location = recordOf(options.user_location);
  const approximate = recordOf(location?.approximate) ?? location;
  return compact({
    type: 'web_search_20250305',
    name: 'web_search',
    max_uses: searchUses[String(options.search_context_size ?? 'medium')] ?? 5,
    user_location:
      approximate === undefined
        ? undefined
        : ({ ...approximate, type: 'approximate' } as JsonValue),
  });
}

function writeFunction(
  tool: FunctionTool,
  own: boolean,
  strictSchema: JsonObject | undefined,
): JsonObject {
  const { name, description, cacheControl } = tool;
  return compact({
    name,
    description,
    input_schema: strictSchema ?? inputSchema(tool.parameters),
    strict: own ? tool.strict : strictSchema && true,
    cache_control: cacheControl === undefined ? undefined : { ...cacheControl },
  });
}

/** A caller of this format: fields that the canonical form does not have are sent unchanged. */
function writeTools({ tools = [], origin }: ChatRequest, model: string): JsonValue[] {
  const own = origin === 'anthropic-messages';
  const functions =
    own || !takesOutputFormat(model) ? [] : tools.filter((tool) => tool.type === 'function');
  const strict = strictSchemas(functions);
  return tools.flatMap((tool) =>
    tool.type === 'function' ? [writeFunction(tool, own, strict.get(tool))] : writeOtherTool(tool),
  );
}

/** Whether a tool is in what {@link writeTools} writes. */
export function takesTool(tool: HostedTool): boolean {
  return tool.type === 'web-search' || isOwnTool(tool);
}

/** A tool that Claude's own format defines. */
export function isOwnTool(tool: HostedTool): tool is ForeignTool {
  return tool.type === 'foreign' && tool.origin === 'anthropic-messages';
}

function writeOtherTool(tool: Exclude<Tool, FunctionTool>): JsonValue[] {
  switch (tool.type) {
    case 'web-search':
      return [writeWebSearch(tool.options)];
    case 'foreign':
      return tool.origin === 'anthropic-messages' ? [tool.raw] : [];
    default:
      return [];
  }
}

/**
 * A forced call and thinking exclude each other: thinking wins, the call is only offered. Models
 * that refuse to be forced are offered it, too.
 */
function writeToolChoice(
  request: ChatRequest,
  model: string,
  thinks: boolean,
): JsonObject | undefined {
  const { toolChoice: choice, parallelToolCalls } = request;
  const single = parallelToolCalls === false ? true : undefined;
  if (choice === undefined)
    return single === undefined ? undefined : { type: 'auto', disable_parallel_tool_use: true };
  if (choice.type === 'none') return { type: 'none' };
  if (choice.type === 'auto' || thinks || !takesForcedTools(model))
    return compact({ type: 'auto', disable_parallel_tool_use: single });
  if (choice.type === 'tool')
    return compact({ type: 'tool', name: choice.name, disable_parallel_tool_use: single });
  return compact({ type: 'any', disable_parallel_tool_use: single });
}

/** The stand-in tool has to be called, or one of the caller's own where it may call them. */
function chooseAnswer({ tools = [], toolChoice }: ChatRequest): JsonObject {
  const callable = toolChoice?.type !== 'none' && tools.some((tool) => tool.type === 'function');
  if (!callable) return { type: 'tool', name: jsonToolName };
  return toolChoice?.type === 'tool' ? { type: 'tool', name: toolChoice.name } : { type: 'any' };
}

/**
 * With a thinking budget, the API requires that the last turn with tool calls begins with its
 * signed thinking. Callers whose format has no place for signatures lose it. Such a request is sent
 * without thinking, since it would be refused otherwise.
 */
export function hasLostThinking({ messages }: WrittenMessages): boolean {
  const last = messages.at(-1);
  if (last?.role !== 'user' || last.content[0]?.type !== 'tool_result') return false;
  const opening = messages.at(-2)?.content[0]?.type;
  return opening !== 'thinking' && opening !== 'redacted_thinking';
}

function writeSampling(request: ChatRequest, model: string, thinks: boolean): JsonObject {
  if (decidesItself(model)) return {};
  const { topP } = request;
  if (thinks) return compact({ top_p: topP !== undefined && topP >= 0.95 ? topP : undefined });
  const temperature =
    request.temperature === undefined ? undefined : Math.min(1, Math.max(0, request.temperature));
  const both = temperature !== undefined && wantsOneSampling(model);
  return compact({ temperature, top_p: both ? undefined : topP, top_k: request.topK });
}

function decideThinking(
  request: ChatRequest,
  call: Call,
  asTool: boolean,
): Thinking & { readonly model: string } {
  const suffixed = splitSuffix(call.model, call.options);
  const { model } = suffixed;
  const limit = outputLimit(model);
  const requested = request.maxOutputTokens || defaultMaxTokens(model, call.options);
  const maxTokens = limit === undefined ? requested : Math.min(requested, limit);
  if (asTool) return { model, maxTokens };
  if (suffixed.thinking) {
    const share = readOption(
      call.options,
      anthropicOptions,
      'claude.thinking_adapter_budget_tokens_percentage',
    );
    return { model, ...adapterThinking(model, maxTokens, share) };
  }
  if (suffixed.effort !== undefined)
    return { model, thinking: { type: 'adaptive' }, effort: suffixed.effort, maxTokens };
  return { model, ...requestedThinking(model, request.reasoning, maxTokens) };
}

/** The turns, with what the model refuses requested in words. */
function askInWords(
  turns: WrittenMessages['messages'],
  { toolChoice: choice }: ChatRequest,
  model: string,
): WrittenMessages['messages'] {
  const complete = withoutPrefill(turns, model);
  const forced = choice?.type === 'required' || choice?.type === 'tool';
  if (!forced || takesForcedTools(model)) return complete;
  return withCallNote(complete, choice.type === 'tool' ? choice.name : undefined);
}

/**
 * Throws AppError('unsupported_feature') for what the messages API cannot do (audio, files it does
 * not read).
 */
export function writeMessagesBody(
  given: ChatRequest,
  call: Call,
): { readonly [key: string]: JsonValue } {
  const request = fitCacheMarks(given);
  const written = writeMessages(request.messages);
  const format = request.responseFormat;
  const asTool = answersByTool(request, call);
  const decided = decideThinking(request, call, asTool);
  const { model, maxTokens, effort } = decided;
  const enabled = decided.thinking?.type === 'enabled';
  const thinking = enabled && hasLostThinking(written) ? undefined : decided.thinking;
  const thinks = thinking?.type === 'enabled' || thinking?.type === 'adaptive';

  const tools = writeTools(request, model);
  if (asTool && format?.type === 'json-schema') {
    tools.push({
      name: jsonToolName,
      description: 'Gives the answer.',
      input_schema: inputSchema(format.schema),
    });
  }
  const system = [...written.system];
  if (format?.type === 'json') system.push({ type: 'text', text: jsonInstructions });
  const outputFormat =
    format?.type === 'json-schema' && !asTool
      ? { type: 'json_schema', schema: outputSchema(format.schema) }
      : undefined;
  const outputConfig = compact({ effort, format: outputFormat });
  const stops = request.stop?.filter((text) => text.trim() !== '');

  return compact({
    // A caller of this format: fields that the canonical form does not have are sent unchanged.
    ...(request.origin === 'anthropic-messages' ? request.extra : {}),
    model,
    max_tokens: maxTokens,
    messages: askInWords(written.messages, request, model).map((turn) => ({ ...turn })),
    system: system.length > 0 ? system : undefined,
    stream: request.stream ? true : undefined,
    ...writeSampling(request, model, thinks),
    stop_sequences: stops !== undefined && stops.length > 0 ? stops : undefined,
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: asTool
      ? chooseAnswer(request)
      : tools.length > 0
        ? writeToolChoice(request, model, thinks)
        : undefined,
    thinking,
    output_config:
      isObject(outputConfig) && Object.keys(outputConfig).length > 0 ? outputConfig : undefined,
    metadata: request.user === undefined ? undefined : { user_id: request.user },
    service_tier: request.serviceTier === 'auto' ? 'auto' : undefined,
  });
}
