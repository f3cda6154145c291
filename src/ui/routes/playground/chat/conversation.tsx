/** The messages of a conversation. While an answer comes, only that one is drawn anew. */
import { memo, useRef } from 'react';
import classes from './chat.module.css';
import { MessageGroup } from './in-sight.tsx';
import type { ChatMessage } from './message.ts';
import type { MessageActions } from './message-actions.ts';
import { MessageView } from './message-view.tsx';

interface ConversationProps {
  readonly messages: readonly ChatMessage[];
  /** The answer that is coming, as it is now; it is the last message. */
  readonly live: ChatMessage | undefined;
  readonly actions: MessageActions;
}

export function Conversation({ messages, live, actions }: ConversationProps) {
  const isLive = live !== undefined && messages.at(-1)?.id === live.id;
  return (
    <>
      <Settled messages={messages} without={isLive ? live.id : undefined} actions={actions} />
      {isLive && <MessageView message={live} actions={actions} />}
    </>
  );
}

/** Messages that are drawn or left out together. */
const groupSize = 10;

/**
 * In a box of their own: what grows below it has none of them laid out again. And in groups: for
 * each frame the browser looks whether one is in sight, which for 200 messages took more than the
 * text.
 */
const Settled = memo(function Settled({
  messages,
  without,
  actions,
}: Pick<ConversationProps, 'messages' | 'actions'> & { without: string | undefined }) {
  const places = useRef(new Map<string, number>());
  const settled = messages.filter(({ id }) => id !== without);
  if (settled.length === 0) return null;
  const groups = [...groupsOf(settled, places.current)];
  const last = groups.at(-1)?.[0];
  return (
    <div className={classes.settled}>
      {groups.map(([place, group]) => (
        <MessageGroup key={place} isLast={place === last}>
          {group.map((message) => (
            <MessageView key={message.id} message={message} actions={actions} />
          ))}
        </MessageGroup>
      ))}
    </div>
  );
});

/** `places` keeps each message in its group when another goes: what is typed in it stays. */
function groupsOf(
  messages: readonly ChatMessage[],
  places: Map<string, number>,
): ReadonlyMap<number, readonly ChatMessage[]> {
  const groups = new Map<number, ChatMessage[]>();
  let last = 0;
  for (const message of messages) {
    const isFull = groups.get(last)?.length === groupSize;
    last = Math.max(last, places.get(message.id) ?? (isFull ? last + 1 : last));
    places.set(message.id, last);
    groups.set(last, [...(groups.get(last) ?? []), message]);
  }
  return groups;
}
