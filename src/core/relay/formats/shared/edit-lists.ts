/**
 * Edits deep inside the lists of a body. What is not touched keeps its identity, so that nothing is
 * written without need.
 */
import { isObject, type JsonObject, type JsonValue } from '../../../kernel/json.ts';
import { isList } from '../../../upstream/rules/json-path.ts';

/** Edits one object of a list; undefined: the object is removed. */
export type EditObject = (value: JsonObject) => JsonObject | undefined;

/**
 * A list with its objects edited, the first `most` of them; the same list where no edit changed
 * anything.
 */
export function editList(
  list: JsonValue | undefined,
  edit: EditObject,
  most = Number.POSITIVE_INFINITY,
): JsonValue | undefined {
  if (!isList(list)) return list;
  const edited = list.map((item, position) =>
    isObject(item) && position < most ? edit(item as JsonObject) : item,
  );
  if (edited.every((item, position) => item === list[position])) return list;
  return edited.filter((item) => item !== undefined);
}

/** The object with one of its lists edited; undefined where nothing of the list is left. */
export function editMember(
  value: JsonObject,
  name: string,
  edit: EditObject,
): JsonObject | undefined {
  const before = value[name];
  const after = editList(before, edit);
  if (after === before || after === undefined) return value;
  return isList(after) && after.length === 0 ? undefined : { ...value, [name]: after };
}

/** The edits that give the assistant's turns of `messages` back what `give` makes of their thinking. */
export function editTurns<Thought>(
  messages: JsonValue | undefined,
  turns: readonly (readonly Thought[])[],
  give: (message: JsonObject, thoughts: readonly Thought[]) => JsonObject,
): Readonly<Record<string, JsonValue | undefined>> {
  let turn = 0;
  const edited = editList(messages, (message) => {
    const thoughts = message['role'] === 'assistant' ? (turns[turn++] ?? []) : [];
    return thoughts.length === 0 ? message : give(message, thoughts);
  });
  return edited === messages ? {} : { messages: edited };
}
