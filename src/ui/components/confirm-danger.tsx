/**
 * A dangerous dialog names things and effects; its button repeats verb and count
 * (docs/rules/console.md#drawers).
 */
import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { translate } from '../i18n/index.ts';
import { openDialog } from './dialogs.ts';

export interface DangerQuestion {
  readonly title: string;
  readonly text: ReactNode;
  readonly confirm: string;
  readonly onConfirm: () => void;
  /** Not destructive, only unwise: the button is not red. */
  readonly mild?: boolean;
  /** Cancelled by its button, by Escape or by a click beside the dialog. */
  readonly onCancel?: () => void;
  readonly cancel?: string;
}

export function confirmDanger(question: DangerQuestion): void {
  openDialog({
    title: question.title,
    role: 'alertdialog',
    size: 440,
    withCloseButton: false,
    content: (close) => <Question {...question} onClose={close} />,
    onDismiss: question.onCancel,
  });
}

function Question({
  text,
  confirm,
  onConfirm,
  mild = false,
  onCancel,
  cancel,
  onClose,
}: DangerQuestion & { onClose: () => void }) {
  return (
    <>
      <Text size="sm" c="var(--tp-ink2)" mb={20}>
        {text}
      </Text>
      <Group justify="flex-end" gap={8}>
        <Button
          variant="default"
          data-autofocus
          onClick={() => {
            onClose();
            onCancel?.();
          }}
        >
          {cancel ?? translate('common.cancel')}
        </Button>
        <Button
          {...(mild ? {} : { 'data-tone': 'danger' })}
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {confirm}
        </Button>
      </Group>
    </>
  );
}
