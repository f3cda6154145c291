/**
 * One conversation that two tabs have changed: what either of them wrote is in what is stored
 * (docs/rules/console.md#chat-playground).
 */
import { type Chat, type ChatMessage, isOpen } from './message.ts';
import { everyMessage } from './versions.ts';

/** Further along, of the same message in two tabs. */
function further(own: ChatMessage, other: ChatMessage): ChatMessage {
  const isFresher =
    (own.ended === 'left' && other.ended !== 'left' && !isOpen(other)) ||
    (own.quota === undefined && other.quota !== undefined);
  // Which versions are beside it is what this tab shows.
  return isFresher ? { ...other, ...(own.others && { others: own.others }) } : own;
}

/**
 * `own` with what `other` has beyond it. `seen`: messages that this tab has known; what of them is
 * not in `own` was deleted here. `live`: the answer that is coming here.
 */
export function joinChats(
  own: Chat,
  other: Chat,
  seen: ReadonlySet<string>,
  live: string | undefined,
): Chat {
  const theirs = new Map([...everyMessage(other.messages)].map((message) => [message.id, message]));
  const ours = new Map([...everyMessage(own.messages)].map((message) => [message.id, message]));
  const messages = own.messages.map((message) => {
    const same = theirs.get(message.id);
    return same === undefined || message.id === live ? message : further(message, same);
  });
  other.messages.forEach((message, at) => {
    if (ours.has(message.id) || seen.has(message.id)) return;
    const before = messages.findIndex(({ id }) => id === other.messages[at - 1]?.id);
    // An answer that was made again there: its earlier version still stands here.
    const others = message.others?.filter(({ answer }) => !ours.has(answer.id)) ?? [];
    const { others: _, ...added } = message;
    messages.splice(before === -1 ? messages.length : before + 1, 0, {
      ...added,
      ...(others.length > 0 && { others }),
    });
  });
  const isSame =
    messages.length === own.messages.length &&
    messages.every((message, at) => message === own.messages[at]);
  if (isSame) return own;
  const charged = [...theirs.values()].reduce((sum, { id, quota = 0 }) => {
    const isNew = ours.has(id) ? ours.get(id)?.quota === undefined : !seen.has(id);
    return isNew ? sum + quota : sum;
  }, 0);
  const { kept: _, ...changed } = own;
  return {
    ...changed,
    messages,
    changedAt: Math.max(own.changedAt, other.changedAt),
    spent: Math.max(own.spent + charged, other.spent),
  };
}
