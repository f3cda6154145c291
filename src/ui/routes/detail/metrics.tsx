/** Four figures, each with a sentence and a line of its hours. */
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Overview } from '../../../core/contract/overview.ts';
import { formatCount, formatTokenCount } from '../../../core/pricing/format.ts';
import { useIsAdmin } from '../../client/session.ts';
import { TotalText } from '../../components/money-text.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { useSelf } from '../../queries/use-self.ts';
import classes from './metrics.module.css';
import { type Usage, useOwnWeek } from './use-usage.ts';

/** `99.62 %` without trailing zeros. */
export function percent(part: number, whole: number): string {
  return `${Number(((part / whole) * 100).toFixed(2))}%`;
}

export function Metrics({ usage, overview }: { usage: Usage | undefined; overview: Overview | undefined }) {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const { data: self } = useSelf();
  const scope = admin ? 'site' : 'self';
  const attempts = (overview?.succeeded ?? 0) + (overview?.failed ?? 0);
  const rpm = formatCount(overview?.rpm ?? 0);
  const tpm = formatTokenCount(overview?.tpm ?? 0);
  return (
    <div className={classes.row}>
      <Metric
        label={t('detail.metric.balance')}
        value={self && <TotalText quota={self.quota} large />}
        note={<BalanceNote quota={self?.quota} />}
      />
      <Metric
        label={t(`detail.metric.spent.${scope}`)}
        value={usage && <TotalText quota={usage.quota} large />}
        note={usage && <SpentNote usage={usage} />}
        values={usage?.buckets.map((bucket) => bucket.quota)}
      />
      <Metric
        label={t(`detail.metric.requests.${scope}`)}
        value={usage && formatCount(usage.count)}
        note={
          admin && attempts > 0 ? (
            <span title={t('detail.since')}>
              {t('detail.requests.rate', { rate: percent(overview?.succeeded ?? 0, attempts), rpm })}
            </span>
          ) : (
            t('detail.requests.rpm', { rpm })
          )
        }
        values={usage?.buckets.map((bucket) => bucket.count)}
      />
      <Metric
        label={t('detail.metric.tokens')}
        value={usage && <span title={formatCount(usage.tokens)}>{formatTokenCount(usage.tokens)}</span>}
        note={
          admin && overview !== undefined && overview.prompt_tokens > 0 ? (
            <span title={t('detail.since')}>
              {t('detail.tokens.cache', { rate: percent(overview.cached_tokens, overview.prompt_tokens), tpm })}
            </span>
          ) : (
            t('detail.tokens.tpm', { tpm })
          )
        }
        values={usage?.buckets.map((bucket) => bucket.tokens)}
      />
    </div>
  );
}

interface MetricProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly note: ReactNode;
  readonly values?: readonly number[] | undefined;
}

function Metric({ label, value, note, values }: MetricProps) {
  return (
    <div className={classes.metric}>
      <div className={classes.label}>{label}</div>
      <div className={classes.value}>{value ?? <span className={classes.waiting} />}</div>
      {values?.some((figure) => figure > 0) === true && <Sparkline values={values} />}
      <div className={classes.note}>{note}</div>
    </div>
  );
}

/** Days the balance lasts at the pace of the last week. */
function BalanceNote({ quota }: { quota: number | undefined }) {
  const { t } = useTranslation();
  const week = useOwnWeek();
  if (quota === undefined || week === undefined) return null;
  if (quota < 0) return <span className={classes.debt}>{t('detail.balance.debt')}</span>;
  if (week <= 0) return t('detail.balance.idle');
  const days = Math.floor(quota / (week / 7));
  return days > 365 ? t('detail.balance.long') : t('detail.balance.days', { count: days });
}

function SpentNote({ usage }: { usage: Usage }) {
  const { t } = useTranslation();
  const { quota, quotaBefore } = usage;
  if (quotaBefore === undefined) return null;
  if (quotaBefore === 0) return quota === 0 ? t('detail.spent.same') : t('detail.spent.first');
  const change = (quota - quotaBefore) / quotaBefore;
  if (Math.abs(change) < 0.001) return t('detail.spent.same');
  return t('detail.spent.more', {
    direction: t(change > 0 ? 'detail.spent.up' : 'detail.spent.down'),
    percent: `${(Math.abs(change) * 100).toFixed(1)}%`,
  });
}
