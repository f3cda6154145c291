/** Stacked bars; only horizontal hairlines, four ticks, no axis lines (docs/rules/console.md#charts). */
import { useState } from 'react';
import { formatCount, formatTokenCount } from '../../../core/pricing/format.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { usePhone } from '../../hooks/use-phone.ts';
import { useTranslation } from '../../i18n/index.ts';
import { axisOf } from './axis.ts';
import { bucketLabel, bucketTitle } from './bucket-label.ts';
import type { Series } from './series.ts';
import classes from './spending-chart.module.css';
import type { Bucket, Granularity } from './usage-buckets.ts';
import type { Usage } from './use-usage.ts';

/** Labels below the bars. */
const mostLabels = { wide: 8, phone: 4 };
/** From here on the labels of amounts are shortened: `$12.5k`. */
const shortFrom = 10_000;

interface ChartProps {
  readonly usage: Usage;
  readonly series: readonly Series[];
  readonly granularity: Granularity;
}

export function SpendingChart({ usage, series, granularity }: ChartProps) {
  const { t } = useTranslation();
  const { display, quotaPerUnit, total } = useMoney();
  const phone = usePhone();
  const [shown, setShown] = useState<number>();
  const { buckets } = usage;
  const unit = display.inCurrency ? quotaPerUnit : 1;
  const largest = Math.max(0, ...buckets.map((bucket) => bucket.quota)) / unit;
  const axis = axisOf(largest, !display.inCurrency);
  const share = (value: number) => `${(value / axis.top) * 100}%`;
  const tickText = (value: number) => {
    if (!display.inCurrency) return value >= shortFrom ? formatTokenCount(value) : formatCount(value);
    const figure = value >= shortFrom ? formatTokenCount(value) : value.toFixed(value === 0 ? 0 : axis.places);
    return `${display.symbol ?? '$'}${figure}`;
  };
  const every = Math.ceil(buckets.length / (phone ? mostLabels.phone : mostLabels.wide));
  const tipped = shown === undefined ? undefined : buckets[shown];
  return (
    <div className={classes.chart} onPointerLeave={() => setShown(undefined)}>
      <div className={classes.ticks} aria-hidden="true">
        {axis.ticks.map((tick) => (
          <span key={tick} style={{ bottom: share(tick) }}>
            {tickText(tick)}
          </span>
        ))}
      </div>
      <div className={classes.plot} role="img" aria-label={`${t('detail.chart.title')}, ${total(usage.quota).text}`}>
        {axis.ticks.map((tick) => (
          <i key={tick} className={classes.grid} style={{ bottom: share(tick) }} />
        ))}
        {buckets.map((bucket, index) => (
          <div
            key={bucket.start}
            className={classes.slot}
            data-shown={shown === index || undefined}
            onPointerEnter={() => setShown(index)}
          >
            {series.map((entry) => {
              const quota = entry.of(bucket.models);
              return quota > 0 && <i key={entry.label} style={{ height: share(quota / unit), background: entry.color }} />;
            })}
          </div>
        ))}
        {tipped !== undefined && shown !== undefined && (
          <div className={classes.place} style={tipPlace(shown, buckets.length)}>
            <Tip bucket={tipped} series={series} granularity={granularity} />
          </div>
        )}
      </div>
      <div className={classes.labels} aria-hidden="true">
        {buckets.map((bucket, index) => (
          <span key={bucket.start}>{index % every === 0 && <b>{bucketLabel(bucket.start, granularity)}</b>}</span>
        ))}
      </div>
    </div>
  );
}

/** Beside its bar, on the side that has more room. */
function tipPlace(index: number, count: number) {
  return index < count / 2 ? { left: `${((index + 1) / count) * 100}%` } : { right: `${((count - index) / count) * 100}%` };
}

/** Sorted by value, with the total. Six decimals, so that the lines add up to it. */
function Tip({ bucket, series, granularity }: Omit<ChartProps, 'usage'> & { readonly bucket: Bucket }) {
  const { t } = useTranslation();
  const money = useMoney();
  const rows = series
    .map((entry) => ({ ...entry, quota: entry.of(bucket.models) }))
    .filter((entry) => entry.quota > 0)
    .sort((a, b) => b.quota - a.quota);
  return (
    <div className={classes.tip}>
      <div className={classes.tipHead}>
        <span>{bucketTitle(bucket.start, granularity)}</span>
        {t('detail.chart.total')} {money.cost(bucket.quota).text}
      </div>
      {rows.map((entry) => (
        <div key={entry.label} className={classes.tipRow}>
          <i style={{ background: entry.color }} />
          <span>{entry.label}</span>
          {money.cost(entry.quota).text}
        </div>
      ))}
    </div>
  );
}
