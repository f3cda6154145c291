/**
 * What was used, span by span and model by model, or the balance over time: a chart, or the same
 * figures as a table.
 */

import { useTranslation } from '../../i18n/index.ts';
import { FilterMenu } from '../../list/filter-bar.tsx';
import { BalanceChart } from './balance-chart.tsx';
import { ChartHead } from './chart-head.tsx';
import { useFigure } from './figure.tsx';
import { type Measure, useSeries } from './series.ts';
import { UsageChart } from './usage-chart.tsx';
import classes from './usage-panel.module.css';
import { UsageTable } from './usage-table.tsx';
import type { Usage } from './use-usage.ts';

export const measures = ['quota', 'count', 'tokens', 'balance'] as const;
export type ShownMeasure = (typeof measures)[number];

interface UsagePanelProps {
  readonly usage: Usage | undefined;
  readonly measure: ShownMeasure;
  readonly asTable: boolean;
  readonly onChange: (change: {
    readonly measure?: ShownMeasure;
    readonly asTable?: boolean;
  }) => void;
}

export function UsagePanel({ usage, measure, asTable, onChange }: UsagePanelProps) {
  const { t } = useTranslation();
  // The balance of everybody together is nobody's.
  const offered = measures.filter(
    (name) => name !== 'balance' || (usage?.balance ?? null) !== null,
  );
  const shown = offered.includes(measure) ? measure : 'quota';
  const series = useSeries(usage, shown === 'balance' ? 'quota' : (shown satisfies Measure));
  const figure = useFigure(shown === 'quota' || shown === 'balance');
  const title = t(`detail.measure.${shown}`);
  return (
    <>
      <ChartHead
        title={title}
        legend={shown === 'balance' ? [] : series}
        asTable={asTable}
        onTable={(next) => onChange({ asTable: next })}
      >
        <FilterMenu
          label={t('detail.measure')}
          value={shown}
          always
          options={offered.map((name) => ({ value: name, label: t(`detail.measure.${name}`) }))}
          onChange={(next) => onChange({ measure: next as ShownMeasure })}
        />
      </ChartHead>
      <div className={classes.body}>
        {usage !== undefined &&
          (shown === 'balance' ? (
            <Balance usage={usage} asTable={asTable} />
          ) : asTable ? (
            <UsageTable
              starts={usage.starts}
              by={usage.by}
              title={title}
              series={series}
              figure={figure}
            />
          ) : (
            <UsageChart
              starts={usage.starts}
              by={usage.by}
              title={title}
              series={series}
              figure={figure}
            />
          ))}
      </div>
    </>
  );
}

function Balance({ usage, asTable }: { readonly usage: Usage; readonly asTable: boolean }) {
  const { t } = useTranslation();
  const figure = useFigure(true);
  const { starts, by, balance } = usage;
  const values = balance?.closing ?? [];
  if (!asTable) return <BalanceChart starts={starts} by={by} values={values} figure={figure} />;
  const title = t('detail.measure.balance');
  const series = [{ label: t('detail.balance.end'), color: '', values }];
  return (
    <UsageTable
      starts={starts}
      by={by}
      title={title}
      series={series}
      figure={figure}
      totals={null}
    />
  );
}
