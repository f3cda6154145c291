/** `setting.system_prompt`: in front where the caller sent none, with `system_prompt_override` in any case (spec, relay 12). */

import type { ChatMessage, ChatRequest, SystemMessage } from '../../canonical/chat.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import type { ChannelRules } from '../../upstream/rules/index.ts';
import { isList } from '../../upstream/rules/json-path.ts';
import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import type { BodyEdits } from '../body/request-body.ts';
import type { FieldReader } from './strip-fields.ts';

type PromptRules = Pick<ChannelRules, 'systemPrompt' | 'systemPromptOverride'>;

export function withSystemPrompt(request: ChatRequest, { systemPrompt, systemPromptOverride }: PromptRules): ChatRequest {
  if (systemPrompt === '') return request;
  const own = request.messages.findIndex((message) => message.role === 'system');
  if (own === -1) return { ...request, messages: [systemMessage(systemPrompt), ...request.messages] };
  if (!systemPromptOverride) return request;
  return { ...request, messages: request.messages.with(own, prefixed(request.messages[own] as SystemMessage, systemPrompt)) };
}

function systemMessage(text: string): ChatMessage {
  return { role: 'system', content: [{ type: 'text', text }] };
}

function prefixed(message: SystemMessage, prompt: string): SystemMessage {
  const [first, ...rest] = message.content;
  if (first === undefined) return { ...message, content: [{ type: 'text', text: prompt }] };
  return { ...message, content: [{ ...first, text: `${prompt}\n${first.text}` }, ...rest] };
}

/** A text gets the prompt as its first line, a list of parts as its first part. */
function inFront(prompt: string, own: JsonValue, part: JsonObject): JsonValue {
  if (typeof own === 'string') return own === '' ? prompt : `${prompt}\n${own}`;
  return isList(own) ? [part, ...own] : own;
}

type ReadEdits = (field: FieldReader, prompt: string, always: boolean) => BodyEdits;

/** A field that holds the prompt alone. */
function fieldOf(name: string): ReadEdits {
  return (field, prompt, always) => {
    const own = field(name) ?? null;
    if (own === null || own === '') return { [name]: prompt };
    return always ? { [name]: inFront(prompt, own, { type: 'text', text: prompt }) } : {};
  };
}

const chatEdits: ReadEdits = (field, prompt, always) => {
  const messages = field('messages');
  if (!isList(messages)) return {};
  const own = messages.findIndex((message) => isObject(message) && (message.role === 'system' || message.role === 'developer'));
  if (own === -1) return { messages: [{ role: 'system', content: prompt }, ...messages] };
  if (!always) return {};
  const message = messages[own] as JsonObject;
  const content = inFront(prompt, message.content ?? '', { type: 'text', text: prompt });
  return { messages: messages.with(own, { ...message, content }) };
};

const geminiEdits: ReadEdits = (field, prompt, always) => {
  const name = field('system_instruction') === undefined ? 'systemInstruction' : 'system_instruction';
  const own = field(name);
  const parts = isObject(own) && isList(own.parts) ? own.parts : [];
  if (own !== undefined && own !== null && !always) return {};
  return { [name]: { ...(isObject(own) ? (own as JsonObject) : {}), parts: [{ text: prompt }, ...parts] } };
};

const editsByFormat: Partial<Record<WireFormat, ReadEdits>> = {
  'openai-chat': chatEdits,
  'openai-responses': fieldOf('instructions'),
  'openai-responses-compact': fieldOf('instructions'),
  'anthropic-messages': fieldOf('system'),
  'gemini-generate': geminiEdits,
};

/** The same for a body that travels as its caller wrote it. */
export function systemPromptEdits(rules: PromptRules, format: WireFormat, field: FieldReader): BodyEdits {
  if (rules.systemPrompt === '') return {};
  return editsByFormat[format]?.(field, rules.systemPrompt, rules.systemPromptOverride) ?? {};
}
