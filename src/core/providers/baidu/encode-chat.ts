/** Canonical request → the v1 body (docs/rules/providers.md#baidu-v1-chat). */

import type {
  AssistantMessage,
  ChatMessage,
  ChatRequest,
  ToolCallPart,
} from '../../canonical/chat.ts';
import { endUser } from '../../canonical/kit/end-user.ts';
import { schemaInstructions } from '../../canonical/kit/json-instructions.ts';
import {
  assistantText,
  mergeTurns,
  plainText,
  splitSystem,
} from '../../canonical/kit/plain-turns.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';

function firstCall(message: AssistantMessage): ToolCallPart | undefined {
  return message.content.find((part) => part.type === 'tool-call');
}

function writeAssistant(message: AssistantMessage): JsonObject {
  const call = firstCall(message);
  if (call === undefined) return { role: 'assistant', content: assistantText(message.content) };
  const function_call = {
    name: call.name,
    arguments: call.arguments === '' ? '{}' : call.arguments,
  };
  return { role: 'assistant', content: '', function_call };
}

/** One call per turn: of parallel ones the first and its result remain. */
function writeTurns(turns: readonly ChatMessage[]): JsonObject[] {
  let open: ToolCallPart | undefined;
  return mergeTurns(turns).flatMap((message): JsonObject[] => {
    switch (message.role) {
      case 'user':
        return [{ role: 'user', content: plainText(message.content) }];
      case 'assistant':
        open = firstCall(message);
        return [writeAssistant(message)];
      case 'tool':
        if (open?.id !== message.callId) return [];
        return [{ role: 'function', name: open.name, content: plainText(message.content) }];
      default:
        return [];
    }
  });
}

/** Families of Baidu's own that know no functions; the operator's deployments may. */
const withoutFunctions =
  /^(?:ernie-(?:speed|lite|tiny|char|bot-turbo)|ernie speed|bloomz|llama|meta-llama|qianfan-chinese)/;

function writeFunctions(
  request: ChatRequest,
  model: string,
): Record<string, JsonValue | undefined> {
  const { toolChoice } = request;
  const functions = (request.tools ?? []).flatMap((tool) => {
    if (tool.type !== 'function') return [];
    const { name, description, parameters } = tool;
    return [
      compact({
        name,
        description: description ?? name,
        parameters: parameters ?? { type: 'object', properties: {} },
      }),
    ];
  });
  if (functions.length === 0 || toolChoice?.type === 'none') return {};
  if (withoutFunctions.test(model.toLowerCase()))
    throw new AppError('unsupported_feature', { detail: `tools with ${model}` });
  const forced =
    toolChoice?.type === 'tool'
      ? { type: 'function', function: { name: toolChoice.name } }
      : undefined;
  return { functions, tool_choice: forced };
}

/** Baidu knows `json_object` only: a schema goes into the instructions. */
function writeFormat({ responseFormat }: ChatRequest): {
  readonly format?: string;
  readonly instructions?: string;
} {
  if (responseFormat === undefined) return {};
  if (responseFormat.type === 'text') return { format: 'text' };
  if (responseFormat.type === 'json') return { format: 'json_object' };
  return { format: 'json_object', instructions: schemaInstructions(responseFormat.schema) };
}

function clamp(value: number | undefined, low: number, high: number): number | undefined {
  return value === undefined ? undefined : Math.min(high, Math.max(low, value));
}

/**
 * Left out silently: candidate counts, log probabilities, seeds, presence penalties, `top_k`,
 * parallel-call settings and thinking, none of which v1 has. Throws AppError('unsupported_feature')
 * for images, audio, files, and for tools with models that have none.
 */
export function writeBaiduChat(request: ChatRequest, model: string): JsonObject {
  const { system, turns } = splitSystem(request.messages);
  const { format, instructions } = writeFormat(request);
  const own = request.origin === 'openai-chat' ? request.extra : {};
  const limit = request.maxOutputTokens;
  return compact({
    messages: writeTurns(turns),
    system: [system, instructions].filter((text) => text !== undefined).join('\n') || undefined,
    stream: request.stream ? true : undefined,
    temperature: clamp(request.temperature, 0.01, 1),
    top_p: clamp(request.topP, 0, 1),
    penalty_score: request.frequencyPenalty ? clamp(request.frequencyPenalty, 1, 2) : undefined,
    max_output_tokens: limit ? Math.max(2, limit) : undefined,
    stop: request.stop,
    user_id: endUser(request),
    response_format: format,
    disable_search: own.disable_search,
    enable_citation: own.enable_citation,
    ...writeFunctions(request, model),
  });
}
