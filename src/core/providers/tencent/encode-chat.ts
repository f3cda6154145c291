/** Canonical request → the body of `ChatCompletions` (docs/rules/providers.md#tencent-chat). */

import type { ChatMessage, ChatRequest, Tool } from '../../canonical/chat.ts';
import { mergeTurns, splitSystem } from '../../canonical/kit/plain-turns.ts';
import { compact, recordOf } from '../../canonical/kit/read-json.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { writeMessages } from '../openai-compatible/encode-messages.ts';
import { toPascalCase } from './spelling.ts';

/** One system message in front, then turns that alternate. */
function orderMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  const { system, turns } = splitSystem(messages);
  const first: ChatMessage[] =
    system === undefined ? [] : [{ role: 'system', content: [{ type: 'text', text: system }] }];
  return [...first, ...mergeTurns(turns)];
}

function writePart(part: JsonValue): JsonObject {
  if (isObject(part) && part.type === 'text') return { Type: 'text', Text: String(part.text) };
  const image = isObject(part) ? recordOf(part.image_url) : undefined;
  if (image === undefined)
    throw new AppError('unsupported_feature', { detail: 'audio and file input' });
  return { Type: 'image_url', ImageUrl: { Url: String(image.url) } };
}

/** Text is `Content`, a list of parts `Contents`. Names the interface does not know it refuses. */
function writeMessage({ role, content, tool_calls, tool_call_id }: JsonObject): JsonObject {
  return compact({
    Role: role,
    Content: Array.isArray(content) ? undefined : (content ?? ''),
    Contents: Array.isArray(content) ? content.map(writePart) : undefined,
    ToolCalls: tool_calls === undefined ? undefined : toPascalCase(tool_calls),
    ToolCallId: tool_call_id,
  });
}

/** The parameters are a JSON text. */
function writeTool(tool: Tool): JsonValue[] {
  if (tool.type !== 'function') return [];
  const { name, description, parameters = { type: 'object', properties: {} } } = tool;
  const written = compact({
    Name: name,
    Description: description,
    Parameters: JSON.stringify(parameters),
  });
  return [{ Type: 'function', Function: written }];
}

/** Hunyuan has no "any tool": the model decides then. One tool is forced by naming it again. */
function writeTools({
  tools = [],
  toolChoice,
}: ChatRequest): Record<string, JsonValue | undefined> {
  const Tools = tools.flatMap(writeTool);
  if (Tools.length === 0) return {};
  if (toolChoice?.type !== 'tool') {
    return {
      Tools,
      ToolChoice:
        toolChoice === undefined ? undefined : toolChoice.type === 'none' ? 'none' : 'auto',
    };
  }
  const chosen = tools.find((tool) => tool.type === 'function' && tool.name === toolChoice.name);
  return chosen === undefined
    ? { Tools }
    : { Tools, ToolChoice: 'custom', CustomTool: writeTool(chosen)[0] };
}

/**
 * Left out silently: output limits, penalties, candidate counts, log probabilities, response
 * formats and thinking settings, for which the interface has no field. Throws
 * AppError('unsupported_feature') for audio and files.
 */
export function writeTencentChat(request: ChatRequest, model: string): JsonObject {
  const ordered = { ...request, messages: orderMessages(request.messages) };
  const messages = writeMessages(ordered, {
    reasoning: false,
    developerRole: false,
  });
  return compact({
    Model: model,
    Messages: messages.map(writeMessage),
    Stream: request.stream,
    Temperature: request.temperature,
    TopP: request.topP || undefined,
    Stop: request.stop,
    Seed: request.seed,
    ...writeTools(request),
    EnableEnhancement:
      request.origin === 'openai-chat' ? request.extra.enable_enhancement : undefined,
  });
}
