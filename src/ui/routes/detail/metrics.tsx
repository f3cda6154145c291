/** Four figures, each with a sentence and a line of its hours. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Overview } from '../../../core/contract/overview.ts';
import { formatCount, formatTokenCount } from '../../../core/pricing/format.ts';
import { logTypes } from '../../../core/vocabulary/log-types.ts';
import { useIsAdmin } from '../../client/session.ts';
import { TotalText } from '../../components/money-text.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { emptyDay } from '../../hooks/empty-day.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useSelf } from '../../queries/use-self.ts';
import classes from './metrics.module.css';
import { percent } from './percent.ts';
import { type Usage, type UsageView, useOwnWeek } from './use-usage.ts';

interface MetricsProps {
  readonly usage: Usage | undefined;
  readonly overview: Overview | undefined;
  readonly view: Pick<UsageView, 'own' | 'username'>;
}

/** The sum over all models in each span. */
function spanTotals(
  { models, starts }: Usage,
  figure: 'quota' | 'count' | 'tokens',
): readonly number[] {
  return starts.map((_, index) =>
    models.reduce((sum, model) => sum + (model.spans[figure][index] ?? 0), 0),
  );
}

export function Metrics({ usage, overview, view: { own, username } }: MetricsProps) {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const { data: self } = useSelf();
  const other = username !== '';
  const scope = other ? 'user' : own ? 'self' : 'site';
  // Live figures are the site's for administrators, one's own for others.
  const isLive = scope === (admin ? 'site' : 'self');
  const rpm = formatCount(overview?.rpm ?? 0);
  const tpm = formatTokenCount(overview?.tpm ?? 0);
  return (
    <div className={classes.row}>
      <Metric
        label={t(other ? 'detail.metric.balance.user' : 'detail.metric.balance', {
          name: username,
        })}
        value={
          other ? <OtherBalance usage={usage} /> : self && <TotalText quota={self.quota} large />
        }
        note={!other && <BalanceNote quota={self?.quota} />}
        values={usage?.balance?.closing}
      />
      <Metric
        label={t(`detail.metric.spent.${scope}`, { name: username })}
        value={usage && <TotalText quota={usage.totals.quota} large />}
        note={usage && <SpentNote usage={usage} />}
        values={usage && spanTotals(usage, 'quota')}
      />
      <Metric
        label={t(`detail.metric.requests.${scope}`, { name: username })}
        value={usage && formatCount(usage.totals.count)}
        note={
          <>
            {usage && <SuccessRate usage={usage} />}
            {isLive && usage !== undefined && hasEnded(usage) && ' · '}
            {isLive && t('detail.requests.rpm', { rpm })}
          </>
        }
        values={usage && spanTotals(usage, 'count')}
      />
      <Metric
        label={t('detail.metric.tokens')}
        value={
          usage && (
            <span title={formatCount(usage.totals.tokens)}>
              {formatTokenCount(usage.totals.tokens)}
            </span>
          )
        }
        note={
          admin && scope === 'site' && overview !== undefined && overview.prompt_tokens > 0 ? (
            <span title={t('detail.since')}>
              {t('detail.tokens.cache', {
                rate: percent(overview.cached_tokens, overview.prompt_tokens),
                tpm,
              })}
            </span>
          ) : (
            isLive && t('detail.tokens.tpm', { tpm })
          )
        }
        values={usage && spanTotals(usage, 'tokens')}
      />
    </div>
  );
}

/** The longest range that the usage log shows, in seconds (docs/rules/console.md#log-range). */
const longestLog = 3 * 86_400;

/**
 * The address of the error rows of a range; of the newest ones where the range is longer than the
 * log shows.
 */
export function errorLogAddress({ from, to }: Pick<Usage, 'from' | 'to'>): string {
  const query = new URLSearchParams({ type: String(logTypes.error) });
  if (to - from < longestLog) {
    query.set('start', String(from));
    query.set('end', String(to));
  }
  return `/log?${query}`;
}

const hasEnded = ({ outcomes }: Usage): boolean => outcomes.succeeded + outcomes.failed > 0;

/**
 * The share of requests that succeeded, with a link to those that failed
 * (docs/rules/usage-logs.md#outcomes).
 */
function SuccessRate({ usage }: { usage: Usage }) {
  const { t } = useTranslation();
  const { succeeded, failed, refused, unlogged } = usage.outcomes;
  if (!hasEnded(usage)) return null;
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
      {values?.some((figure) => figure !== 0) === true && <Sparkline values={values} />}
      <div className={classes.note}>{note}</div>
    </div>
  );
}

/** Of a user that an administrator looks at; a deleted one has none. */
function OtherBalance({ usage }: { readonly usage: Usage | undefined }) {
  const quota = usage?.balance?.closing.at(-1);
  return quota === undefined ? '–' : <TotalText quota={quota} large />;
}

/** The day on which the balance is empty at the pace of the last week. */
function BalanceNote({ quota }: { quota: number | undefined }) {
  const { t } = useTranslation();
  const week = useOwnWeek();
  if (quota === undefined || week === undefined) return null;
  if (quota < 0) return <span className={classes.debt}>{t('detail.balance.debt')}</span>;
  if (week <= 0) return t('detail.balance.idle');
  const days = Math.floor(quota / (week / 7));
  return days > 365
    ? t('detail.balance.long')
    : t('detail.balance.empty', { day: emptyDay(days, new Date()) });
}

function SpentNote({ usage }: { usage: Usage }) {
  const { t } = useTranslation();
  const { quota } = usage.totals;
  const { quota: quotaBefore } = usage.before;
  if (quotaBefore === 0) return quota === 0 ? t('detail.spent.same') : t('detail.spent.first');
  const change = (quota - quotaBefore) / quotaBefore;
  if (Math.abs(change) < 0.001) return t('detail.spent.same');
  return t('detail.spent.more', {
    direction: t(change > 0 ? 'detail.spent.up' : 'detail.spent.down'),
    percent: `${(Math.abs(change) * 100).toFixed(1)}%`,
  });
}
