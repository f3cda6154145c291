/** Copies to the clipboard. When the browser refuses, a dialog shows the text, selected. */

import { useCallback, useEffect, useRef, useState } from 'react';
import { latePart } from '../client/late-part.ts';
import { useTranslation } from '../i18n/index.ts';
import { openDialog } from './dialogs.ts';

const TextToCopy = latePart(async () => ({
  default: (await import('./copy-dialog.tsx')).TextToCopy,
}));

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
  openDialog({
    title,
    role: 'dialog',
    size: 440,
    withCloseButton: true,
    content: () => <TextToCopy text={text} title={title} hint={hint} />,
  });
}
