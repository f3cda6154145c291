/** Four figures, each with a sentence and a line of its hours. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Overview } from '../../../core/contract/overview.ts';
import { formatCount, formatTokenCount } from '../../../core/pricing/format.ts';
import { logTypes } from '../../../core/vocabulary/log-types.ts';
import { useIsAdmin } from '../../client/session.ts';
import { TotalText } from '../../components/money-text.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { useTranslation } from '../../i18n/index.ts';
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
          <>
            {usage && <SuccessRate usage={usage} />}
            {t('detail.requests.rpm', { rpm })}
          </>
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

/** The longest range that the usage log shows, in seconds (docs/rules/console.md#log-range). */
const longestLog = 3 * 86_400;

/** The address of the error rows of a range; of the newest ones where the range is longer than the log shows. */
export function errorLogAddress({ from, to }: Pick<Usage, 'from' | 'to'>): string {
  const query = new URLSearchParams({ type: String(logTypes.error) });
  if (to - from < longestLog) {
    query.set('start', String(from));
    query.set('end', String(to));
  }
  return `/log?${query}`;
}

/** The share of requests that succeeded, with a link to those that failed (docs/rules/usage-logs.md#outcomes). */
function SuccessRate({ usage }: { usage: Usage }) {
  const { t } = useTranslation();
  const { succeeded, failed, refused, unlogged } = usage.outcomes;
  if (succeeded + failed === 0) return null;
  const hints = [
    t('detail.requests.hint'),
    refused > 0 && t('detail.requests.refused', { count: refused }),
    unlogged > 0 && t('detail.requests.unlogged', { count: unlogged }),
  ].filter((hint) => hint !== false);
  return (
    <span title={hints.join(' ')}>
      {t('detail.requests.rate', { rate: percent(succeeded, succeeded + failed) })}
      {failed > 0 && (
        <>
          {' · '}
          <Link to={errorLogAddress(usage)}>{t('detail.requests.failed', { count: failed })}</Link>
        </>
      )}
      {' · '}
    </span>
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
