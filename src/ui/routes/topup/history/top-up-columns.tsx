import type { TopUpRecordEntity } from '../../../../core/contract/top-up.ts';
import { topUpTones } from '../../../../core/vocabulary/status-tones.ts';
import { topUpStatuses } from '../../../../core/vocabulary/statuses.ts';
import { useIsAdmin } from '../../../client/session.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { TotalText } from '../../../components/money-text.tsx';
import { methodWord } from '../../../components/posting-detail.tsx';
import { toneColours } from '../../../components/status-colours.ts';
import { StatusDot } from '../../../components/status-dot.tsx';
import { fullTime, minuteTime } from '../../../hooks/use-time-text.ts';
import { useTranslation } from '../../../i18n/index.ts';
import type { ScreenColumn } from '../../../list/columns.ts';
import { yuan } from '../yuan.ts';
import classes from './history.module.css';

/** A status that this release does not know is shown as failed. */
function OrderStatus({ order }: { readonly order: TopUpRecordEntity }) {
  const { t } = useTranslation();
  const status = topUpStatuses.find((name) => name === order.status) ?? 'failed';
  return (
    <StatusDot
      tone={toneColours[topUpTones[status]]}
      label={t(`status.topUp.${status}`)}
      detail={
        (order.refunded > 0 && t('topup.refund.part', { money: yuan(order.refunded) })) ||
        order.note ||
        undefined
      }
    />
  );
}

function OrderNumber({ order }: { readonly order: TopUpRecordEntity }) {
  const { t } = useTranslation();
  return (
    <span className={classes.order}>
      <code>{order.trade_no}</code>
      <CopyButton text={order.trade_no} label={t('topup.copyOrder', { order: order.trade_no })} />
    </span>
  );
}

function Time({ seconds }: { readonly seconds: number }) {
  if (seconds === 0) return <span className={classes.dim}>—</span>;
  return (
    <span className={classes.dim} title={fullTime(seconds)}>
      {minuteTime(seconds)}
    </span>
  );
}

export function useTopUpColumns(): readonly ScreenColumn<TopUpRecordEntity>[] {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const user: ScreenColumn<TopUpRecordEntity> = {
    key: 'user',
    label: t('topup.column.user'),
    card: { place: 'second' },
    render: ({ username, user_id }) => (
      <span className={classes.user} title={username}>
        {username === undefined || username === '' ? `#${user_id}` : username}
      </span>
    ),
  };
  const forAdmins: readonly ScreenColumn<TopUpRecordEntity>[] = [
    {
      key: 'provider',
      hidden: true,
      label: t('topup.column.provider'),
      render: ({ provider_trade_no = '' }) => <code>{provider_trade_no}</code>,
    },
    {
      key: 'note',
      hidden: true,
      label: t('topup.column.note'),
      render: ({ note = '' }) => (
        <span className={classes.note} title={note}>
          {note}
        </span>
      ),
    },
  ];
  return [
    {
      key: 'order',
      fixed: true,
      label: t('topup.column.order'),
      render: (order) => <OrderNumber order={order} />,
    },
    ...(admin ? [user] : []),
    {
      key: 'money',
      label: t('topup.column.money'),
      numeric: true,
      card: { place: 'figure' },
      render: ({ money }) => <b className={classes.money}>{yuan(money)}</b>,
    },
    {
      key: 'quota',
      label: t('topup.column.quota'),
      numeric: true,
      card: { place: 'figure' },
      render: ({ quota }) => <TotalText quota={quota} />,
    },
    {
      key: 'method',
      label: t('topup.column.method'),
      card: { place: 'figure' },
      render: ({ payment_method }) => methodWord(t, payment_method),
    },
    {
      key: 'status',
      label: t('topup.column.status'),
      card: { place: 'status' },
      render: (order) => <OrderStatus order={order} />,
    },
    {
      key: 'created',
      label: t('topup.column.created'),
      card: { place: 'figure' },
      render: ({ create_time }) => <Time seconds={create_time} />,
    },
    {
      key: 'finished',
      label: t('topup.column.finished'),
      render: ({ finish_time }) => <Time seconds={finish_time} />,
    },
    ...(admin ? forAdmins : []),
  ];
}
