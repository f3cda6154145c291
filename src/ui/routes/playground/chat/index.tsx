/** The chat playground (docs/rules/console.md#chat-playground). */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ArrowDown } from 'lucide-react';
import { useCallback, useMemo, useRef } from 'react';
import { EmptyState, FailedState } from '../../../components/states.tsx';
import { useMoney } from '../../../hooks/use-money.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { type Choices, useChoices, useLinkedModel } from '../choices.ts';
import { PlaygroundFrame } from '../frame.tsx';
import classes from './chat.module.css';
import { ChatMenu } from './chat-menu.tsx';
import { Composer } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import { roughCost, tokensOf } from './estimate.ts';
import { type ChatMessage, roughTokens } from './message.ts';
import type { MessageActions } from './message-actions.ts';
import { loadMarkdown } from './message-view.tsx';
import { ChatSettingsForm, isLength } from './settings.tsx';
import { useChats } from './use-chats.ts';
import { useFollowEnd } from './use-follow-end.ts';

export function ChatPlayground() {
  const { t } = useTranslation();
  const { store, chat, chats, settings, isBusy, live } = useChats();
  const choices = useChoices('chat', settings);
  useLinkedModel(choices.groups, (wanted) => store.setSettings(wanted));
  const [opened, sheet] = useDisclosure(false);
  const { scroller, content, isAway, toEnd } = useFollowEnd();
  const estimate = useEstimate(choices, chat.messages);
  const { messages } = chat;
  const { model, group } = choices;
  // What the panel shows is what is sent, also before anything was chosen.
  const choose = () => store.setSettings({ model: model?.model ?? '', group: group?.name ?? '' });
  const actions = useMemo<MessageActions>(
    () => ({
      onRegenerate: (id) => store.regenerate(id),
      onResend: (id, text) => store.resend(id, text),
      onVersion: (id, place) => store.showVersion(id, place),
      onRemove: (id) => store.remove(id),
      onChoose: sheet.open,
      estimate,
    }),
    [store, sheet.open, estimate],
  );
  return (
    <PlaygroundFrame
      title={t('playground.title')}
      choices={choices}
      actions={<ChatMenu {...{ store, chats, chat }} />}
      settings={
        <ChatSettingsForm
          choices={choices}
          settings={settings}
          spent={chat.spent}
          onChange={(change) => store.setSettings(change)}
        />
      }
      sheet={{ opened, ...sheet }}
    >
      <div ref={scroller} className={classes.scroller}>
        <div ref={content} className={classes.column}>
          {messages.length === 0 && model !== undefined && (
            <div className={classes.greeting}>
              <h2>{t('playground.greeting')}</h2>
              <p>{t('playground.greeting.text')}</p>
            </div>
          )}
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
      <div className={classes.dock}>
        {model === undefined ? (
          <NoModel choices={choices} />
        ) : (
          <Composer
            store={store}
            model={model}
            isFirst={messages.length === 0}
            isBusy={isBusy}
            context={messages.length === 0 ? 0 : roughTokens(settings.system) + tokensOf(messages)}
            onWrite={() => void loadMarkdown()}
            onSend={(text, attachments) => {
              if (!isLength(settings.maxTokens, model)) {
                sheet.open();
                return false;
              }
              choose();
              store.send(text, attachments);
              toEnd();
              return true;
            }}
            onStop={() => store.stop()}
          />
        )}
      </div>
    </PlaygroundFrame>
  );
}

function NoModel({ choices: { isLoading, error, retry, group } }: { choices: Choices }) {
  const { t } = useTranslation();
  if (error !== null)
    return <FailedState title={t('playground.failed')} error={error} onRetry={retry} />;
  if (isLoading) return null;
  return (
    <EmptyState
      title={t('playground.noModel')}
      text={t('playground.noModel.text', { group: group?.name ?? '' })}
    />
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
