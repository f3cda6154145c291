import { CostText } from '../../components/money-text.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { bucketTitle } from './bucket-label.ts';
import type { Series } from './series.ts';
import classes from './spending.module.css';
import type { Granularity } from './usage-buckets.ts';
import type { Usage } from './use-usage.ts';

export function SpendingTable({
  usage,
  series,
  granularity,
}: {
  usage: Usage;
  series: readonly Series[];
  granularity: Granularity;
}) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={t('detail.chart.title')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('detail.chart.time')}</th>
            {series.map((entry) => (
              <th scope="col" key={entry.label}>
                {entry.label}
              </th>
            ))}
            <th scope="col">{t('detail.chart.total')}</th>
          </tr>
        </thead>
        <tbody>
          {usage.buckets.map((bucket) => (
            <tr key={bucket.start}>
              <td>{bucketTitle(bucket.start, granularity)}</td>
              {series.map((entry) => (
                <td key={entry.label}>
                  <CostText quota={entry.of(bucket.models)} />
                </td>
              ))}
              <td>
                <CostText quota={bucket.quota} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
