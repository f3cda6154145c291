/**
 * What became of the order with which a payer comes back from Epay's payment page
 * (docs/rules/payments.md#epay).
 */
import { CircleCheck, CircleX, Clock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useTranslation } from '../../../i18n/index.ts';
import { useOrderState } from '../../../queries/use-order-state.ts';
import classes from './history.module.css';

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

export function ReturnedOrder() {
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
