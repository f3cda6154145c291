/** A Responses body → the canonical request (OpenAI API reference, Responses). */

import type {
  ChatMessage,
  ChatRequest,
  Reasoning,
  ResponseFormat,
} from '../../../canonical/chat.ts';
import { listOf, recordOf, recordsOf } from '../../../canonical/kit/read-json.ts';
import { readEffort } from '../../../canonical/kit/reasoning.ts';
import { AppError } from '../../../kernel/errors.ts';
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { withCacheLife } from '../shared/cache-control.ts';
import { Fields, readModel } from '../shared/fields.ts';
import { readItems } from './items.ts';
import { readToolChoice, readTools } from './tools.ts';

/**
 * `text`, `reasoning` and `include` stay in `extra` too: they hold more than the canonical form
 * does.
 */
const known: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'stream',
  'max_output_tokens',
  'temperature',
  'top_p',
  'top_logprobs',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'user',
  'service_tier',
]);

/** Features that need the provider's own storage. */
const stateful = ['previous_response_id', 'conversation', 'background'];

function refuseState(fields: Fields): void {
  for (const name of stateful) {
    const value = fields.raw(name);
    if (value !== undefined && value !== false)
      throw new AppError('unsupported_feature', { detail: name });
  }
}

function readMessages(fields: Fields, items: readonly Fields[]): ChatMessage[] {
  const input = fields.raw('input');
  const messages: ChatMessage[] =
    typeof input === 'string'
      ? [{ role: 'user', content: [{ type: 'text', text: input }] }]
      : readItems(items);
  const instructions = fields.text('instructions') ?? '';
  if (messages.length === 0) fields.fail('field input is required');
  return instructions === ''
    ? messages
    : [{ role: 'system', content: [{ type: 'text', text: instructions }] }, ...messages];
}

function readFormat(fields: Fields): ResponseFormat | undefined {
  const format = fields.object('text')?.object('format');
  switch (format?.text('type')) {
    case undefined:
      return undefined;
    case 'json_object':
      return { type: 'json' };
    case 'json_schema':
      return {
        type: 'json-schema',
        name: format?.text('name'),
        description: format?.text('description'),
        schema: format?.objectValue('schema') ?? {},
        strict: format?.flag('strict'),
      };
    default:
      return { type: 'text' };
  }
}

function readReasoning(fields: Fields): Reasoning | undefined {
  const reasoning = fields.objectValue('reasoning');
  if (!isObject(reasoning)) return undefined;
  const effort = readEffort(reasoning.effort);
  const shown = reasoning.summary ?? reasoning.generate_summary ?? undefined;
  if (effort === undefined && shown === undefined) return undefined;
  return { effort, include: shown === undefined ? undefined : true };
}

const updateType = 'configuration_update';

/**
 * The body with what its `configuration_update` items changed for this and later responses: effort
 * and format, each as the last one says.
 */
function withUpdates(body: JsonObject): JsonObject {
  const updates = recordsOf(listOf(body['input'])).filter(({ type }) => type === updateType);
  if (updates.length === 0) return body;
  const last = (holder: string, name: string): JsonObject => {
    const value = updates.findLast((update) => recordOf(update[holder])?.[name] !== undefined)?.[
      holder
    ];
    const changed = recordOf(value)?.[name];
    return changed === undefined
      ? {}
      : { [holder]: { ...recordOf(body[holder]), [name]: changed } as JsonObject };
  };
  return { ...body, ...last('reasoning', 'effort'), ...last('text', 'format') };
}

/** Throws AppError('model_required' | 'invalid_request' | 'unsupported_feature', {detail}). */
export function readResponsesRequest(given: JsonObject): ChatRequest {
  const body = withUpdates(given);
  const fields = new Fields(body, 'invalid_request');
  const model = readModel(fields);
  refuseState(fields);
  const items = typeof fields.raw('input') === 'string' ? [] : (fields.objects('input') ?? []);
  const toolsIn = (type: string) =>
    items
      .filter((item) => item.raw('type') === type)
      .flatMap((item) => item.objects('tools') ?? []);
  const tools = readTools(
    [...(fields.objects('tools') ?? []), ...toolsIn('additional_tools')],
    toolsIn('tool_search_output'),
  );
  const topLogprobs = fields.count('top_logprobs');
  const logprobs =
    listOf(fields.raw('include')).includes('message.output_text.logprobs') ||
    (topLogprobs ?? 0) > 0;
  return {
    model,
    messages: withCacheLife(fields, readMessages(fields, items)),
    stream: fields.flag('stream') ?? false,
    maxOutputTokens: fields.count('max_output_tokens'),
    temperature: fields.number('temperature'),
    topP: fields.number('top_p'),
    logprobs: logprobs ? true : undefined,
    topLogprobs: logprobs ? topLogprobs : undefined,
    tools,
    toolChoice: readToolChoice(fields, tools),
    parallelToolCalls: fields.flag('parallel_tool_calls'),
    responseFormat: readFormat(fields),
    reasoning: readReasoning(fields),
    user: fields.text('user'),
    serviceTier: fields.text('service_tier'),
    origin: 'openai-responses',
    extra: fields.without(known),
  };
}
