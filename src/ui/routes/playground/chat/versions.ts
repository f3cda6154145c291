/** Answers that were made again keep their earlier versions, each with what followed it. */
import type { AnswerVersion, Chat, ChatMessage } from './message.ts';

/** All versions of an answer, the oldest first; the shown one is followed by `after`. */
function versionsOf(shown: ChatMessage, after: readonly ChatMessage[]): readonly AnswerVersion[] {
  const { others = [], ...answer } = shown;
  return [...others, { answer, after }].sort((a, b) => a.answer.createAt - b.answer.createAt);
}

/** Which version is shown, from 1, and how many there are. */
export function placeOf({ others = [], createAt }: ChatMessage): {
  readonly place: number;
  readonly count: number;
} {
  const older = others.filter(({ answer }) => answer.createAt < createAt).length;
  return { place: older + 1, count: others.length + 1 };
}

/** The versions that a new answer has beside it. */
export function earlierVersions(
  messages: readonly ChatMessage[],
  id: string,
): readonly AnswerVersion[] {
  const at = messages.findIndex((message) => message.id === id);
  const shown = messages[at];
  return shown === undefined || shown.role !== 'assistant'
    ? []
    : versionsOf(shown, messages.slice(at + 1));
}

/** The conversation with another version of an answer. `place` is from 1. */
export function showVersion(chat: Chat, id: string, place: number): Chat {
  const at = chat.messages.findIndex((message) => message.id === id);
  const all = at === -1 ? [] : earlierVersions(chat.messages, id);
  const wanted = all[place - 1];
  if (wanted === undefined) return chat;
  const others = all.filter((version) => version !== wanted);
  return {
    ...chat,
    messages: [...chat.messages.slice(0, at), { ...wanted.answer, others }, ...wanted.after],
  };
}

/** The messages with changed fields of one of them, wherever it is. */
export function editMessages(
  messages: readonly ChatMessage[],
  id: string,
  fields: Partial<ChatMessage>,
): readonly ChatMessage[] {
  const at = messages.findLastIndex((message) => message.id === id);
  const found = messages[at];
  if (found !== undefined) return messages.with(at, { ...found, ...fields });
  if (messages.every(({ others }) => others === undefined)) return messages;
  return messages.map((message) => {
    if (message.others === undefined) return message;
    const others = message.others.map((version) => {
      const [answer = version.answer] = editMessages([version.answer], id, fields);
      const after = editMessages(version.after, id, fields);
      return answer === version.answer && after === version.after ? version : { answer, after };
    });
    return others.every((version, index) => version === message.others?.[index])
      ? message
      : { ...message, others };
  });
}

/** Every message of a conversation, those of versions that are not shown as well. */
export function* everyMessage(messages: readonly ChatMessage[]): Generator<ChatMessage> {
  for (const message of messages) {
    yield message;
    for (const { answer, after } of message.others ?? []) yield* everyMessage([answer, ...after]);
  }
}
