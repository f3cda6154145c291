/** The sheet itself. Its sums are those of the order; nothing is computed here. */
import type { ReceiptEntity } from '../../../../core/contract/top-up.ts';
import { methodWord } from '../../../components/posting-detail.tsx';
import { useMoney } from '../../../hooks/use-money.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { yuan } from '../yuan.ts';
import classes from './receipt.module.css';

export function Paper({ receipt }: { readonly receipt: ReceiptEntity }) {
  const { t } = useTranslation();
  const { total } = useMoney();
  const { order, username, payer_name: name, payer_address: address } = receipt;
  const payer = [
    [t('receipt.payer'), name || username],
    [t('receipt.account'), name === '' ? '' : username],
    [t('receipt.address'), address],
    [t('receipt.taxNumber'), receipt.payer_tax_number],
  ] as const;
  const payment = [
    [t('receipt.receivedBy'), receipt.site_name],
    [t('receipt.order'), order.trade_no],
    [
      t('receipt.paidOn'),
      t('receipt.zone', { time: order.finish_time_str, zone: receipt.time_zone }),
    ],
    [t('receipt.method'), methodWord(t, order.payment_method)],
  ] as const;
  return (
    <article className={classes.paper} aria-label={`${t('receipt.title')} ${order.trade_no}`}>
      <div className={classes.head}>
        <b>{receipt.site_name}</b>
        <span>{t('receipt.title')}</span>
      </div>
      <Facts rows={payment} />
      <Facts rows={payer} />
      <table className={classes.sums}>
        <thead>
          <tr>
            <th scope="col">{t('receipt.item')}</th>
            <th scope="col">{t('receipt.amount')}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>{t('receipt.quota', { quota: total(order.quota).text })}</td>
            <td>{yuan(order.money)}</td>
          </tr>
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('receipt.paid')}</th>
            <td>{yuan(order.money)}</td>
          </tr>
          {order.refunded > 0 && (
            <tr>
              <th scope="row">{t('receipt.refunded')}</th>
              <td>{yuan(order.refunded)}</td>
            </tr>
          )}
        </tfoot>
      </table>
      <p className={classes.note}>{t('receipt.note')}</p>
    </article>
  );
}

/** What is not known is left out. */
function Facts({ rows }: { readonly rows: readonly (readonly [string, string])[] }) {
  return (
    <dl className={classes.facts}>
      {rows
        .filter(([, value]) => value !== '')
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
