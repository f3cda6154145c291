/** One message: a bubble of the reader, or an answer with what it took and cost. */

import { Button, Group, Textarea } from '@mantine/core';
import { ChevronRight, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { memo, Suspense, useState } from 'react';
import { latePart } from '../../../client/late-part.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { ModelLogo } from '../../../components/provider-logo.tsx';
import { useMoney } from '../../../hooks/use-money.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { ErrorBox } from '../error-box.tsx';
import { AttachmentList } from './attachment-list.tsx';
import classes from './chat.module.css';
import { sends } from './composer.tsx';
import { MessageTools } from './in-sight.tsx';
import { type ChatMessage, isOpen, splitThinking } from './message.ts';
import type { MessageActions } from './message-actions.ts';
import { figuresSoFar, finalFigures } from './message-figures.ts';
import { Versions } from './versions-switch.tsx';

/** Loads what draws answers: it is there before the first one comes. */
export const loadMarkdown = () => import('./markdown.tsx');
const Markdown = latePart(async () => ({ default: (await loadMarkdown()).Markdown }));

interface MessageProps {
  readonly message: ChatMessage;
  readonly actions: MessageActions;
}

/** Drawn anew only when the message itself changes: long conversations stay quick. */
export const MessageView = memo(function MessageView(props: MessageProps) {
  return props.message.role === 'user' ? <Own {...props} /> : <Answer {...props} />;
});

function Own({ message, actions }: MessageProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<string>();
  const { attachments = [] } = message;
  const isEmpty = draft?.trim() === '' && attachments.length === 0;
  const send = () => {
    if (draft === undefined || isEmpty) return;
    setDraft(undefined);
    actions.onResend(message.id, draft);
  };
  if (draft !== undefined)
    return (
      <article className={classes.own} data-editing aria-label={t('playground.you')}>
        <Textarea
          data-autofocus
          autoFocus
          dir="auto"
          aria-label={t('playground.edit')}
          description={t('playground.edit.hint')}
          autosize
          minRows={2}
          maxRows={12}
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setDraft(undefined);
            if (!sends(event)) return;
            event.preventDefault();
            send();
          }}
        />
        <Group gap={8} justify="flex-end" mt={8}>
          <Button variant="default" size="xs" onClick={() => setDraft(undefined)}>
            {t('common.cancel')}
          </Button>
          <Button size="xs" disabled={isEmpty} onClick={send}>
            {t('playground.edit.send')}
          </Button>
        </Group>
      </article>
    );
  return (
    <article className={classes.own} aria-label={t('playground.you')}>
      {attachments.length > 0 && <AttachmentList attachments={attachments} />}
      {message.content.trim() !== '' && (
        <div className={classes.bubble} dir="auto">
          {message.content}
        </div>
      )}
      <MessageTools>
        <CopyButton text={message.content} label={t('playground.copy')} />
        <IconButton
          size={24}
          label={t('playground.edit')}
          onClick={() => setDraft(message.content)}
        >
          <Pencil size={14} />
        </IconButton>
        <Remove {...{ message, actions }} />
      </MessageTools>
    </article>
  );
}

function Answer({ message, actions }: MessageProps) {
  const { t } = useTranslation();
  const { model = '', error } = message;
  const { thinking, answer } = splitThinking(message.content);
  const reasoning = message.reasoning || thinking;
  const open = isOpen(message);
  return (
    <article
      className={classes.answer}
      aria-label={t('playground.answer', { model })}
      aria-busy={open}
    >
      <span className={classes.logo}>
        <ModelLogo model={model} size={18} />
      </span>
      <div className={classes.body}>
        {reasoning !== '' && (
          <details className={classes.reasoning}>
            <summary>
              <ChevronRight size={14} aria-hidden="true" />
              {t(open && answer === '' ? 'playground.reasoning.running' : 'playground.reasoning')}
            </summary>
            <div dir="auto">{reasoning}</div>
          </details>
        )}
        {answer !== '' && (
          <div className={classes.text} data-running={open || undefined}>
            <Suspense
              fallback={
                <p className={classes.plain} dir="auto">
                  {answer}
                </p>
              }
            >
              <Markdown text={answer} />
            </Suspense>
          </div>
        )}
        {open && answer === '' && <span className={classes.cursor} aria-hidden="true" />}
        {error !== undefined && (
          <ErrorBox
            error={error}
            onRetry={() => actions.onRegenerate(message.id)}
            onChoose={actions.onChoose}
          />
        )}
        <div className={classes.foot}>
          <Figures message={message} estimate={actions.estimate} />
          {!open && (
            <MessageTools>
              {message.others !== undefined && <Versions {...{ message, actions }} />}
              {answer !== '' && <CopyButton text={answer} label={t('playground.copy')} />}
              {error === undefined && (
                <IconButton
                  size={24}
                  label={t('playground.regenerate')}
                  onClick={() => actions.onRegenerate(message.id)}
                >
                  <RotateCcw size={14} />
                </IconButton>
              )}
              <Remove {...{ message, actions }} />
            </MessageTools>
          )}
        </div>
      </div>
    </article>
  );
}

function Remove({ message, actions }: MessageProps) {
  const { t } = useTranslation();
  return (
    <IconButton
      size={24}
      label={t('playground.delete')}
      onClick={() => actions.onRemove(message.id)}
    >
      <Trash2 size={14} />
    </IconButton>
  );
}

/**
 * While text comes: state, first token, tokens, speed, cost so far. Afterwards: time, tokens,
 * charge.
 */
function Figures({
  message,
  estimate,
}: { message: ChatMessage } & Pick<MessageActions, 'estimate'>) {
  const { t } = useTranslation();
  const money = useMoney();
  const figures = isOpen(message)
    ? figuresSoFar(message, estimate, t, money.cost)
    : finalFigures(message, t, money.cost);
  return (
    <div className={classes.figures} data-figures={message.status}>
      {figures.map((text) => (
        <span key={text}>{text}</span>
      ))}
    </div>
  );
}
