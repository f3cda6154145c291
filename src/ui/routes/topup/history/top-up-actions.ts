/**
 * What can be done with an order: ask whether it is paid, open its receipt, or, as an administrator,
 * complete it by hand or refund it.
 */

import { useMutation } from '@tanstack/react-query';
import { CircleCheck, ReceiptText, RefreshCw, Undo2 } from 'lucide-react';
import { useNavigate } from 'react-router';
import type { TopUpRecordEntity } from '../../../../core/contract/top-up.ts';
import { client } from '../../../client/api.ts';
import { toastSuccess } from '../../../client/failures.ts';
import { useIsAdmin, useUser } from '../../../client/session.ts';
import { useMoney } from '../../../hooks/use-money.ts';
import { useTranslation } from '../../../i18n/index.ts';
import type { RowAction } from '../../../list/row-actions.tsx';
import { useRefreshWallet } from '../../../queries/use-invalidate.ts';
import { yuan } from '../yuan.ts';

type Order = TopUpRecordEntity;

const results = {
  SUCCESS: 'topup.paid',
  NOTPAY: 'topup.check.pending',
  CLOSED: 'topup.check.closed',
  REFUND: 'topup.refunded',
} as const;

export function useTopUpActions(onRefund: (order: Order) => void): readonly RowAction<Order>[] {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const user = useUser();
  const { total } = useMoney();
  const refresh = useRefreshWallet();
  const navigate = useNavigate();
  const check = useMutation({
    mutationFn: async ({ trade_no }: Order) => (await client.topUp.state({ trade_no })).status,
    onSuccess: (state) => {
      toastSuccess(t(results[state]));
    },
    onSettled: refresh,
  });
  const complete = useMutation({
    mutationFn: ({ trade_no }: Order) => client.topUp.complete({ trade_no }),
    onSuccess: ({ trade_no }) => toastSuccess(t('topup.complete.done', { order: trade_no })),
    onSettled: refresh,
  });
  const isOwn = (order: Order) => order.user_id === undefined || order.user_id === user?.id;
  const actions: RowAction<Order>[] = [
    {
      key: 'check',
      label: t('topup.check'),
      icon: RefreshCw,
      prominent: true,
      when: (order) => order.status === 'pending' && isOwn(order),
      busy: (order) => check.isPending && check.variables.trade_no === order.trade_no,
      onAct: (order) => check.mutate(order),
    },
  ];
  const receipt: RowAction<Order> = {
    key: 'receipt',
    label: t('topup.receipt'),
    icon: ReceiptText,
    when: ({ status }) => status === 'success',
    onAct: ({ trade_no: order }) =>
      void navigate(`/topup/receipt?${new URLSearchParams({ order })}`),
  };
  if (!admin) return [...actions, { ...receipt, prominent: true }];
  return [
    ...actions,
    {
      key: 'complete',
      label: t('topup.complete'),
      icon: CircleCheck,
      prominent: true,
      // A closed order may have been paid all the same.
      when: ({ status }) => status !== 'success',
      busy: (order) => complete.isPending && complete.variables.trade_no === order.trade_no,
      confirm: ({ trade_no, username = '', quota, money }) => ({
        title: t('topup.complete.title', { order: trade_no }),
        text: t('topup.complete.text', {
          user: username,
          amount: total(quota).text,
          money: yuan(money),
        }),
        confirm: t('topup.complete.confirm', { amount: total(quota).text }),
        mild: true,
      }),
      onAct: (order) => complete.mutate(order),
    },
    receipt,
    {
      key: 'refund',
      label: t('topup.refund'),
      icon: Undo2,
      danger: true,
      when: ({ status, money, refunded }) => status === 'success' && refunded < money,
      onAct: onRefund,
    },
  ];
}
