/** The models of a chart, the dearest first, each with its colour. */
import { useTranslation } from '../../i18n/index.ts';
import { ownSeries } from './usage-buckets.ts';
import type { Usage } from './use-usage.ts';

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
