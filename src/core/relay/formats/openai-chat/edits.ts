/** Edits of a chat body that is passed through. */

import type { ReasoningPart } from '../../../canonical/chat.ts';
import { imageNote } from '../../../canonical/kit/markdown-images.ts';
import { readDataUri } from '../../../canonical/kit/media.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../kernel/json.ts';
import { isList } from '../../../upstream/rules/json-path.ts';
import type { BodyEdits, FieldReader, RequestBody } from '../../body/request-body.ts';
import { editAnswers, noteImages } from '../shared/answer-images.ts';
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

/** An image by its address stays readable; data is a note. */
function noteOf(image: JsonValue): string {
  const { image_url: target } = isObject(image) ? (image as JsonObject) : {};
  const url = isObject(target) ? (target as JsonObject).url : undefined;
  return typeof url === 'string' && readDataUri(url) === undefined ? url : imageNote;
}

/** The turn with its `images` as notes behind its text. */
function withoutMember({ images, ...turn }: JsonObject): JsonObject {
  const note = (isList(images) ? images : []).map(noteOf).join('');
  if (note === '') return turn;
  const { content } = turn;
  if (isList(content)) return { ...turn, content: [...content, { type: 'text', text: note }] };
  return { ...turn, content: `${typeof content === 'string' ? content : ''}${note}` };
}

/** Images stand as Markdown in the text, and in `images` beside it, as OpenRouter writes them. */
export function withImageNotes(field: FieldReader, takesImages: boolean): BodyEdits {
  return editAnswers(field, 'messages', 'assistant', (turn) => {
    const content = noteImages(turn.content);
    const noted = content === turn.content || content === undefined ? turn : { ...turn, content };
    return takesImages || noted['images'] === undefined ? noted : withoutMember(noted);
  });
}
