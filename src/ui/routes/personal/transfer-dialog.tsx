/** Moves invite earnings to the balance (docs/rules/accounts.md#invite-transfer). */
import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { CallError } from '../../../core/contract/envelope.ts';
import { client } from '../../client/api.ts';
import { failureText, leaveWhenExpired, toastSuccess } from '../../client/failures.ts';
import { Dialog } from '../../components/dialog.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { TotalText } from '../../components/money-text.tsx';
import { QuickPicks } from '../../form/quick-picks.tsx';
import { QuotaField } from '../../form/quota-field.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useRefreshSelf } from '../../queries/use-invalidate.ts';
import classes from './profile.module.css';

interface TransferDialogProps {
  /** Quota. */
  readonly available: number;
  /** The least that can be moved, quota. */
  readonly minimum: number;
  readonly onClose: () => void;
}

/** The refusals of the server that are about the amount. */
const amountCodes: readonly (string | undefined)[] = [
  'transfer_too_small',
  'invite_quota_insufficient',
  'balance_limit',
];
const isAboutAmount = (error: unknown) =>
  error instanceof CallError && amountCodes.includes(error.code);

export function TransferDialog({ available, minimum, onClose }: TransferDialogProps) {
  const { t } = useTranslation();
  const { total } = useMoney();
  const refresh = useRefreshSelf();
  const [amount, setAmount] = useState<number | ''>(available);
  const [problem, setProblem] = useState<string>();
  const transfer = useMutation({
    meta: { quiet: true },
    mutationFn: (quota: number) => client.self.transferInviteQuota({ quota }),
    onSuccess: async (_, quota) => {
      await refresh();
      toastSuccess(t('profile.transfer.done', { amount: total(quota).text }));
      onClose();
    },
    onError: async (error) => {
      if (leaveWhenExpired(error)) return;
      if (isAboutAmount(error)) setProblem(failureText(error));
      await refresh();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const quota = Number(amount);
    if (amount === '' || !Number.isSafeInteger(quota)) return setProblem(t('common.integer'));
    if (quota < minimum)
      return setProblem(t('profile.transfer.tooSmall', { amount: total(minimum).text }));
    if (quota > available)
      return setProblem(t('profile.transfer.tooMuch', { amount: total(available).text }));
    transfer.mutate(quota);
  };
  const write = (value: number | '') => {
    setAmount(value);
    setProblem(undefined);
  };
  return (
    <Dialog
      opened
      closeButtonProps={{ 'aria-label': t('common.close') }}
      onClose={onClose}
      size={400}
      title={t('profile.transfer.title')}
    >
      <form onSubmit={submit} noValidate>
        <p className={classes.available}>
          {t('profile.transfer.available')}{' '}
          <b>
            <TotalText quota={available} />
          </b>
        </p>
        <QuotaField
          label={t('profile.transfer.amount')}
          description={
            problem === undefined
              ? t('profile.transfer.least', { amount: total(minimum).text })
              : undefined
          }
          error={problem}
          value={amount}
          onChange={(value) => write(typeof value === 'number' ? value : '')}
          clampBehavior="none"
          data-autofocus
        />
        <QuickPicks
          label={t('profile.transfer.amount')}
          picks={[{ label: t('profile.transfer.all'), onPick: () => write(available) }]}
        />
        <FormFailure error={isAboutAmount(transfer.error) ? null : transfer.error} />
        <Group justify="flex-end" gap={8} mt={20}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={transfer.isPending}>
            {t('profile.transfer')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
