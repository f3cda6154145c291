/** What can be done with the messages of a conversation; the object stays the same. */
import { useCallback, useMemo, useRef } from 'react';
import { useMoney } from '../../../hooks/use-money.ts';
import type { Choices } from '../choices.ts';
import type { ChatStore } from './chat-store.ts';
import { roughCost, tokensOf } from './estimate.ts';
import type { ChatMessage } from './message.ts';
import type { MessageActions } from './message-actions.ts';

export function useActions(
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
