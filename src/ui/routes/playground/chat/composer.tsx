/**
 * Where the reader writes. Enter sends, except while an input method composes; Shift and Enter make
 * a new line.
 */
import { Button, Textarea } from '@mantine/core';
import { ArrowUp, Camera, Paperclip, Square } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { IconButton } from '../../../components/icon-button.tsx';
import { useKeptDraft } from '../../../form/kept-draft.ts';
import { usePhone } from '../../../hooks/use-phone.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { PromptsButton } from '../prompts/prompts-button.tsx';
import type { Attachment } from './attachment.ts';
import { AttachmentList } from './attachment-list.tsx';
import attachmentClasses from './attachments.module.css';
import classes from './chat.module.css';
import type { ChatStore } from './chat-store.ts';
import { useAttachments } from './use-attachments.ts';

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
  readonly store: ChatStore;
  readonly model: { readonly model: string; readonly reads: readonly string[] };
  readonly isFirst: boolean;
  readonly isBusy: boolean;
  /** Rough tokens of the conversation. */
  readonly context: number;
  /** The reader has begun to write. */
  readonly onWrite: () => void;
  /** False: it cannot be sent now, and stays. */
  readonly onSend: (text: string, attachments: readonly Attachment[]) => boolean;
  readonly onStop: () => void;
}

export function Composer(props: ComposerProps) {
  const { store, model, isFirst, isBusy, context, onWrite, onSend, onStop } = props;
  const { t } = useTranslation();
  const phone = usePhone();
  const [kept = '', keep] = useKeptDraft<string>('prompt');
  const [text, setText] = useState(kept);
  keep(text);
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useAttachments(store, model.model, model.reads);
  const isEmpty = text.trim() === '' && files.attachments.length === 0;
  const canSend = !isEmpty && !isBusy && files.areReady;
  const send = () => {
    if (!canSend || !onSend(text, files.attachments)) return;
    setText('');
    files.clear();
    field.current?.focus();
  };
  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onPaste={(event) => {
        const pasted = [...event.clipboardData.files];
        if (pasted.length === 0) return;
        event.preventDefault();
        files.add(pasted);
      }}
    >
      {files.isOver && (
        <div className={attachmentClasses.over} role="status">
          {t('playground.attach.drop')}
        </div>
      )}
      {files.attachments.length > 0 && (
        <AttachmentList attachments={files.attachments} onRemove={files.remove} />
      )}
      <Textarea
        ref={field}
        variant="unstyled"
        dir={text === '' ? undefined : 'auto'}
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
      {files.problem !== undefined && (
        <p className={attachmentClasses.problem} role="alert">
          {files.problem}
        </p>
      )}
      <div className={classes.composerFoot}>
        <div className={attachmentClasses.buttons}>
          <FileButton label={t('playground.attach')} onFiles={files.add} isBusy={files.isReading}>
            <Paperclip size={16} strokeWidth={1.75} />
          </FileButton>
          {phone && (
            <FileButton label={t('playground.attach.camera')} onFiles={files.add} camera>
              <Camera size={16} strokeWidth={1.75} />
            </FileButton>
          )}
          <PromptsButton
            text={text}
            onChange={(next) => {
              setText(next);
              onWrite();
              // The dialog gives the focus back first.
              requestAnimationFrame(() => field.current?.focus());
            }}
          />
          <span className={classes.context}>
            {context > 0 &&
              t(phone ? 'playground.stat.tokens.about' : 'playground.context', {
                tokens: context.toLocaleString('en-US'),
              })}
          </span>
        </div>
        {isBusy ? (
          <Button
            variant="default"
            leftSection={<Square size={12} fill="currentColor" />}
            // The second click of a double click on "Send" stops nothing.
            onClick={({ detail }) => detail < 2 && onStop()}
          >
            {t('playground.stop')}
          </Button>
        ) : (
          <Button type="submit" leftSection={<ArrowUp size={14} />} disabled={!canSend}>
            {t('playground.send')}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Asks for files; `camera`: for a photograph. */
function FileButton({
  label,
  camera = false,
  isBusy = false,
  onFiles,
  children,
}: {
  readonly label: string;
  readonly camera?: boolean;
  readonly isBusy?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}) {
  const field = useRef<HTMLInputElement>(null);
  const phone = usePhone();
  return (
    <>
      <input
        ref={field}
        type="file"
        className={attachmentClasses.input}
        aria-label={label}
        multiple={!camera}
        {...(camera && { accept: 'image/*', capture: 'environment' })}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = ''; // the same file can be chosen again
        }}
      />
      <IconButton
        type="button"
        size={phone ? 44 : 32}
        label={label}
        aria-busy={isBusy}
        onClick={() => field.current?.click()}
      >
        {children}
      </IconButton>
    </>
  );
}
