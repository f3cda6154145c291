/** Opens the kept prompts beside a field for one (docs/rules/console.md#kept-items). */
import { useDisclosure } from '@mantine/hooks';
import { BookMarked } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { IconButton } from '../../../components/icon-button.tsx';
import { usePhone } from '../../../hooks/use-phone.ts';
import { loadTextPart, useTranslation } from '../../../i18n/index.ts';

const PromptsDialog = lazy(async () => {
  await loadTextPart('prompts');
  return { default: (await import('./prompts-dialog.tsx')).PromptsDialog };
});

interface PromptsButtonProps {
  /** What the field holds. */
  readonly text: string;
  readonly onChange: (text: string) => void;
}

export function PromptsButton({ text, onChange }: PromptsButtonProps) {
  const { t } = useTranslation();
  const phone = usePhone();
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <IconButton
        type="button"
        size={phone ? 44 : 32}
        label={t('playground.prompts')}
        onClick={open}
      >
        <BookMarked size={16} strokeWidth={1.75} />
      </IconButton>
      {opened && (
        <Suspense fallback={null}>
          <PromptsDialog
            draft={text.trim()}
            onInsert={(kept) => {
              // What was written stays.
              onChange(text.trim() === '' ? kept : `${text.trimEnd()}\n${kept}`);
              close();
            }}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}
