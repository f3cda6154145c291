import type { TokenEntity } from '../../../core/contract/entities.ts';
import { tokenStatuses } from '../../../core/vocabulary/statuses.ts';
import { TotalText } from '../../components/money-text.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import classes from './token.module.css';

/** Below this share the bar turns orange. */
const lowShare = 0.1;

/** What is left over the total, with a 3 px bar; unlimited tokens tell what they used. `short`: only what is left. */
export function QuotaBar({ token, short = false }: { token: TokenEntity; short?: boolean }) {
  const { t } = useTranslation();
  const money = useMoney();
  if (token.unlimited_quota) {
    return (
      <span className={classes.quota}>
        <span className={classes.quotaLine}>
          <span>{t('token.quota.unlimited')}</span>
          {!short && <span className={classes.dim}>{t('token.quota.used', { amount: money.total(token.used_quota).text })}</span>}
        </span>
      </span>
    );
  }
  const total = token.remain_quota + token.used_quota;
  const share = total > 0 ? Math.max(0, token.remain_quota / total) : 0;
  const tone = token.status !== tokenStatuses.enabled ? 'off' : share < lowShare ? 'low' : 'ok';
  const amounts = { left: money.total(token.remain_quota).text, total: money.total(total).text };
  return (
    <span className={classes.quota}>
      <span className={classes.quotaLine}>
        <b>
          <TotalText quota={token.remain_quota} />
        </b>
        {!short && <span className={classes.dim}>{t('token.quota.of', { amount: amounts.total })}</span>}
      </span>
      <span className={classes.bar} role="img" aria-label={t('token.quota.bar', amounts)}>
        <i data-tone={tone} style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  );
}
