/**
 * What channels earned and cost, over time and one by one; a cost that is not known stays unknown
 * (docs/rules/channels.md#channel-margins).
 */
import { useState } from 'react';
import { Link } from 'react-router';
import type { Margin, MarginSummary } from '../../../core/contract/data.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ChartHead } from './chart-head.tsx';
import layout from './detail.module.css';
import { useFigure } from './figure.tsx';
import { MarginTable } from './margin-table.tsx';
import classes from './margins.module.css';
import type { Series } from './series.ts';
import { UsageChart } from './usage-chart.tsx';
import { UsageTable } from './usage-table.tsx';
import { type UsageView, useMargins } from './use-usage.ts';

export function Margins({ range, by }: Pick<UsageView, 'range' | 'by'>) {
  const { t } = useTranslation();
  const { data } = useMargins({ range, by });
  if (data === undefined) return null;
  const isNamed =
    data.totals.costed_count > 0 || data.channels.some((channel) => channel.names_cost);
  if (!isNamed) {
    return (
      <>
        <div className={layout.head}>
          <h2>{t('detail.margin.title')}</h2>
        </div>
        <p className={layout.empty}>
          {t('detail.margin.unset')} <Link to="/channel">{t('detail.margin.channel')}</Link>
        </p>
      </>
    );
  }
  return <KnownMargins margins={data} />;
}

function KnownMargins({ margins }: { readonly margins: MarginSummary }) {
  const { t } = useTranslation();
  const [asTable, setAsTable] = useState(false);
  const figure = useFigure(true);
  const { starts, by, spans } = margins;
  const title = t('detail.margin.title');
  const series = (label: string, color: string, of: (margin: Margin) => number | null): Series => ({
    label,
    color,
    values: spans.map((span) => of(span) ?? 0),
  });
  const bars = [
    series(t('detail.margin.cost'), 'var(--tp-chart-1)', ({ cost }) => cost),
    series(t('detail.margin.margin'), 'var(--tp-chart-0)', ({ margin }) =>
      Math.max(0, margin ?? 0),
    ),
    series(
      t('detail.margin.unknown'),
      'var(--tp-chart-7)',
      ({ quota, costed_quota }) => quota - costed_quota,
    ),
  ];
  const columns = [
    series(t('detail.margin.revenue'), '', ({ quota }) => quota),
    series(t('detail.margin.cost'), '', ({ cost }) => cost),
    series(t('detail.margin.margin'), '', ({ margin }) => margin),
    series(t('detail.margin.unknown'), '', ({ quota, costed_quota }) => quota - costed_quota),
  ];
  return (
    <>
      <ChartHead title={title} legend={bars} asTable={asTable} onTable={setAsTable} />
      <div className={classes.over}>
        {asTable ? (
          <UsageTable
            starts={starts}
            by={by}
            title={title}
            series={columns}
            figure={figure}
            totals={null}
          />
        ) : (
          <UsageChart starts={starts} by={by} title={title} series={bars} figure={figure} />
        )}
      </div>
      <MarginTable margins={margins} />
    </>
  );
}
