/** Removes the second factors of a user who has lost them (docs/rules/accounts.md#lost-factors). */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { UserEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { useUser } from '../../client/session.ts';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { isAllowed } from './allowed.ts';

export function ResetFactors({ user }: { readonly user: UserEntity }) {
  const { t } = useTranslation();
  const actor = useUser();
  const reset = useMutation({
    mutationFn: () => client.secondFactor.reset({ id: user.id }),
    onSuccess: () => toastSuccess(t('user.factors.done', { name: user.username })),
  });
  if (actor?.id === user.id || !isAllowed('update', actor, user)) return null;
  const ask = () =>
    confirmDanger({
      title: t('user.factors.title', { name: user.username }),
      text: t('user.factors.text'),
      confirm: t('user.factors.reset'),
      onConfirm: () => reset.mutate(),
    });
  return (
    <Button
      variant="default"
      mt={16}
      style={{ alignSelf: 'flex-start' }}
      loading={reset.isPending}
      onClick={ask}
    >
      {t('user.factors.reset')}
    </Button>
  );
}
