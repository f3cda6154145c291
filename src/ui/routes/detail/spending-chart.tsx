/** Stacked bars; only horizontal hairlines, four ticks, no axis lines (docs/rules/console.md#charts). */
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatTokenCount } from '../../../core/pricing/format.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { bucketLabel, bucketTitle } from './bucket-label.ts';
import type { Series } from './series.ts';
import classes from './spending.module.css';
import type { Bucket, Granularity } from './usage-buckets.ts';
import type { Usage } from './use-usage.ts';

/** A dot in a series name is read as a path, so series go by number and carry their name as label. */
const keyOf = (index: number) => `s${index}`;

/** Decimals of all ticks of a scale, so that two neighbours never read the same. `largest`: the highest bar, in currency. */
function tickPlaces(largest: number): number {
  if (largest >= 40) return 0;
  if (largest >= 0.2) return 2;
  return largest >= 0.002 ? 4 : 6;
}

function axisText(units: number, places: number): string {
  if (units === 0) return '$0';
  return units >= 10_000 ? `$${formatTokenCount(units)}` : `$${units.toFixed(places)}`;
}

export function SpendingChart({
  usage,
  series,
  granularity,
}: {
  usage: Usage;
  series: readonly Series[];
  granularity: Granularity;
}) {
  const { display, quotaPerUnit } = useMoney();
  const rows = useMemo(
    () =>
      usage.buckets.map((bucket) => ({
        start: bucket.start,
        label: bucketLabel(bucket.start, granularity),
        // Only drawn: the figures beside the chart come from the exact formatter.
        ...Object.fromEntries(
          series.map((entry, index) => [
            keyOf(index),
            display.inCurrency ? entry.of(bucket.models) / quotaPerUnit : entry.of(bucket.models),
          ]),
        ),
      })),
    [usage, series, granularity, display, quotaPerUnit],
  );
  const sums = usage.buckets.map((bucket) => series.reduce((sum, entry) => sum + entry.of(bucket.models), 0));
  const places = tickPlaces(Math.max(0, ...sums) / quotaPerUnit);
  return (
    <BarChart
      className={classes.chart}
      h={284}
      data={rows}
      dataKey="label"
      type="stacked"
      series={series.map((entry, index) => ({ name: keyOf(index), label: entry.label, color: entry.color }))}
      gridAxis="x"
      gridColor="var(--tp-rule)"
      textColor="var(--tp-dim)"
      barChartProps={{ margin: { top: 8, right: 0, bottom: 0, left: 0 } }}
      tickLine="none"
      strokeDasharray="0"
      maxBarWidth={22}
      withXAxis
      xAxisProps={{ axisLine: false, tickMargin: 8, interval: 'preserveStartEnd', minTickGap: 40 }}
      yAxisProps={{
        axisLine: false,
        tickCount: 5,
        width: 60,
        tickFormatter: (value: number) => (display.inCurrency ? axisText(value, places) : formatCount(value)),
      }}
      barProps={{ isAnimationActive: false }}
      tooltipAnimationDuration={0}
      tooltipProps={{
        isAnimationActive: false,
        content: ({ active, label }) => {
          const index = active ? rows.findIndex((row) => row.label === label) : -1;
          const bucket = usage.buckets[index];
          return bucket === undefined ? null : <Tip bucket={bucket} series={series} granularity={granularity} />;
        },
      }}
    />
  );
}

/** Sorted by value, with the total. */
function Tip({ bucket, series, granularity }: { bucket: Bucket; series: readonly Series[]; granularity: Granularity }) {
  const { t } = useTranslation();
  const money = useMoney();
  const shown = series
    .map((entry) => ({ ...entry, quota: entry.of(bucket.models) }))
    .filter((entry) => entry.quota > 0)
    .sort((a, b) => b.quota - a.quota);
  return (
    <div className={classes.tip}>
      <div className={classes.tipHead}>
        <span>{bucketTitle(bucket.start, granularity)}</span>
        {t('detail.chart.total')} {money.cost(bucket.quota).text}
      </div>
      {shown.map((entry) => (
        <div key={entry.label} className={classes.tipRow}>
          <i style={{ background: entry.color }} />
          <span>{entry.label}</span>
          {money.cost(entry.quota).text}
        </div>
      ))}
    </div>
  );
}
