/**
 * A channel's system prompt in the caller's own body: `setting.system_prompt`,
 * `system_prompt_override`.
 */
import { isObject, type JsonObject, type JsonValue } from '../../../kernel/json.ts';
import { isList } from '../../../upstream/rules/json-path.ts';
import type { BodyEdits, FieldReader } from '../../body/request-body.ts';

/** A text gets the prompt as its first line, a list of parts as its first part. */
export function inFront(prompt: string, own: JsonValue, part: JsonObject): JsonValue {
  if (typeof own === 'string') return own === '' ? prompt : `${prompt}\n${own}`;
  return isList(own) ? [part, ...own] : own;
}

/** For formats with a field that holds the system prompt and nothing else. */
export function promptField(
  name: string,
): (field: FieldReader, prompt: string, always: boolean) => BodyEdits {
  return (field, prompt, always) => {
    const own = field(name) ?? null;
    if (own === null || own === '') return { [name]: prompt };
    return always ? { [name]: inFront(prompt, own, { type: 'text', text: prompt }) } : {};
  };
}

/**
 * For formats with system messages: the first one with the prompt before its text, or one of its
 * own.
 */
export function systemMessageEdits(field: FieldReader, prompt: string, always: boolean): BodyEdits {
  const messages = field('messages');
  if (!isList(messages)) return {};
  const own = messages.findIndex(
    (message) => isObject(message) && (message.role === 'system' || message.role === 'developer'),
  );
  if (own === -1) return { messages: [{ role: 'system', content: prompt }, ...messages] };
  if (!always) return {};
  const message = messages[own] as JsonObject;
  const content = inFront(prompt, message.content ?? '', { type: 'text', text: prompt });
  return { messages: messages.with(own, { ...message, content }) };
}
