import { formatCount } from '../../../core/pricing/format.ts';
import { Ticket } from '../../components/ticket.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import classes from './panel.module.css';
import { yuan } from './yuan.ts';

/** The server's reply, as `POST /api/user/amount` declares it. */
interface Sum {
  readonly data: string;
  readonly quota: number;
  readonly price: number;
  readonly group_ratio: number;
  readonly discount: number;
}

interface SumTicketProps {
  readonly amount: number | undefined;
  /** Undefined while it is not known. */
  readonly sum: Sum | undefined;
  readonly waits: boolean;
  readonly group: string;
}

/** What is credited, the factors of the price, and the sum to pay below the tear. */
export function SumTicket({ amount, sum, waits, group }: SumTicketProps) {
  const { t } = useTranslation();
  const { display, total } = useMoney();
  const isKnown = amount !== undefined && sum !== undefined;
  const credited = (quota: number) =>
    display.inCurrency
      ? t('topup.ticket.get.quota', { amount: total(quota).text, quota: formatCount(quota) })
      : formatCount(quota);
  const ratio = sum?.group_ratio ?? 1;
  return (
    <div className={classes.ticket} aria-busy={waits}>
      <Ticket
        label={t('topup.ticket')}
        foot={
          <div className={classes.total} role="status">
            <span>{t('topup.ticket.pay')}</span>
            <b data-stale={waits || undefined}>{isKnown ? yuan(Number(sum.data)) : '—'}</b>
          </div>
        }
      >
        <dl className={classes.lines}>
          <div>
            <dt>{t('topup.ticket.get')}</dt>
            <dd>{isKnown ? credited(sum.quota) : '—'}</dd>
          </div>
          <div>
            <dt>
              {ratio === 1 ? t('topup.ticket.price') : t('topup.ticket.priceGroup', { group })}
            </dt>
            <dd>{isKnown ? `${yuan(sum.price)}${ratio === 1 ? '' : ` × ${ratio}`}` : '—'}</dd>
          </div>
          {isKnown && sum.discount !== 1 && (
            <div>
              <dt>{t('topup.ticket.discount')}</dt>
              <dd>× {sum.discount}</dd>
            </div>
          )}
        </dl>
      </Ticket>
    </div>
  );
}
