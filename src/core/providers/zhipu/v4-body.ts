/** Differences of v4 from OpenAI's API (docs/rules/providers.md#zhipu-v4). */

import type { ChatRequest } from '../../canonical/chat.ts';
import { compact, recordOf } from '../../canonical/kit/read-json.ts';
import { effortOf } from '../../canonical/kit/reasoning.ts';
import { effortFor } from '../../canonical/models/openai.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { factsOf } from '../../models/known-models.ts';
import { schemaAsInstructions } from '../openai-compatible/json-schema.ts';
import {
  type EditFields,
  editEffort,
  type FieldEdits,
  type FieldReader,
} from '../openai-compatible/model-rules.ts';

const refused = [
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'n',
  'logprobs',
  'top_logprobs',
  'parallel_tool_calls',
  'max_completion_tokens',
  'user',
];

/** GLM 4.5 and later can think; `thinking` switches it. */
export function thinks(model: string): boolean {
  const version = /^glm-(\d+(?:\.\d+)?)/i.exec(model)?.[1];
  return version !== undefined && Number(version) >= 4.5;
}

/** Thinking as the caller requests it, where it did not use Zhipu's own field. */
export function writeThinking(request: ChatRequest, model: string): FieldEdits {
  const effort = effortOf(request.reasoning);
  const desired = effort !== undefined || request.reasoning?.adaptive === true;
  if (
    !desired ||
    !thinks(model) ||
    (request.origin === 'openai-chat' && isObject(request.extra.thinking))
  )
    return {};
  return compact({
    thinking: { type: effort === 'none' ? 'disabled' : 'enabled' },
    reasoning_effort: effortFor(model, effort),
  });
}

/**
 * Efforts since GLM 5.3, as the model takes them. It always thinks: what is to be switched off is
 * the least that there is.
 */
function editThinking(field: FieldReader, model: string): FieldEdits {
  const { efforts = [], thinking = [] } = factsOf(model);
  const isOff = recordOf(field('thinking'))?.type === 'disabled';
  return isOff && efforts.length > 0 && !thinking.includes('off')
    ? { thinking: { type: 'enabled' }, reasoning_effort: effortFor(model, 'none') }
    : editEffort(field, model);
}

function clamp(value: JsonValue | undefined, low: number, high: number): JsonValue | undefined {
  return typeof value === 'number' ? Math.min(high, Math.max(low, value)) : value;
}

/** Images as data are bare base64, without the head of a data URI. */
function cutDataUri(part: JsonValue): JsonValue {
  if (!isObject(part)) return part;
  const image = recordOf(part.image_url);
  const url = image?.url;
  if (typeof url !== 'string' || !url.startsWith('data:')) return part as JsonObject;
  return {
    ...(part as JsonObject),
    image_url: { ...(image as JsonObject), url: url.slice(url.indexOf(',') + 1) },
  };
}

function editMessages(messages: readonly JsonValue[]): JsonValue[] {
  return messages.map((message) => {
    if (!isObject(message) || !Array.isArray(message.content)) return message;
    return { ...(message as JsonObject), content: message.content.map(cutDataUri) };
  });
}

/** Only `auto` is known: what must not be called is not shown, what must be called is offered. */
function editToolChoice(field: FieldReader): FieldEdits {
  const choice = field('tool_choice');
  if (choice === undefined || choice === 'auto') return {};
  return choice === 'none' ? { tools: undefined, tool_choice: undefined } : { tool_choice: 'auto' };
}

/** `user_id` has 6 to 128 characters. */
function editUser(field: FieldReader): FieldEdits {
  const user = field('user');
  const fits = typeof user === 'string' && user.length >= 6 && user.length <= 128;
  return fits && field('user_id') === undefined ? { user_id: user } : {};
}

/** Only what the caller sent is clamped; `temperature` 0 is valid. */
export const editForV4: EditFields = (field, model) => {
  const edits: FieldEdits = {};
  for (const name of refused) if (field(name) !== undefined) edits[name] = undefined;
  if (field('max_tokens') === undefined) edits.max_tokens = field('max_completion_tokens');
  if (field('top_p') !== undefined) edits.top_p = clamp(field('top_p'), 0.01, 0.99);
  if (field('temperature') !== undefined) edits.temperature = clamp(field('temperature'), 0, 1);
  const stop = field('stop');
  if (typeof stop === 'string') edits.stop = [stop];
  const messages = field('messages');
  const written = Array.isArray(messages) ? editMessages(messages as readonly JsonValue[]) : [];
  Object.assign(edits, { messages: written }, schemaAsInstructions(field, written));
  Object.assign(edits, editThinking(field, model), editUser(field), editToolChoice(field));
  return { model, edits };
};
