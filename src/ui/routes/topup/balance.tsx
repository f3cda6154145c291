import { CircleDollarSign, TriangleAlert } from 'lucide-react';
import type { UserEntity } from '../../../core/contract/entities.ts';
import { isObject, parseJson } from '../../../core/kernel/json.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { TotalText } from '../../components/money-text.tsx';
import { emptyDay } from '../../hooks/empty-day.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import classes from './balance.module.css';
import { useFortnight } from './use-fortnight.ts';

/**
 * The limit below which a balance is low where the user has set none, in quota
 * (docs/rules/accounts.md#user-settings).
 */
const defaultThreshold = 500_000;

/** The limit below which the user wants to be warned, in quota. */
export function warningThreshold(setting: string): number {
  const value = parseJson(setting);
  const threshold = isObject(value) ? value['quota_warning_threshold'] : undefined;
  return typeof threshold === 'number' && threshold > 0 ? threshold : defaultThreshold;
}

export function Balance({ self }: { readonly self: UserEntity | undefined }) {
  const { t } = useTranslation();
  const { display } = useMoney();
  return (
    <div>
      <h2 className={classes.label}>{t('topup.balance')}</h2>
      <div
        className={classes.amount}
        data-debt={(self !== undefined && self.quota < 0) || undefined}
      >
        {self === undefined ? (
          <span className={classes.waiting} />
        ) : (
          <TotalText quota={self.quota} large />
        )}
      </div>
      {display.inCurrency && (
        <p className={classes.quota}>
          {self === undefined
            ? '\u00a0'
            : t('topup.balance.quota', { quota: formatCount(self.quota) })}
        </p>
      )}
      {self === undefined ? (
        <div className={classes.noteSpace} />
      ) : (
        <BalanceNote quota={self.quota} threshold={warningThreshold(self.setting)} />
      )}
    </div>
  );
}

/** How long the balance lasts, or that it is low. */
function BalanceNote({ quota, threshold }: { readonly quota: number; readonly threshold: number }) {
  const { t } = useTranslation();
  const money = useMoney();
  const week = useFortnight()?.week;
  const note = (tone: 'ok' | 'yel' | 'red', text: string) => (
    <p className={classes.note} data-tone={tone} role={tone === 'ok' ? undefined : 'alert'}>
      {tone === 'ok' ? (
        <CircleDollarSign size={16} strokeWidth={1.75} aria-hidden="true" />
      ) : (
        <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" />
      )}
      {text}
    </p>
  );
  if (quota < 0) return note('red', t('topup.balance.debt'));
  if (quota === 0) return note('red', t('topup.balance.empty'));
  if (quota < threshold)
    return note('yel', t('topup.balance.low', { threshold: money.total(threshold).text }));
  if (week === undefined) return <div className={classes.noteSpace} />;
  if (week <= 0) return note('ok', t('topup.balance.idle'));
  const days = Math.floor(quota / (week / 7));
  return note(
    'ok',
    days > 365
      ? t('topup.balance.long')
      : t('topup.balance.lasts', { count: days, day: emptyDay(days, new Date()) }),
  );
}
