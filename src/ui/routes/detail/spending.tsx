/** What was spent, bucket by bucket and model by model: a chart, or the same figures as a table. */
import { Table, Table2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../components/icon-button.tsx';
import { useTranslation } from '../../i18n/index.ts';
import layout from './detail.module.css';
import { useSeries } from './series.ts';
import classes from './spending.module.css';
import { SpendingChart } from './spending-chart.tsx';
import { SpendingTable } from './spending-table.tsx';
import type { Granularity } from './usage-buckets.ts';
import type { Usage } from './use-usage.ts';

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
            <SpendingChart usage={usage} series={series} granularity={granularity} />
          ))}
      </div>
    </>
  );
}
