/**
 * Top-up orders with their states and sums of what was paid. Administrators see those of all users.
 */
import { Button } from '@mantine/core';
import { CircleCheck, CircleX, Clock, Wallet } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { TopUpRecordEntity } from '../../../../core/contract/top-up.ts';
import { topUpFilters } from '../../../../core/entities/top-up-filters.ts';
import { topUpStatuses } from '../../../../core/vocabulary/statuses.ts';
import { storageKeys } from '../../../browser/local-storage.ts';
import { latePart } from '../../../client/late-part.ts';
import { useIsAdmin } from '../../../client/session.ts';
import { usePhone } from '../../../hooks/use-phone.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { useFilterBar } from '../../../list/declared-filters.ts';
import { ListScreen } from '../../../list/list-screen.tsx';
import { anySpans } from '../../../list/time-range.ts';
import { useRefreshWallet } from '../../../queries/use-invalidate.ts';
import { useOrderState } from '../../../queries/use-order-state.ts';
import { yuan } from '../yuan.ts';
import classes from './history.module.css';
import { useTopUpActions } from './top-up-actions.ts';
import { useTopUpColumns } from './top-up-columns.tsx';
import { type Income, useTopUps } from './use-top-ups.ts';

/**
 * Most notices arrive within seconds; after this time, in ms, the page says that it may take
 * longer.
 */
const patience = 60_000;

/**
 * The order that the gateway names in the address. Its other parameters are a copy of the notice,
 * which only the server verifies; they are removed from the address.
 */
function useReturnedOrder(): string {
  const [parameters, setParameters] = useSearchParams();
  const [order] = useState(() => parameters.get('out_trade_no') ?? '');
  useEffect(() => {
    if (order !== '') setParameters({}, { replace: true });
  }, [order, setParameters]);
  return order;
}

function ReturnedOrder() {
  const { t } = useTranslation();
  const order = useReturnedOrder();
  const { state, unknown } = useOrderState(order);
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, []);
  if (order === '' || unknown) return null;
  if (state === 'SUCCESS')
    return (
      <p className={classes.returned} data-tone="ok" role="status">
        <CircleCheck size={16} strokeWidth={1.75} aria-hidden="true" />{' '}
        {t('topup.returned.paid', { order })}
      </p>
    );
  if (state === 'CLOSED' || state === 'REFUND')
    return (
      <p className={classes.returned} data-tone="off" role="status">
        <CircleX size={16} strokeWidth={1.75} aria-hidden="true" />{' '}
        {state === 'REFUND' ? t('topup.refunded') : t('topup.returned.closed', { order })}
      </p>
    );
  return (
    <p className={classes.returned} data-tone="blu" role="status">
      <Clock size={16} strokeWidth={1.75} aria-hidden="true" />{' '}
      {t(late ? 'topup.returned.late' : 'topup.returned.waiting', { order })}
    </p>
  );
}

const RefundDialog = latePart(async () => ({
  default: (await import('./refund-dialog.tsx')).RefundDialog,
}));

function useFilters() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const filters = useFilterBar(topUpFilters, anySpans, {
    order: { kind: 'search', width: 240 },
    status: {
      always: true,
      options: topUpStatuses.map((value) => ({ value, label: t(`status.topUp.${value}`) })),
    },
    user: { hint: t('topup.filter.user.hint') },
  });
  const mine = { kind: 'switch', name: 'mine', label: t('topup.filter.mine') } as const;
  return admin ? [...filters, mine] : filters;
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
