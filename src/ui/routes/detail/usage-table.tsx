/** The figures of a chart as a table. */
import { useTranslation } from '../../i18n/index.ts';
import { bucketTitle } from './bucket-label.ts';
import type { ChartSpans } from './chart-frame.tsx';
import type { Figure } from './figure.tsx';
import { type Series, totalsOf } from './series.ts';
import classes from './usage-panel.module.css';

interface UsageTableProps extends ChartSpans {
  readonly title: string;
  readonly series: readonly Series[];
  readonly figure: Figure;
  /** Absent: the sum of the series. `null`: no column of totals. */
  readonly totals?: readonly number[] | null;
}

export function UsageTable({
  starts,
  by,
  title,
  series,
  figure,
  totals = totalsOf(series, starts.length),
}: UsageTableProps) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={title}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('detail.chart.time')}</th>
            {series.map((entry) => (
              <th scope="col" key={entry.label}>
                {entry.label}
              </th>
            ))}
            {totals !== null && <th scope="col">{t('detail.chart.total')}</th>}
          </tr>
        </thead>
        <tbody>
          {starts.map((start, index) => (
            <tr key={start}>
              <th scope="row">{bucketTitle(start, by)}</th>
              {series.map(({ label, values }) => (
                <td key={label}>
                  {values[index] === undefined ? '–' : figure.draw(values[index])}
                </td>
              ))}
              {totals !== null && <td>{figure.draw(totals[index] ?? 0)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
