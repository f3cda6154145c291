import { ActionIcon, Kbd, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';

/** How long a search waits after the last key, ms. */
const debounceMs = 300;

interface SearchFieldProps {
  readonly value: string;
  readonly onSearch: (value: string) => void;
  readonly placeholder: string;
  readonly label?: string | undefined;
  readonly width?: number | undefined;
  /** `/` focuses it. One per page. */
  readonly primary?: boolean;
}

/**
 * Searches by itself, but not while an input method composes (docs/rules/console.md#search-field).
 */
export function SearchField({
  value,
  onSearch,
  placeholder,
  label,
  width = 248,
  primary = true,
}: SearchFieldProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const composing = useRef(false);
  const timer = useRef<number>(undefined);
  const sent = useRef(value);
  // The URL changed by another hand: back button, "clear all".
  useEffect(() => {
    if (value === sent.current) return;
    // What was typed before it is not searched for afterwards.
    window.clearTimeout(timer.current);
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useHotkeys(primary ? [['/', () => field.current?.focus()]] : []);

  const send = (next: string) => {
    window.clearTimeout(timer.current);
    if (next === sent.current) return;
    sent.current = next;
    onSearch(next);
  };
  const later = (next: string) => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => send(next.trim()), debounceMs);
  };
  return (
    <TextInput
      ref={field}
      type="text"
      role="searchbox"
      w={{ base: '100%', xs: width }}
      style={{ flex: 'none' }}
      aria-label={label ?? placeholder}
      placeholder={placeholder}
      value={text}
      leftSection={primary ? <Search size={15} strokeWidth={1.75} /> : undefined}
      rightSection={
        text !== '' ? (
          <ActionIcon
            size={22}
            aria-label={t('common.clear')}
            onClick={() => {
              setText('');
              send('');
              field.current?.focus();
            }}
          >
            <X size={14} />
          </ActionIcon>
        ) : primary ? (
          <Kbd size="xs" visibleFrom="xs" aria-hidden="true">
            /
          </Kbd>
        ) : undefined
      }
      onChange={(event) => {
        setText(event.currentTarget.value);
        if (!composing.current) later(event.currentTarget.value);
      }}
      onCompositionStart={() => {
        composing.current = true;
      }}
      onCompositionEnd={(event) => {
        composing.current = false;
        later(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') send(text.trim());
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
    />
  );
}
