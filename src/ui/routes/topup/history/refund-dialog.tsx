/** Pays an order back, in part or in full (docs/rules/payments.md#refunds). */
import { Button, Checkbox, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { TopUpRecordEntity } from '../../../../core/contract/top-up.ts';
import { formatPaid } from '../../../../core/pricing/format-sums.ts';
import { paymentMethods } from '../../../../core/vocabulary/payment-methods.ts';
import { client } from '../../../client/api.ts';
import { toastSuccess } from '../../../client/failures.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { FormFailure } from '../../../components/form-failure.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { useRefreshWallet } from '../../../queries/use-invalidate.ts';
import { yuan } from '../yuan.ts';

export function RefundDialog({
  order,
  onClose,
}: {
  readonly order: TopUpRecordEntity;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const refresh = useRefreshWallet();
  const known = paymentMethods.some(({ id }) => id === order.payment_method);
  const [money, setMoney] = useState(formatPaid(order.money - order.refunded));
  const [reason, setReason] = useState('');
  const [noted, setNoted] = useState(!known);
  const refund = useMutation({
    meta: { quiet: true },
    mutationFn: () =>
      client.topUp.refund({
        trade_no: order.trade_no,
        money,
        // A refund whose reply was lost is not paid again.
        refunded: formatPaid(order.refunded),
        reason,
        noted,
      }),
    onSuccess: () => {
      toastSuccess(t('topup.refund.done', { order: order.trade_no }));
      onClose();
    },
    onSettled: refresh,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    refund.mutate();
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      size={440}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      title={t('topup.refund.title', { order: order.trade_no })}
    >
      <form onSubmit={submit} noValidate>
        <TextInput
          label={t('topup.refund.money')}
          description={t('topup.refund.hint', {
            user: order.username ?? '',
            money: yuan(order.money),
            refunded: yuan(order.refunded),
          })}
          inputMode="decimal"
          value={money}
          onChange={({ currentTarget }) => setMoney(currentTarget.value)}
          data-autofocus
        />
        <TextInput
          mt={16}
          label={t('topup.refund.reason')}
          maxLength={80}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <Checkbox
          mt={16}
          label={t('topup.refund.noted')}
          description={t('topup.refund.noted.hint')}
          checked={noted}
          disabled={!known}
          onChange={({ currentTarget }) => setNoted(currentTarget.checked)}
        />
        <FormFailure error={refund.error} />
        <Group justify="flex-end" gap={8} mt={20}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" data-tone="danger" loading={refund.isPending}>
            {t('topup.refund')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
