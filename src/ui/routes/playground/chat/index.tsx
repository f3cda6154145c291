/** The chat playground (docs/rules/console.md#chat-playground). */

import { useDisclosure } from '@mantine/hooks';
import { Suspense, useEffect, useRef, useSyncExternalStore } from 'react';
import { latePart } from '../../../client/late-part.ts';
import { EmptyState, FailedState } from '../../../components/states.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { type Choices, useChoices, useLinkedModel } from '../choices.ts';
import { PlaygroundFrame } from '../frame.tsx';
import type { Attachment } from './attachment.ts';
import classes from './chat.module.css';
import { ChatColumn } from './chat-column.tsx';
import { ChatMenu } from './chat-menu.tsx';
import type { ChatStore } from './chat-store.ts';
import { Composer } from './composer.tsx';
import { tokensOf } from './estimate.ts';
import { roughTokens } from './message.ts';
import { loadMarkdown } from './message-view.tsx';
import { ChatSettingsForm, isLength } from './settings.tsx';
import { useBeside, useChats } from './use-chats.ts';

const CompareColumns = latePart(async () => ({
  default: (await import('./compare-columns.tsx')).CompareColumns,
}));

const never = () => () => undefined;

function useIsBusy(store: ChatStore | undefined): boolean {
  return useSyncExternalStore(store?.subscribe ?? never, () => store?.state().isBusy ?? false);
}

/** A new conversation is new for both models; an earlier one that is opened was of one. */
function useSameChat(
  id: string,
  length: number,
  beside: ChatStore | undefined,
  close: () => void,
): void {
  const shown = useRef(id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another conversation counts
  useEffect(() => {
    if (shown.current === id) return;
    shown.current = id;
    if (length === 0) beside?.start();
    else if (beside !== undefined) close();
  }, [id]);
}

export function ChatPlayground() {
  const { t } = useTranslation();
  const { store, chat, chats, settings, isBusy } = useChats();
  const choices = useChoices('chat', settings);
  useLinkedModel(choices.groups, (wanted) => store.setSettings(wanted));
  const [opened, sheet] = useDisclosure(false);
  const { messages } = chat;
  const { model, group } = choices;
  const { beside, compare, close } = useBeside(store);
  const besideBusy = useIsBusy(beside?.store);
  useSameChat(chat.id, messages.length, beside?.store, close);
  // What the panel shows is what is sent, also before anything was chosen.
  const choose = () => store.setSettings({ model: model?.model ?? '', group: group?.name ?? '' });
  const send = (text: string, attachments: readonly Attachment[]) => {
    if (!isLength(settings.maxTokens, model)) {
      sheet.open();
      return false;
    }
    choose();
    store.send(text, attachments);
    beside?.store.setSettings({ ...store.state().settings, model: beside.model });
    beside?.store.send(text, attachments);
    return true;
  };
  return (
    <PlaygroundFrame
      title={t('playground.title')}
      choices={choices}
      actions={<ChatMenu {...{ store, chats, chat }} />}
      settings={
        <ChatSettingsForm
          choices={choices}
          settings={settings}
          messages={messages}
          spent={chat.spent}
          beside={beside?.model}
          onCompare={(name) => (name === '' ? close() : compare(name))}
          onChange={(change) => store.setSettings(change)}
        />
      }
      sheet={{ opened, ...sheet }}
    >
      {beside !== undefined && model !== undefined ? (
        <Suspense fallback={<div className={classes.scroller} />}>
          <CompareColumns
            {...{ store, choices, beside }}
            model={model.model}
            onChoose={sheet.open}
            onClose={close}
          />
        </Suspense>
      ) : (
        <ChatColumn
          {...{ store, choices }}
          onChoose={sheet.open}
          greeting={model !== undefined && <Greeting />}
        />
      )}
      <div className={classes.dock}>
        {model === undefined ? (
          <NoModel choices={choices} />
        ) : (
          <Composer
            store={store}
            model={model}
            isFirst={messages.length === 0}
            isBusy={isBusy || besideBusy}
            context={messages.length === 0 ? 0 : roughTokens(settings.system) + tokensOf(messages)}
            onWrite={() => void loadMarkdown()}
            onSend={send}
            onStop={() => {
              store.stop();
              beside?.store.stop();
            }}
          />
        )}
      </div>
    </PlaygroundFrame>
  );
}

function Greeting() {
  const { t } = useTranslation();
  return (
    <div className={classes.greeting}>
      <h2>{t('playground.greeting')}</h2>
      <p>{t('playground.greeting.text')}</p>
    </div>
  );
}

function NoModel({
  choices: { isLoading, error, retry, group, isElsewhere },
}: {
  choices: Choices;
}) {
  const { t } = useTranslation();
  if (error !== null)
    return <FailedState title={t('playground.failed')} error={error} onRetry={retry} />;
  if (isLoading) return null;
  return (
    <EmptyState
      title={t('playground.noModel')}
      text={
        t('playground.noModel.text', { group: group?.name ?? '' }) +
        (isElsewhere ? t('playground.noModel.other') : '')
      }
    />
  );
}
