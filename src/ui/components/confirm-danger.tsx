/** A dangerous dialog names things and effects; its button repeats verb and count (docs/rules/console.md#drawers). */
import { Button, Group, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useReturnFocus } from '../hooks/use-return-focus.ts';
import { translate } from '../i18n/index.ts';

export interface DangerQuestion {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly onConfirm: () => void;
  /** Not destructive, only unwise: the button is not red. */
  readonly mild?: boolean;
  readonly onCancel?: () => void;
  readonly cancel?: string;
}

/** Every way out of the dialog but the confirming button is a cancel: Escape and a click beside it, too. */
export function confirmDanger(question: DangerQuestion): void {
  let isConfirmed = false;
  const id = modals.open({
    title: question.title,
    size: 440,
    role: 'alertdialog',
    withCloseButton: false,
    onClose: () => (isConfirmed ? question.onConfirm() : question.onCancel?.()),
    children: (
      <Question
        {...question}
        onCancel={() => modals.close(id)}
        onConfirm={() => {
          isConfirmed = true;
          modals.close(id);
        }}
      />
    ),
  });
}

function Question({ text, confirm, onConfirm, mild = false, onCancel, cancel }: DangerQuestion & { onCancel: () => void }) {
  useReturnFocus();
  return (
    <>
      <Text size="sm" c="var(--tp-ink2)" mb={20}>
        {text}
      </Text>
      <Group justify="flex-end" gap={8}>
        <Button variant="default" data-autofocus onClick={onCancel}>
          {cancel ?? translate('common.cancel')}
        </Button>
        <Button {...(mild ? {} : { 'data-tone': 'danger' })} onClick={onConfirm}>
          {confirm}
        </Button>
      </Group>
    </>
  );
}
