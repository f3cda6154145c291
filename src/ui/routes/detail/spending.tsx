/** What was spent, bucket by bucket and model by model: a chart, or the same figures as a table. */
import { Table, Table2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../components/icon-button.tsx';
import layout from './detail.module.css';
import classes from './spending.module.css';
import { SpendingTable } from './spending-table.tsx';
import { type Granularity, ownSeries } from './usage-buckets.ts';
import type { Usage } from './use-usage.ts';

// Recharts is the heaviest thing of the console; it waits until a chart is on the screen.
const SpendingChart = lazy(async () => ({ default: (await import('./spending-chart.tsx')).SpendingChart }));

export interface Series {
  readonly label: string;
  readonly color: string;
  /** Quota of the series in a bucket's models. */
  readonly of: (models: Readonly<Record<string, number>>) => number;
}

/** Colour of the n-th dearest model; the eighth stands for all others. */
export function seriesColor(index: number): string {
  return `var(--tp-chart-${Math.min(index, ownSeries)})`;
}

export function useSeries(usage: Usage | undefined): readonly Series[] {
  const { t } = useTranslation();
  const models = (usage?.models ?? []).filter((model) => model.quota > 0).map((model) => model.model);
  // Eight models fit the eight colours; from nine on the last colour is "others".
  const own = models.slice(0, ownSeries);
  const others = models.slice(ownSeries);
  return [
    ...own.map((model, index): Series => ({ label: model, color: seriesColor(index), of: (quota) => quota[model] ?? 0 })),
    ...(others.length === 0
      ? []
      : [
          {
            label: t('detail.chart.others'),
            color: seriesColor(ownSeries),
            of: (quota: Readonly<Record<string, number>>) => others.reduce((sum, model) => sum + (quota[model] ?? 0), 0),
          },
        ]),
  ];
}

export function Spending({ usage, granularity }: { usage: Usage | undefined; granularity: Granularity }) {
  const { t } = useTranslation();
  const [asTable, setAsTable] = useState(false);
  const series = useSeries(usage);
  return (
    <>
      <div className={layout.head}>
        <h2>{t('detail.chart.title')}</h2>
        <ul className={classes.legend}>
          {series.map((entry) => (
            <li key={entry.label}>
              <i style={{ background: entry.color }} aria-hidden="true" />
              {entry.label}
            </li>
          ))}
        </ul>
        <IconButton
          size={28}
          label={t(asTable ? 'detail.chart.asChart' : 'detail.chart.asTable')}
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? <Table2 size={16} strokeWidth={1.75} /> : <Table size={16} strokeWidth={1.75} />}
        </IconButton>
      </div>
      <div className={classes.body}>
        {usage !== undefined &&
          (asTable ? (
            <SpendingTable usage={usage} series={series} granularity={granularity} />
          ) : (
            <Suspense fallback={null}>
              <SpendingChart usage={usage} series={series} granularity={granularity} />
            </Suspense>
          ))}
      </div>
    </>
  );
}
