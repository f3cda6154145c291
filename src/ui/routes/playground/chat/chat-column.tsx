/** A conversation that scrolls, and the way back to its end. */
import { Button } from '@mantine/core';
import { ArrowDown } from 'lucide-react';
import {
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useMoney } from '../../../hooks/use-money.ts';
import { useTranslation } from '../../../i18n/index.ts';
import type { Choices } from '../choices.ts';
import classes from './chat.module.css';
import type { ChatStore } from './chat-store.ts';
import { Conversation } from './conversation.tsx';
import { roughCost, tokensOf } from './estimate.ts';
import type { ChatMessage } from './message.ts';
import type { MessageActions } from './message-actions.ts';

/** Pixels from the end that still count as the end. */
const near = 48;

/** Keeps the end of a scrolling list in view while it grows, until the reader scrolls up. */
function useFollowEnd() {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [isAway, setAway] = useState(false);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    follows.current = true;
    setAway(false);
    element.scrollTop = element.scrollHeight;
  }, []);

  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (element === null || inner === null) return;
    let last = element.scrollTop;
    let height = element.scrollHeight;
    const distance = () => element.scrollHeight - element.scrollTop - element.clientHeight;
    const note = () => {
      last = element.scrollTop;
      height = element.scrollHeight;
      setAway(!follows.current && distance() > near);
    };
    const onScroll = () => {
      // Text that grows moves the end without scrolling, and text that shrinks scrolls up, which is
      // reported when it may have grown again: only the reader scrolls text that stays as it is.
      const isNear = distance() <= near;
      const isSame = element.scrollHeight === height;
      if (isNear && element.scrollTop > last) follows.current = true;
      else if (isSame && !isNear && element.scrollTop < last) follows.current = false;
      note();
    };
    const onWheel = ({ deltaY }: WheelEvent) => {
      if (deltaY < 0 && element.scrollHeight > element.clientHeight) follows.current = false;
    };
    const grown = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight;
      note();
    });
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: true });
    grown.observe(inner);
    grown.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', onWheel);
      grown.disconnect();
    };
  }, []);

  return { scroller, content, isAway, toEnd };
}

/** What can be done with the messages of a conversation; the object stays the same. */
function useActions(
  store: ChatStore,
  choices: Choices,
  messages: readonly ChatMessage[],
  onChoose: () => void,
): MessageActions {
  const estimate = useEstimate(choices, messages);
  return useMemo(
    () => ({
      onRegenerate: (id) => store.regenerate(id),
      onResend: (id, text) => store.resend(id, text),
      onVersion: (id, place) => store.showVersion(id, place),
      onRemove: (id) => store.remove(id),
      onChoose,
      estimate,
    }),
    [store, onChoose, estimate],
  );
}

/**
 * What an answer costs about, by the price of its model in its group. The function stays the same,
 * so that no message is drawn anew for it.
 */
function useEstimate(
  choices: Choices,
  messages: readonly ChatMessage[],
): MessageActions['estimate'] {
  const { quotaPerUnit } = useMoney();
  const now = useRef({ choices, messages, quotaPerUnit });
  now.current = { choices, messages, quotaPerUnit };
  return useCallback((message, output) => {
    const { models, groups } = now.current.choices;
    const price = models.find(({ model }) => model === message.model);
    const ratio = groups.find(({ name }) => name === message.group)?.ratio;
    if (price === undefined || ratio === undefined || price.unpriced) return undefined;
    const prompt = tokensOf(now.current.messages.slice(0, -1));
    return roughCost(price, ratio, { prompt, output, quotaPerUnit: now.current.quotaPerUnit });
  }, []);
}

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
