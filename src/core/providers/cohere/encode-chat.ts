/** Canonical request → Cohere's chat, version 2 (docs/rules/providers.md#cohere-chat). */

import type {
  ChatRequest,
  FunctionTool,
  Reasoning,
  ResponseFormat,
  Tool,
  ToolChoice,
} from '../../canonical/chat.ts';
import { jsonInstructions, schemaInstructions } from '../../canonical/kit/json-instructions.ts';
import { compact, recordOf, recordsOf } from '../../canonical/kit/read-json.ts';
import type { Call } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { writeMessages } from '../openai-compatible/encode-messages.ts';
import { canThink } from './models.ts';

const maxStops = 5;
/** Fields of Cohere's own that callers of the chat format and of Cohere's may write. */
const ownFields = ['documents', 'citation_options', 'safety_mode', 'strict_tools', 'priority'];

function clamp(value: number | undefined, least: number, most: number): number | undefined {
  return value === undefined ? undefined : Math.min(most, Math.max(least, value));
}

/** Users' messages may hold text and images only. */
function checkContent(content: JsonValue | undefined): void {
  for (const part of recordsOf(content)) {
    if (part.type !== 'text' && part.type !== 'image_url')
      throw new AppError('unsupported_feature', {
        detail: part.type === 'file' ? 'files' : 'audio input',
      });
  }
}

function writeCall(call: JsonValue): JsonObject {
  const {
    id = '',
    type = 'function',
    function: target = {},
  } = (recordOf(call) ?? {}) as Record<string, JsonValue>;
  return { id, type, function: target };
}

/** Text beside tool calls is the plan for them. */
function writeAssistant(message: JsonObject): JsonObject {
  const text = message.content ?? message.refusal;
  if (!Array.isArray(message.tool_calls)) return { role: 'assistant', content: text ?? '' };
  const calls = (message.tool_calls as readonly JsonValue[]).map(writeCall);
  return compact({ role: 'assistant', tool_calls: calls, tool_plan: text ?? undefined });
}

/** A chat message in OpenAI's form as Cohere's. */
function writeMessage({ name: _, ...message }: JsonObject): JsonObject {
  if (message.role === 'assistant') return writeAssistant(message);
  checkContent(message.content);
  return message;
}

function writeTool({ name, description, parameters }: FunctionTool): JsonObject {
  const schema = parameters ?? { type: 'object', properties: {} };
  return { type: 'function', function: compact({ name, description, parameters: schema }) };
}

/** A tool that has to be called is the only one offered: Cohere cannot name one. */
function writeTools(tools: readonly Tool[], choice: ToolChoice | undefined): JsonObject[] {
  const functions = tools.filter((tool) => tool.type === 'function');
  if (functions.length < tools.length)
    throw new AppError('unsupported_feature', { detail: 'tools of the provider' });
  return functions
    .filter(({ name }) => choice?.type !== 'tool' || name === choice.name)
    .map(writeTool);
}

function writeToolChoice(choice: ToolChoice | undefined): string | undefined {
  if (choice === undefined || choice.type === 'auto') return undefined;
  return choice.type === 'none' ? 'NONE' : 'REQUIRED';
}

function writeFormat(format: ResponseFormat): JsonObject {
  return compact({
    type: 'json_object',
    json_schema: format.type === 'json-schema' ? format.schema : undefined,
  });
}

function formatInstructions(format: ResponseFormat): JsonObject {
  return {
    role: 'system',
    content: format.type === 'json-schema' ? schemaInstructions(format.schema) : jsonInstructions,
  };
}

function writeThinking(reasoning: Reasoning | undefined): JsonObject | undefined {
  if (reasoning === undefined) return undefined;
  const { effort, budgetTokens } = reasoning;
  if (effort === 'none' || budgetTokens === 0) return { type: 'disabled' };
  return compact({
    type: 'enabled',
    token_budget: budgetTokens !== undefined && budgetTokens > 0 ? budgetTokens : undefined,
  });
}

/** With tools or documents Cohere accepts neither a safety mode nor a response format. */
function usesToolsOrDocuments({ tools = [], origin, extra }: ChatRequest): boolean {
  return tools.length > 0 || (origin === 'openai-chat' && extra.documents !== undefined);
}

/** The site's mode. */
function writeSafetyMode(request: ChatRequest, mode = 'NONE'): string | undefined {
  return mode === 'NONE' || usesToolsOrDocuments(request) ? undefined : mode;
}

/**
 * `n`, `logit_bias`, `logprobs`, `user`, `parallel_tool_calls` and `stream_options` are not known
 * there and are left out. Throws AppError('unsupported_feature') for audio, files and tools that a
 * provider would run.
 */
export function writeChatBody(
  request: ChatRequest,
  { model, options }: Pick<Call, 'model' | 'options'>,
): JsonObject {
  const messages = writeMessages(request, {
    reasoning: false,
    developerRole: false,
  }).map(writeMessage);
  const tools = writeTools(request.tools ?? [], request.toolChoice);
  const format = request.responseFormat?.type === 'text' ? undefined : request.responseFormat;
  const inWords = format !== undefined && usesToolsOrDocuments(request);
  const writesOwn = request.origin === 'openai-chat' || request.origin === 'cohere-chat';
  const own = writesOwn ? ownFields.map((name) => [name, request.extra[name]] as const) : [];
  return compact({
    safety_mode: writeSafetyMode(request, options.cohereSafetyMode),
    ...Object.fromEntries(own.filter(([, value]) => value !== undefined)),
    model,
    messages: inWords ? [formatInstructions(format), ...messages] : messages,
    stream: request.stream,
    max_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    p: clamp(request.topP, 0.01, 0.99),
    k: request.topK,
    stop_sequences: request.stop?.slice(0, maxStops),
    seed: request.seed,
    frequency_penalty: clamp(request.frequencyPenalty, 0, 1),
    presence_penalty: clamp(request.presencePenalty, 0, 1),
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: tools.length > 0 ? writeToolChoice(request.toolChoice) : undefined,
    response_format: format === undefined || inWords ? undefined : writeFormat(format),
    thinking: canThink(model) ? writeThinking(request.reasoning) : undefined,
  });
}
