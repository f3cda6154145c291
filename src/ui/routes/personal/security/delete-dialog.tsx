/** Asks for the user name before the account is deleted. */
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { UserEntity } from '../../../../core/contract/entities.ts';
import { client } from '../../../client/api.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { FormFailure } from '../../../components/form-failure.tsx';
import { useMoney } from '../../../hooks/use-money.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { leaveAccount } from '../../../queries/leave-account.ts';

interface DeleteDialogProps {
  readonly self: Pick<UserEntity, 'username' | 'quota'>;
  readonly onClose: () => void;
}

export function DeleteDialog({ self, onClose }: DeleteDialogProps) {
  const { t } = useTranslation();
  const { total } = useMoney();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const remove = useMutation({
    meta: { quiet: true },
    mutationFn: () => client.self.remove(),
    onSuccess: () => leaveAccount(t('security.delete.done')),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== self.username) return setProblem(t('security.delete.differs'));
    remove.mutate();
  };
  return (
    <Dialog
      opened
      closeButtonProps={{ 'aria-label': t('common.close') }}
      onClose={onClose}
      size={440}
      title={t('security.delete.title')}
    >
      <form onSubmit={submit} noValidate>
        <Text size="sm" c="var(--tp-ink2)" mb={16}>
          {t('security.delete.text')}
          {self.quota > 0 && ` ${t('security.delete.balance', { amount: total(self.quota).text })}`}
        </Text>
        <TextInput
          label={t('security.delete.type', { name: self.username })}
          error={problem}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setProblem(undefined);
          }}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <FormFailure error={remove.error} />
        <Group justify="flex-end" gap={8} mt={20}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" data-tone="danger" loading={remove.isPending}>
            {t('security.delete.confirm')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
