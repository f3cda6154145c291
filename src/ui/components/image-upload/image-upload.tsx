/**
 * A field for one image: chosen, dropped or pasted, sent at once, shown, and removed again. Its
 * value is the image's path on this site. Screens that use it load the text part `upload`.
 */
import { Button, Input, Progress } from '@mantine/core';
import { ImageOff, ImagePlus, X } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { IconButton } from '../icon-button.tsx';
import { ShownFile } from '../shown-file.tsx';
import classes from './image-upload.module.css';
import { imageTypes, maxImageMegabytes, useImageUpload } from './use-image-upload.ts';

export interface ImageUploadProps {
  /** What the image is for. */
  readonly label: string;
  /** The image's address, also one elsewhere; '': none. */
  readonly value: string;
  readonly onChange: (url: string) => void;
  readonly description?: string | undefined;
  readonly error?: string | undefined;
  readonly required?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  /** Called when an image begins or ends to be sent, so that a form can wait for it. */
  readonly onBusy?: ((busy: boolean) => void) | undefined;
}

export function ImageUpload({
  label,
  value,
  onChange,
  description,
  error,
  required,
  disabled,
  onBusy,
}: ImageUploadProps) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const upload = useImageUpload(onChange);
  const isBusy = upload.progress !== undefined;
  useEffect(() => onBusy?.(isBusy), [isBusy, onBusy]);
  const shown = isBusy ? upload.preview : value;
  const choose = (file: File | undefined) => {
    if (!disabled) upload.choose(file);
  };
  const remove = () => {
    upload.clear();
    if (!isBusy && value !== '') onChange('');
    input.current?.focus();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    choose(event.dataTransfer.files[0]);
  };
  const paste = (event: ClipboardEvent) => {
    const [file] = event.clipboardData.files;
    if (file === undefined) return;
    event.preventDefault();
    choose(file);
  };
  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={description}
      error={error ?? upload.error}
      required={required}
      errorProps={{ role: 'alert' }}
    >
      <fieldset
        aria-label={label}
        className={classes.field}
        data-over={isOver || undefined}
        data-empty={!shown || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        onPaste={paste}
      >
        <input
          ref={input}
          id={id}
          type="file"
          accept={imageTypes.join(',')}
          className={classes.input}
          disabled={disabled}
          onChange={(event) => {
            choose(event.currentTarget.files?.[0]);
            event.currentTarget.value = ''; // the same file can be chosen again
          }}
        />
        {shown ? (
          <Preview address={shown} />
        ) : (
          <ImagePlus size={24} strokeWidth={1.5} aria-hidden="true" className={classes.icon} />
        )}
        <div className={classes.body}>
          {isBusy ? (
            <>
              <span className={classes.name}>{upload.name}</span>
              <Progress
                value={Math.round((upload.progress ?? 0) * 100)}
                size={6}
                aria-label={t('upload.sending', {
                  percent: Math.round((upload.progress ?? 0) * 100),
                })}
              />
            </>
          ) : (
            <>
              <Button
                variant="default"
                size="xs"
                disabled={disabled}
                onClick={() => input.current?.click()}
              >
                {t(value === '' ? 'upload.choose' : 'upload.replace')}
              </Button>
              {value === '' && (
                <span className={classes.hint}>
                  {t('upload.hint', { limit: maxImageMegabytes })}
                </span>
              )}
            </>
          )}
        </div>
        {shown && !disabled && (
          <IconButton
            type="button"
            label={t(isBusy ? 'upload.cancel' : 'upload.remove')}
            onClick={remove}
          >
            <X size={16} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        )}
      </fieldset>
    </Input.Wrapper>
  );
}

/**
 * The image; a sign where its address shows none, such as after it has expired. `address`: also of
 * a file on this computer.
 */
function Preview({ address }: { readonly address: string }) {
  const { t } = useTranslation();
  const sign = (
    <span
      className={classes.preview}
      role="img"
      aria-label={t('upload.broken')}
      title={t('upload.broken')}
    >
      <ImageOff size={20} strokeWidth={1.5} aria-hidden="true" />
    </span>
  );
  const picture = (src: string, onBroken?: () => void) => (
    <img className={classes.preview} src={src} alt={t('upload.preview')} onError={onBroken} />
  );
  if (address.startsWith('blob:')) return picture(address);
  return (
    <ShownFile key={address} address={address} kind="image" fallback={sign}>
      {picture}
    </ShownFile>
  );
}
