/** The series of a chart: models, the most expensive first, each with its colour. */
import { useTranslation } from '../../i18n/index.ts';
import type { Usage } from './use-usage.ts';

/** What a chart may show of a model. */
export type Measure = 'quota' | 'count' | 'tokens';

export interface Series {
  readonly label: string;
  readonly color: string;
  /** One per span. */
  readonly values: readonly number[];
}

/** Up to seven models have a colour of their own; the eighth stands for all others. */
const ownSeries = 7;

/** Colour of the n-th most expensive model. */
export function seriesColor(index: number): string {
  return `var(--tp-chart-${Math.min(index, ownSeries)})`;
}

export const sumOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0);

/** The sum of all series in each span. */
export function totalsOf(series: readonly Series[], spans: number): readonly number[] {
  return Array.from({ length: spans }, (_, index) =>
    sumOf(series.map(({ values }) => values[index] ?? 0)),
  );
}

/** A model keeps its colour whatever is measured. */
export function useSeries(usage: Usage | undefined, measure: Measure): readonly Series[] {
  const { t } = useTranslation();
  if (usage === undefined) return [];
  const { models, starts } = usage;
  const own = models.slice(0, ownSeries).map(
    (model, index): Series => ({
      label: model.model_name,
      color: seriesColor(index),
      values: model.spans[measure],
    }),
  );
  const others = models
    .slice(ownSeries)
    .map((model): Series => ({ label: '', color: '', values: model.spans[measure] }));
  const rest = {
    label: t('detail.chart.others'),
    color: seriesColor(ownSeries),
    values: totalsOf(others, starts.length),
  };
  return [...own, ...(others.length === 0 ? [] : [rest])].filter(({ values }) =>
    values.some((value) => value !== 0),
  );
}
