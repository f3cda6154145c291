/** Online top-up: amount, discount code, payment method, and a ticket with the sum to pay. */

import { formatCount } from '../../../core/pricing/format.ts';
import { offeredMethods } from '../../../core/vocabulary/payment-methods.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useStatus } from '../../queries/use-status.ts';
import classes from './panel.module.css';
import { TopUpForm } from './top-up-form.tsx';
import { yuan } from './yuan.ts';

export function TopUpPanel({ group }: { readonly group: string }) {
  const { t } = useTranslation();
  const { display, quotaPerUnit, total } = useMoney();
  const status = useStatus();
  const methods = status === undefined ? [] : offeredMethods(status);
  const price = status === undefined ? '' : yuan(status.price);
  return (
    <section aria-labelledby="top-up-title">
      <div className={classes.head}>
        <h2 id="top-up-title" className={classes.title}>
          {t('topup.online')}
        </h2>
        {methods.length > 0 && (
          <span className={classes.rate}>
            {display.inCurrency
              ? t('topup.rate', { price, unit: total(quotaPerUnit).text })
              : t('topup.rate.quota', { price, quota: formatCount(quotaPerUnit) })}
          </span>
        )}
      </div>
      {status !== undefined && methods.length === 0 && (
        <p className={classes.off} role="note">
          {t('topup.disabled')}
        </p>
      )}
      {status !== undefined && methods.length > 0 && (
        <TopUpForm
          // The stored status is shown first; other amounts begin anew.
          key={`${status.display_in_currency} ${status.min_topup} ${status.quota_per_unit}`}
          {...{ status, methods, group }}
        />
      )}
    </section>
  );
}
