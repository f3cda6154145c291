/** A conversation that scrolls, and the way back to its end. */
import { Button } from '@mantine/core';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from '../../../i18n/index.ts';
import type { Choices } from '../choices.ts';
import classes from './chat.module.css';
import type { ChatStore } from './chat-store.ts';
import { Conversation } from './conversation.tsx';
import { useActions } from './use-actions.ts';
import { useFollowEnd } from './use-follow-end.ts';

export interface ChatColumnProps {
  readonly store: ChatStore;
  readonly choices: Choices;
  readonly onChoose: () => void;
  /** Shown before the first message. */
  readonly greeting?: ReactNode;
}

export function ChatColumn({ store, choices, onChoose, greeting }: ChatColumnProps) {
  const { t } = useTranslation();
  const { chat, live } = useSyncExternalStore(store.subscribe, store.state);
  const { scroller, content, isAway, toEnd } = useFollowEnd();
  const { messages } = chat;
  const actions = useActions(store, choices, messages, onChoose);
  const count = useRef(messages.length);
  useEffect(() => {
    // What the reader has just sent is seen.
    if (messages.length > count.current) toEnd();
    count.current = messages.length;
  }, [messages.length, toEnd]);
  return (
    <>
      <div ref={scroller} className={classes.scroller}>
        <div ref={content} className={classes.column}>
          {messages.length === 0 && greeting}
          <Conversation {...{ messages, live, actions }} />
        </div>
      </div>
      {isAway && (
        <Button
          className={classes.toEnd}
          variant="default"
          size="xs"
          leftSection={<ArrowDown size={14} />}
          onClick={toEnd}
        >
          {t('playground.toEnd')}
        </Button>
      )}
    </>
  );
}
