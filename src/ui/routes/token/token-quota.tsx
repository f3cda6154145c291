import type { TokenEntity } from '../../../core/contract/entities.ts';
import { tokenStatuses } from '../../../core/vocabulary/statuses.ts';
import { QuotaBar } from '../../components/quota-bar.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import cells from '../../list/cells.module.css';
import classes from './token.module.css';

/**
 * What is left over the total, with a bar; unlimited tokens show what they used. `short`: only what
 * is left.
 */
export function TokenQuota({ token, short = false }: { token: TokenEntity; short?: boolean }) {
  const { t } = useTranslation();
  const money = useMoney();
  if (token.unlimited_quota) {
    return (
      <span className={classes.unlimited}>
        <span>{t('token.quota.unlimited')}</span>
        {!short && (
          <span className={cells.dim}>
            {t('token.quota.used', { amount: money.total(token.used_quota).text })}
          </span>
        )}
      </span>
    );
  }
  const total = money.total(token.remain_quota + token.used_quota).text;
  return (
    <QuotaBar
      left={token.remain_quota}
      used={token.used_quota}
      detail={short ? undefined : t('token.quota.of', { amount: total })}
      label={t('token.quota.bar', { left: money.total(token.remain_quota).text, total })}
      off={token.status !== tokenStatuses.enabled}
    />
  );
}
