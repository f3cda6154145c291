/** A channel's system prompt in the caller's own body: `setting.system_prompt`, `system_prompt_override`. */
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import { isList } from '../../../upstream/rules/json-path.ts';
import type { BodyEdits, FieldReader } from '../../body/request-body.ts';

/** A text gets the prompt as its first line, a list of parts as its first part. */
export function inFront(prompt: string, own: JsonValue, part: JsonObject): JsonValue {
  if (typeof own === 'string') return own === '' ? prompt : `${prompt}\n${own}`;
  return isList(own) ? [part, ...own] : own;
}

/** For formats with a field that holds the system prompt and nothing else. */
export function promptField(name: string): (field: FieldReader, prompt: string, always: boolean) => BodyEdits {
  return (field, prompt, always) => {
    const own = field(name) ?? null;
    if (own === null || own === '') return { [name]: prompt };
    return always ? { [name]: inFront(prompt, own, { type: 'text', text: prompt }) } : {};
  };
}
