/**
 * Top-up orders with their states and sums of what was paid. Administrators see those of all users.
 */
import { Button } from '@mantine/core';
import { Wallet } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { TopUpRecordEntity } from '../../../../core/contract/top-up.ts';
import { topUpStatuses } from '../../../../core/vocabulary/statuses.ts';
import { storageKeys } from '../../../browser/local-storage.ts';
import { useIsAdmin } from '../../../client/session.ts';
import { usePhone } from '../../../hooks/use-phone.ts';
import { useTranslation } from '../../../i18n/index.ts';
import type { ListFilter } from '../../../list/filters.ts';
import { ListScreen } from '../../../list/list-screen.tsx';
import { anySpans } from '../../../list/time-range.ts';
import { useRefreshWallet } from '../../../queries/use-invalidate.ts';
import { yuan } from '../yuan.ts';
import classes from './history.module.css';
import { ReturnedOrder } from './returned-order.tsx';
import { useTopUpActions } from './top-up-actions.ts';
import { useTopUpColumns } from './top-up-columns.tsx';
import { type Income, useTopUps } from './use-top-ups.ts';

const RefundDialog = lazy(async () => ({
  default: (await import('./refund-dialog.tsx')).RefundDialog,
}));

function useFilters(): readonly ListFilter<'q' | 'status' | 'time' | 'user' | 'mine'>[] {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const forAdmins: ReturnType<typeof useFilters> = [
    {
      kind: 'text',
      name: 'user',
      label: t('topup.filter.user'),
      hint: t('topup.filter.user.hint'),
    },
    { kind: 'switch', name: 'mine', label: t('topup.filter.mine') },
  ];
  return [
    {
      kind: 'search',
      name: 'q',
      label: t('topup.filter.order'),
      placeholder: t('topup.filter.order'),
      width: 240,
    },
    { kind: 'time', name: 'time', label: t('topup.filter.time'), spans: anySpans },
    {
      kind: 'menu',
      name: 'status',
      label: t('topup.filter.status'),
      always: true,
      options: [
        { value: '', label: t('common.all') },
        ...topUpStatuses.map((value) => ({ value, label: t(`status.topUp.${value}`) })),
      ],
    },
    ...(admin ? forAdmins : []),
  ];
}

export function TopUpHistoryScreen() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const phone = usePhone();
  const { list, income } = useTopUps();
  const columns = useTopUpColumns();
  const [refunded, setRefunded] = useState<TopUpRecordEntity>();
  const rowActions = useTopUpActions(setRefunded);
  const filters = useFilters();
  const refresh = useRefreshWallet();
  const toWallet = (
    <Button
      component={Link}
      to="/topup"
      variant="default"
      leftSection={<Wallet size={16} strokeWidth={1.75} />}
    >
      {t('topup.records.wallet')}
    </Button>
  );
  return (
    <ListScreen
      list={list}
      title={t('topup.records.title')}
      subtitle={t(admin ? 'topup.records.subtitle.admin' : 'topup.records.subtitle')}
      actions={
        phone ? (
          toWallet
        ) : (
          <>
            <IncomeSummary income={income} own={!admin} />
            {toWallet}
          </>
        )
      }
      note={
        <>
          {phone && <IncomeSummary income={income} own={!admin} />}
          <ReturnedOrder />
          {refunded !== undefined && (
            <Suspense>
              <RefundDialog order={refunded} onClose={() => setRefunded(undefined)} />
            </Suspense>
          )}
        </>
      }
      filters={filters}
      onRefresh={refresh}
      nameOf={(order) => order.trade_no}
      columns={columns}
      columnsKey={storageKeys.topUpColumns}
      rowState={({ status }) => (status === 'failed' ? 'dimmed' : undefined)}
      rowActions={rowActions}
      texts={{ failed: t('topup.records.failed'), noMatch: t('topup.records.noMatch') }}
      empty={{
        title: t('topup.records.empty'),
        text: t('topup.records.empty.text'),
        action: (
          <Button component={Link} to="/topup">
            {t('topup.records.empty.action')}
          </Button>
        ),
      }}
    />
  );
}

function IncomeSummary({
  income,
  own,
}: {
  readonly income: Income | undefined;
  readonly own: boolean;
}) {
  const { t } = useTranslation();
  return (
    <dl className={classes.income} aria-label={t(own ? 'topup.income.own' : 'topup.income')}>
      {(['today', 'month', 'year'] as const).map((span) => (
        <div key={span}>
          <dt>{t(`topup.income.${span}`)}</dt>
          <dd>{income === undefined ? '—' : yuan(income[span])}</dd>
        </div>
      ))}
    </dl>
  );
}
