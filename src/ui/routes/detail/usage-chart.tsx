/** Stacked bars, one per span. */
import { useTranslation } from '../../i18n/index.ts';
import { bucketTitle } from './bucket-label.ts';
import classes from './chart.module.css';
import { ChartFrame, type ChartSpans } from './chart-frame.tsx';
import type { Figure } from './figure.tsx';
import { type Series, sumOf, totalsOf } from './series.ts';

interface UsageChartProps extends ChartSpans {
  readonly series: readonly Series[];
  readonly figure: Figure;
  readonly title: string;
}

export function UsageChart({ starts, by, series, figure, title }: UsageChartProps) {
  const totals = totalsOf(series, starts.length);
  // What was paid back may be more than was spent on a model.
  const side = (of: (value: number) => number) =>
    totalsOf(
      series.map((one) => ({ ...one, values: one.values.map(of) })),
      starts.length,
    );
  const above = side((value) => Math.max(0, value));
  const below = side((value) => Math.min(0, value));
  return (
    <ChartFrame
      starts={starts}
      by={by}
      figure={figure}
      smallest={below.reduce((least, value) => Math.min(least, value), 0)}
      largest={above.reduce((most, value) => Math.max(most, value), 0)}
      label={`${title}, ${figure.text(sumOf(totals))}`}
      bars={(index) =>
        series.map(({ label, color, values }) => ({ key: label, color, value: values[index] ?? 0 }))
      }
      tip={(index) => (
        <Tip
          title={bucketTitle(starts[index] ?? 0, by)}
          total={figure.text(totals[index] ?? 0)}
          rows={series
            .map(({ label, color, values }) => ({ label, color, value: values[index] ?? 0 }))
            .filter(({ value }) => value !== 0)
            .sort((a, b) => b.value - a.value)
            .map(({ value, ...row }) => ({ ...row, text: figure.text(value) }))}
        />
      )}
    />
  );
}

interface TipProps {
  readonly title: string;
  readonly total: string;
  readonly rows: readonly {
    readonly label: string;
    readonly color: string;
    readonly text: string;
  }[];
}

/** Sorted by value, with the total. */
function Tip({ title, total, rows }: TipProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.tip}>
      <div className={classes.tipHead}>
        <span>{title}</span>
        {t('detail.chart.total')} {total}
      </div>
      {rows.map(({ label, color, text }) => (
        <div key={label} className={classes.tipRow}>
          <i style={{ background: color }} />
          <span>{label}</span>
          {text}
        </div>
      ))}
    </div>
  );
}
