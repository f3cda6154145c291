/** Edits of a chat body that is passed through. */

import type { ReasoningPart } from '../../../canonical/chat.ts';
import type { BodyEdits, RequestBody } from '../../body/request-body.ts';
import { editList, editMember, editTurns } from '../shared/edit-lists.ts';

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

/** Thinking stands beside the answer, as one text. */
export function withThinking(
  body: RequestBody,
  turns: readonly (readonly ReasoningPart[])[],
): BodyEdits {
  return editTurns(body.get('messages'), turns, (message, thoughts) => ({
    ...message,
    reasoning_content: thoughts.map(({ text }) => text).join(''),
  }));
}
