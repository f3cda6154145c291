/** Edits of a chat body that is passed through. */
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { isList } from '../../../upstream/rules/json-path.ts';
import type { BodyEdits, FieldReader, RequestBody } from '../../body/request-body.ts';
import { editList, editMember } from '../shared/edit-lists.ts';
import { inFront } from '../shared/system-prompt.ts';

/** The first system message with the prompt before its text, or one of its own. */
export function systemPromptEdits(field: FieldReader, prompt: string, always: boolean): BodyEdits {
  const messages = field('messages');
  if (!isList(messages)) return {};
  const own = messages.findIndex((message) => isObject(message) && (message.role === 'system' || message.role === 'developer'));
  if (own === -1) return { messages: [{ role: 'system', content: prompt }, ...messages] };
  if (!always) return {};
  const message = messages[own] as JsonObject;
  const content = inFront(prompt, message.content ?? '', { type: 'text', text: prompt });
  return { messages: messages.with(own, { ...message, content }) };
}

/** Signatures stand beside calls and texts (Gemini) or beside the answer (OpenRouter). */
export function withoutSignatures(body: RequestBody): BodyEdits {
  const messages = body.get('messages');
  const stripped = editList(messages, (message) => {
    const { reasoning_details: details, extra_content: own, ...others } = message;
    const plain = details === undefined && own === undefined ? message : others;
    return editMember(plain, 'tool_calls', (call) => {
      const { extra_content: extra, ...bare } = call;
      return extra === undefined ? call : bare;
    });
  });
  return stripped === messages ? {} : { messages: stripped };
}
