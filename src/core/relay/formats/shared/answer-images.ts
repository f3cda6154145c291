/**
 * Images in earlier answers of a body that is forwarded: where answers are text, each is a short
 * note (docs/rules/formats.md#images-in-answers).
 */
import { withoutImages } from '../../../canonical/kit/markdown-images.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import type { BodyEdits, FieldReader } from '../../body/request-body.ts';
import { type EditObject, editList } from './edit-lists.ts';

/** A part of an answer with notes in its text; the same part where it has no images. */
function withNotes(part: JsonObject): JsonObject {
  const { text } = part;
  if (typeof text !== 'string') return part;
  const noted = withoutImages(text);
  return noted === text ? part : { ...part, text: noted };
}

/** A text, or a list of parts, with a note for each image in Markdown. */
export function noteImages(content: JsonValue | undefined): JsonValue | undefined {
  return typeof content === 'string' ? withoutImages(content) : editList(content, withNotes);
}

/** The edits of the list `name` where `edit` changes turns of this role. */
export function editAnswers(
  field: FieldReader,
  name: string,
  role: string,
  edit: EditObject,
): BodyEdits {
  const turns = field(name);
  const edited = editList(turns, (turn) => (turn['role'] === role ? edit(turn) : turn));
  return edited === turns ? {} : { [name]: edited };
}

/** `FormatBase.imageEdits` of a format whose answers are turns with texts in the member `content`. */
export function answerImageEdits(
  name: string,
  content: string,
  role = 'assistant',
): (field: FieldReader) => BodyEdits {
  const edit = (turn: JsonObject) => {
    const noted = noteImages(turn[content]);
    return noted === turn[content] || noted === undefined ? turn : { ...turn, [content]: noted };
  };
  return (field) => editAnswers(field, name, role, edit);
}
