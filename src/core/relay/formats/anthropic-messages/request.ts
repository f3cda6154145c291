/** A messages body → the canonical request (Anthropic API reference, Messages). */

import type {
  ChatMessage,
  ChatRequest,
  Reasoning,
  ResponseFormat,
  TextPart,
  Tool,
  ToolChoice,
} from '../../../canonical/chat.ts';
import { readEffort } from '../../../canonical/kit/reasoning.ts';
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { readCacheControl } from '../shared/cache-control.ts';
import { Fields, readModel } from '../shared/fields.ts';
import { readMessages } from './content.ts';

const known: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'system',
  'max_tokens',
  'stream',
  'stop_sequences',
  'temperature',
  'top_p',
  'top_k',
  'metadata',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'service_tier',
]);

/**
 * Claude Code puts this text first; it changes with every request and would defeat prompt caching
 * elsewhere.
 */
const billingHeader = 'x-anthropic-billing-header';

function readSystem(fields: Fields): ChatMessage[] {
  const system = fields.raw('system');
  if (system === undefined || system === '') return [];
  if (typeof system === 'string')
    return [{ role: 'system', content: [{ type: 'text', text: system }] }];
  const content = (fields.objects('system') ?? []).flatMap((block): TextPart[] => {
    const text = block.text('text') ?? '';
    return text === '' || text.startsWith(billingHeader)
      ? []
      : [{ type: 'text', text, cacheControl: readCacheControl(block) }];
  });
  return content.length > 0 ? [{ role: 'system', content }] : [];
}

function readTool(tool: Fields): Tool[] {
  const type = tool.text('type');
  if (type?.startsWith('web_search_')) return [{ type: 'web-search', options: tool.value }];
  if (type !== undefined && type !== 'custom')
    return [
      {
        type: 'foreign',
        origin: 'anthropic-messages',
        raw: tool.value,
        optional: type.startsWith('tool_search_tool_'),
      },
    ];
  const name = tool.requiredText('name');
  // Tells providers with a tool search that tools come later; it cannot be called.
  if (name === 'DeferredToolPlaceholder') return [];
  return [
    {
      type: 'function',
      name,
      description: tool.text('description'),
      parameters: tool.objectValue('input_schema'),
      strict: tool.flag('strict'),
      cacheControl: readCacheControl(tool),
    },
  ];
}

/**
 * Other providers can only force functions by name. One of Anthropic's own tools is forced where it
 * is the only tool.
 */
function chooseTool(name: string, tools: readonly Tool[]): ToolChoice {
  const isFunction = tools.some((tool) => tool.type === 'function' && tool.name === name);
  if (isFunction || tools.every((tool) => tool.type === 'function')) return { type: 'tool', name };
  return { type: tools.length === 1 ? 'required' : 'auto' };
}

function readToolChoice(
  choice: Fields | undefined,
  tools: readonly Tool[],
): ToolChoice | undefined {
  switch (choice?.text('type')) {
    case 'auto':
      return { type: 'auto' };
    case 'any':
      return { type: 'required' };
    case 'none':
      return { type: 'none' };
    case 'tool':
      return choice && chooseTool(choice.requiredText('name'), tools);
    default:
      return choice?.fail('tool_choice.type is not known');
  }
}

function readReasoning(fields: Fields): Reasoning | undefined {
  const thinking = fields.object('thinking');
  const effort = readEffort(fields.object('output_config')?.raw('effort'));
  switch (thinking?.text('type')) {
    case undefined:
      return effort === undefined ? undefined : { effort };
    case 'disabled':
      return { effort: 'none' };
    case 'enabled':
      return {
        effort,
        budgetTokens: thinking?.count('budget_tokens'),
        include: thinking?.raw('display') !== 'omitted',
      };
    default:
      return { effort, adaptive: true, include: thinking?.raw('display') !== 'omitted' };
  }
}

function readFormat(fields: Fields): ResponseFormat | undefined {
  const format =
    fields.object('output_config')?.objectValue('format') ?? fields.objectValue('output_format');
  if (format?.type !== 'json_schema' || !isObject(format.schema)) return undefined;
  return { type: 'json-schema', name: 'output', schema: format.schema as JsonObject, strict: true };
}

/** Throws AppError('model_required' | 'invalid_claude_request', {detail}). */
export function readMessagesRequest(body: JsonObject): ChatRequest {
  const fields = new Fields(body, 'invalid_claude_request');
  const model = readModel(fields);
  const messages = fields.objects('messages') ?? [];
  if (messages.length === 0) fields.fail('field messages is required');
  const tools = fields.objects('tools')?.flatMap(readTool) ?? [];
  const choice = fields.object('tool_choice');
  return {
    model,
    messages: [...readSystem(fields), ...readMessages(messages)],
    stream: fields.flag('stream') ?? false,
    maxOutputTokens: fields.count('max_tokens'),
    temperature: fields.number('temperature'),
    topP: fields.number('top_p'),
    topK: fields.number('top_k'),
    stop: fields.texts('stop_sequences'),
    tools: tools.length > 0 ? tools : undefined,
    toolChoice: readToolChoice(choice, tools),
    parallelToolCalls: choice?.flag('disable_parallel_tool_use') === true ? false : undefined,
    responseFormat: readFormat(fields),
    reasoning: readReasoning(fields),
    user: fields.object('metadata')?.text('user_id'),
    serviceTier: fields.text('service_tier'),
    origin: 'anthropic-messages',
    extra: fields.without(known),
  };
}
