/** Opens the kept prompts beside a field for one (docs/rules/console.md#kept-items). */

import { BookMarked } from 'lucide-react';
import { Suspense } from 'react';
import { latePart } from '../../../client/late-part.ts';
import { openDialog } from '../../../components/dialogs.ts';
import { IconButton } from '../../../components/icon-button.tsx';
import { usePhone } from '../../../hooks/use-phone.ts';
import { useTranslation } from '../../../i18n/index.ts';

const Prompts = latePart(async () => ({ default: (await import('./prompts.tsx')).Prompts }));

interface PromptsButtonProps {
  /** What the field holds. */
  readonly text: string;
  readonly onChange: (text: string) => void;
}

export function PromptsButton({ text, onChange }: PromptsButtonProps) {
  const { t } = useTranslation();
  const phone = usePhone();
  // Not drawn inside the form around the button: what is saved there would place an order.
  const open = () =>
    openDialog({
      title: t('playground.prompts'),
      role: 'dialog',
      size: 640,
      withCloseButton: true,
      content: (close) => (
        <Suspense fallback={null}>
          <Prompts
            draft={text.trim()}
            onInsert={(kept) => {
              close();
              // What was written stays.
              onChange(text.trim() === '' ? kept : `${text.trimEnd()}\n${kept}`);
            }}
          />
        </Suspense>
      ),
    });
  return (
    <IconButton type="button" size={phone ? 44 : 32} label={t('playground.prompts')} onClick={open}>
      <BookMarked size={16} strokeWidth={1.75} />
    </IconButton>
  );
}
