/**
 * Where the reader writes. Enter sends, except while an input method composes; Shift and Enter make
 * a new line.
 */
import { Button, Textarea } from '@mantine/core';
import { ArrowUp, Square } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { usePhone } from '../../../hooks/use-phone.ts';
import { useTranslation } from '../../../i18n/index.ts';
import classes from './chat.module.css';

/**
 * Whether the key press means "send". Chrome reports the Enter that ends a composition as key code
 * 229.
 */
export function sends(event: KeyboardEvent<HTMLElement>): boolean {
  return (
    event.key === 'Enter' &&
    !event.shiftKey &&
    !event.nativeEvent.isComposing &&
    event.keyCode !== 229
  );
}

interface ComposerProps {
  readonly isFirst: boolean;
  readonly isBusy: boolean;
  /** Rough tokens of the conversation. */
  readonly context: number;
  /** The reader has begun to write. */
  readonly onWrite: () => void;
  readonly onSend: (text: string) => void;
  readonly onStop: () => void;
}

export function Composer({ isFirst, isBusy, context, onWrite, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation();
  const phone = usePhone();
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const isEmpty = text.trim() === '';
  const send = () => {
    if (isEmpty || isBusy) return;
    onSend(text);
    setText('');
    field.current?.focus();
  };
  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        ref={field}
        variant="unstyled"
        aria-label={t('playground.input')}
        placeholder={t(
          phone
            ? 'playground.input.phone'
            : isFirst
              ? 'playground.input.first'
              : 'playground.input.next',
        )}
        autosize
        minRows={1}
        maxRows={8}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          onWrite();
        }}
        onKeyDown={(event) => {
          if (!sends(event)) return;
          event.preventDefault();
          send();
        }}
      />
      <div className={classes.composerFoot}>
        <span>
          {context > 0 && t('playground.context', { tokens: context.toLocaleString('en-US') })}
        </span>
        {isBusy ? (
          <Button
            variant="default"
            leftSection={<Square size={12} fill="currentColor" />}
            onClick={onStop}
          >
            {t('playground.stop')}
          </Button>
        ) : (
          <Button type="submit" leftSection={<ArrowUp size={14} />} disabled={isEmpty}>
            {t('playground.send')}
          </Button>
        )}
      </div>
    </form>
  );
}
