/** The messages of a conversation. While an answer comes, only that one is drawn anew. */
import { memo } from 'react';
import classes from './chat.module.css';
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

/** In a box of their own: what grows below it has none of them laid out again. */
const Settled = memo(function Settled({
  messages,
  without,
  actions,
}: Pick<ConversationProps, 'messages' | 'actions'> & { without: string | undefined }) {
  const settled = messages.filter(({ id }) => id !== without);
  if (settled.length === 0) return null;
  return (
    <div className={classes.settled}>
      {settled.map((message) => (
        <MessageView key={message.id} message={message} actions={actions} />
      ))}
    </div>
  );
});
