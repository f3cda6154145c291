import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useTranslation } from '../i18n/index.ts';
import { useCopy } from './use-copy.tsx';

/** A dim 14 px icon that turns into a tick for 1.2 s and is announced. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useTranslation();
  const { copy, copied } = useCopy();
  return (
    <>
      <ActionIcon
        size={24}
        aria-label={label ?? t('common.copy')}
        onClick={() => void copy(text)}
        style={{ color: 'var(--tp-dim)' }}
      >
        {copied ? <Check size={14} color="var(--tp-ok-text)" /> : <Copy size={14} />}
      </ActionIcon>
      <VisuallyHidden role="status">{copied ? t('common.copied') : ''}</VisuallyHidden>
    </>
  );
}
