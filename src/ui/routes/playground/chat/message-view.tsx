/** One message: a bubble of the reader, or an answer with what it took and cost. */
import { Button, Group, Textarea } from '@mantine/core';
import { ChevronRight, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { lazy, memo, Suspense, useState } from 'react';
import { CopyButton } from '../../../components/copy-button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { ModelLogo } from '../../../components/provider-logo.tsx';
import { useMoney } from '../../../hooks/use-money.ts';
import { type Translate, useTranslation } from '../../../i18n/index.ts';
import { ErrorBox } from '../error-box.tsx';
import classes from './chat.module.css';
import { sends } from './composer.tsx';
import { type ChatMessage, isOpen, roughTokens, splitThinking } from './message.ts';

/** Loads what draws answers: it is there before the first one comes. */
export const loadMarkdown = () => import('./markdown.tsx');
const Markdown = lazy(async () => ({ default: (await loadMarkdown()).Markdown }));

export interface MessageActions {
  readonly onRegenerate: (id: string) => void;
  readonly onResend: (id: string, text: string) => void;
  readonly onRemove: (id: string) => void;
  readonly onChoose: () => void;
  /**
   * What an answer of so many tokens costs about, in quota; undefined: its model has no price here.
   */
  readonly estimate: (message: ChatMessage, output: number) => number | undefined;
}

interface MessageProps {
  readonly message: ChatMessage;
  /** Another answer is coming: nothing can be sent now. */
  readonly isBusy: boolean;
  readonly actions: MessageActions;
}

/** Drawn anew only when the message itself changes: long conversations stay quick. */
export const MessageView = memo(function MessageView(props: MessageProps) {
  return props.message.role === 'user' ? <Own {...props} /> : <Answer {...props} />;
});

function Own({ message, isBusy, actions }: MessageProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<string>();
  const send = () => {
    if (draft === undefined || draft.trim() === '' || isBusy) return;
    setDraft(undefined);
    actions.onResend(message.id, draft);
  };
  if (draft !== undefined)
    return (
      <article className={classes.own} data-editing aria-label={t('playground.you')}>
        <Textarea
          data-autofocus
          autoFocus
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
          <Button size="xs" disabled={isBusy || draft.trim() === ''} onClick={send}>
            {t('playground.edit.send')}
          </Button>
        </Group>
      </article>
    );
  return (
    <article className={classes.own} aria-label={t('playground.you')}>
      <div className={classes.bubble}>{message.content}</div>
      <div className={classes.tools}>
        <CopyButton text={message.content} label={t('playground.copy')} />
        <IconButton
          size={24}
          label={t('playground.edit')}
          disabled={isBusy}
          onClick={() => setDraft(message.content)}
        >
          <Pencil size={14} />
        </IconButton>
        <Remove {...{ message, isBusy, actions }} />
      </div>
    </article>
  );
}

function Answer({ message, isBusy, actions }: MessageProps) {
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
            <div>{reasoning}</div>
          </details>
        )}
        {answer !== '' && (
          <div className={classes.text} data-running={open || undefined}>
            <Suspense fallback={<p className={classes.plain}>{answer}</p>}>
              <Markdown text={answer} />
            </Suspense>
          </div>
        )}
        {open && answer === '' && <span className={classes.cursor} aria-hidden="true" />}
        {error !== undefined && (
          <ErrorBox
            error={error}
            onRetry={isBusy ? undefined : () => actions.onRegenerate(message.id)}
            onChoose={actions.onChoose}
          />
        )}
        <div className={classes.foot}>
          <Figures message={message} estimate={actions.estimate} />
          {!open && (
            <div className={classes.tools}>
              {answer !== '' && <CopyButton text={answer} label={t('playground.copy')} />}
              {error === undefined && (
                <IconButton
                  size={24}
                  label={t('playground.regenerate')}
                  disabled={isBusy}
                  onClick={() => actions.onRegenerate(message.id)}
                >
                  <RotateCcw size={14} />
                </IconButton>
              )}
              <Remove {...{ message, isBusy, actions }} />
            </div>
          )}
        </div>
      </div>
    </article>
  );
}

function Remove({ message, isBusy, actions }: MessageProps) {
  const { t } = useTranslation();
  return (
    <IconButton
      size={24}
      label={t('playground.delete')}
      disabled={isBusy}
      onClick={() => actions.onRemove(message.id)}
    >
      <Trash2 size={14} />
    </IconButton>
  );
}

const seconds = (ms: number) => (ms / 1000).toFixed(ms < 10_000 ? 2 : 1);

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

type Cost = ReturnType<typeof useMoney>['cost'];

function figuresSoFar(
  message: ChatMessage,
  estimate: MessageActions['estimate'],
  t: Translate,
  cost: Cost,
): readonly string[] {
  const { status, firstMs, createAt, content, reasoning } = message;
  if (status === 'loading' || firstMs === undefined) return [t('playground.state.loading')];
  const tokens = roughTokens(content) + roughTokens(reasoning);
  const since = (Date.now() - createAt - firstMs) / 1000;
  const about = estimate(message, tokens);
  return [
    t('playground.state.running'),
    t('playground.stat.first', { time: seconds(firstMs) }),
    t('playground.stat.tokens.about', { tokens: tokens.toLocaleString('en-US') }),
    ...(since < 0.5 ? [] : [t('playground.stat.speed', { speed: Math.round(tokens / since) })]),
    ...(about === undefined ? [] : [`≈ ${cost(about).text}`]),
  ];
}

function finalFigures(
  { ended, totalMs, outputTokens, quota }: ChatMessage,
  t: Translate,
  cost: Cost,
): readonly string[] {
  return [
    ...(ended === undefined
      ? []
      : [t(ended === 'left' ? 'playground.state.left' : 'playground.state.stopped')]),
    ...(totalMs === undefined ? [] : [t('playground.stat.time', { time: seconds(totalMs) })]),
    ...(outputTokens === undefined
      ? []
      : [t('playground.stat.tokens', { tokens: outputTokens.toLocaleString('en-US') })]),
    ...(quota === undefined ? [] : [t('playground.stat.cost', { cost: cost(quota).text })]),
  ];
}
