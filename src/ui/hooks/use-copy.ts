/** Copies to the clipboard. When the browser refuses, a dialog shows the text, selected. */
import { Textarea } from '@mantine/core';
import { modals } from '@mantine/modals';
import { createElement, type FocusEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** How long the tick stays, ms (docs/rules/console.md#copying-text). */
const shownMs = 1200;

export function useCopy() {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const copy = useCallback(
    async (text: string): Promise<boolean> => {
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        showForCopying(text, t('common.copy.refused'), t('common.copy.refused.hint'));
        return false;
      }
      setCopied(true);
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => setCopied(false), shownMs);
      return true;
    },
    [t],
  );
  return { copy, copied };
}

function showForCopying(text: string, title: string, hint: string): void {
  modals.open({
    title,
    children: createElement(Textarea, {
      value: text,
      readOnly: true,
      autosize: true,
      minRows: 2,
      maxRows: 8,
      description: hint,
      'aria-label': title,
      autoFocus: true,
      onFocus: (event: FocusEvent<HTMLTextAreaElement>) => event.currentTarget.select(),
      styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)' } },
    }),
  });
}
