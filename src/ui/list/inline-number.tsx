/**
 * Priority and weight: click or Enter edits, Enter saves, Esc reverts, a bad value stays open with
 * its message.
 */
import { Tooltip } from '@mantine/core';
import { useRef, useState } from 'react';
import classes from './inline-number.module.css';

interface InlineNumberProps {
  readonly value: number;
  readonly label: string;
  /** The message for a text that cannot be saved, or undefined. */
  readonly check: (text: string) => string | undefined;
  readonly onSave: (value: number) => Promise<unknown>;
  /** Shown instead of the number while a tag's channels differ. */
  readonly shown?: string;
  /** How the number looks while it is not edited. */
  readonly format?: (value: number) => string;
  /** Fractions are allowed. */
  readonly decimal?: boolean;
}

export function InlineNumber({
  value,
  label,
  check,
  onSave,
  shown,
  format = String,
  decimal = false,
}: InlineNumberProps) {
  const [text, setText] = useState<string>();
  const [saving, setSaving] = useState(false);
  // An empty field is no mistake until somebody wants to save it.
  const [tried, setTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const face = useRef<HTMLButtonElement>(null);
  const problem = text === undefined ? undefined : check(text);

  const finish = () => {
    setText(undefined);
    setTried(false);
    requestAnimationFrame(() => face.current?.focus());
  };
  const save = async (returnFocus: boolean) => {
    if (text === undefined || saving) return;
    setTried(true);
    if (problem !== undefined) return field.current?.focus();
    if (shown === undefined && Number(text) === value)
      return returnFocus ? finish() : setText(undefined);
    setSaving(true);
    try {
      await onSave(Number(text));
      if (returnFocus) finish();
      else setText(undefined);
    } catch {
      field.current?.focus();
    } finally {
      setSaving(false);
    }
  };
  if (text === undefined) {
    return (
      <button
        ref={face}
        type="button"
        className={classes.face}
        aria-label={`${label}: ${shown ?? format(value)}`}
        onClick={(event) => {
          event.stopPropagation();
          setText(shown === undefined ? String(value) : '');
        }}
      >
        {shown ?? format(value)}
      </button>
    );
  }
  return (
    <Tooltip label={problem ?? ''} opened={problem !== undefined && (tried || text !== '')}>
      <input
        ref={field}
        className={classes.field}
        // biome-ignore lint/a11y/noAutofocus: the reader just asked to edit this very number
        autoFocus
        inputMode={decimal ? 'decimal' : 'numeric'}
        aria-label={label}
        aria-invalid={problem !== undefined}
        value={text}
        readOnly={saving}
        onFocus={(event) => event.currentTarget.select()}
        onClick={(event) => event.stopPropagation()}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => void (text === '' ? setText(undefined) : save(false))}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') void save(true);
          if (event.key === 'Escape') finish();
        }}
      />
    </Tooltip>
  );
}
