/** Two weeks of spending, a bar for each day, and the account's totals. */
import type { UserEntity } from '../../../core/contract/entities.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { TotalText } from '../../components/money-text.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { dayText } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import classes from './spending.module.css';
import { useFortnight } from './use-fortnight.ts';

export function Spending({ self }: { readonly self: UserEntity | undefined }) {
  const { t } = useTranslation();
  return (
    <div className={classes.root}>
      <Days spends={self === undefined || self.used_quota > 0} />
      <dl className={classes.figures}>
        <div>
          <dt>{t('topup.figure.used')}</dt>
          <dd>{self === undefined ? '—' : <TotalText quota={self.used_quota} />}</dd>
        </div>
        <div>
          <dt>{t('topup.figure.requests')}</dt>
          <dd>{self === undefined ? '—' : formatCount(self.request_count)}</dd>
        </div>
      </dl>
    </div>
  );
}

/** `spends`: there may be bars, whose place is kept until they are known. */
function Days({ spends }: { readonly spends: boolean }) {
  const { t } = useTranslation();
  const money = useMoney();
  const fortnight = useFortnight();
  const days = fortnight?.days ?? [];
  const most = Math.max(1, ...days.map(({ quota }) => quota));
  const today = days.at(-1);
  const { total = 0 } = fortnight ?? {};
  return (
    <>
      <div className={classes.head}>
        <h2 className={classes.title}>{t('topup.spent')}</h2>
        {fortnight !== undefined && fortnight.total <= 0 && (
          <span className={classes.sum}>{t('topup.spent.none')}</span>
        )}
        {fortnight !== undefined && fortnight.total > 0 && (
          <span className={classes.sum}>
            <b>
              <TotalText quota={fortnight.total} />
            </b>{' '}
            {t('topup.spent.daily', {
              amount: money.total(Math.round(fortnight.total / days.length)).text,
            })}
          </span>
        )}
      </div>
      {(total > 0 || (fortnight === undefined && spends)) && (
        <>
          <ol className={classes.bars} aria-label={t('topup.spent')}>
            {days.map(({ start, quota }) => (
              <li
                key={start}
                title={t('topup.spent.day', {
                  day: dayText(start),
                  amount: money.total(quota).text,
                })}
              >
                <i style={{ height: `${quota <= 0 ? 0 : Math.max(2, (quota / most) * 100)}%` }} />
                <span className={classes.hidden}>
                  {t('topup.spent.day', { day: dayText(start), amount: money.total(quota).text })}
                </span>
              </li>
            ))}
          </ol>
          <div className={classes.axis} aria-hidden="true">
            <span>{days[0] && dayText(days[0].start)}</span>
            <span>{days[6] && dayText(days[6].start)}</span>
            <span>
              {today && t('topup.spent.today', { amount: money.total(today.quota).text })}
            </span>
          </div>
        </>
      )}
    </>
  );
}
