/** The columns of the table editor: the numbers are edited in place. */
import { decimal, one, toNumber } from '../../../../core/kernel/decimal.ts';
import {
  findPrice,
  type ModelPrice,
  type RatioPrice,
} from '../../../../core/pricing/find-price.ts';
import { formatPrice, shortNumber } from '../../../../core/pricing/format.ts';
import { pricesPerMillion } from '../../../../core/pricing/price-per-million.ts';
import type { PriceTables } from '../../../../core/pricing/tables.ts';
import { ExplainedTag } from '../../../components/tag.tsx';
import { useMoney } from '../../../hooks/use-money.ts';
import { type TextKey, useTranslation } from '../../../i18n/index.ts';
import type { ScreenColumn } from '../../../list/columns.ts';
import { InlineNumber } from '../../../list/inline-number.tsx';
import { callPriceProblem, numberProblem } from './price-draft.ts';
import { ModelName } from './price-list.tsx';
import type { PriceEdit, PriceRow } from './price-tables.ts';
import classes from './prices.module.css';

type InlineKey = 'ModelRatio' | 'CompletionRatio' | 'CacheRatio';

export function usePriceColumns(
  tables: PriceTables | undefined,
  onEdit: (name: string, edit: PriceEdit) => void,
): readonly ScreenColumn<PriceRow>[] {
  const { t } = useTranslation();
  const { quotaPerUnit } = useMoney();
  const priceOf = (row: PriceRow): ModelPrice | undefined =>
    tables === undefined ? undefined : findPrice(row.name, tables);
  const problem = (key: TextKey | undefined) => (key === undefined ? undefined : t(key));
  const none = <span className={classes.dim}>—</span>;

  const ratio = (key: InlineKey, label: string, effective: (price: RatioPrice) => number) => ({
    key,
    label,
    numeric: true,
    card: { place: 'figure' as const },
    render: (row: PriceRow) => {
      const price = priceOf(row);
      if (price?.kind === 'call') return none;
      const value = row.values[key];
      if (value === undefined && price === undefined) return none;
      const shown = value ?? (price === undefined ? 0 : effective(price));
      return (
        <span className={value === undefined ? classes.dim : undefined}>
          <InlineNumber
            decimal
            format={shortNumber}
            value={shown}
            label={`${label} · ${row.name}`}
            check={(text) =>
              problem(text.trim() === '' ? 'prices.problem.number' : numberProblem(text))
            }
            onSave={async (next) => onEdit(row.name, { [key]: next })}
          />
        </span>
      );
    },
  });

  return [
    {
      key: 'model',
      fixed: true,
      label: t('prices.model'),
      render: (row) => (
        <span className={classes.model}>
          <ModelName name={row.name} changed={row.changed} />
          <Conflict row={row} />
        </span>
      ),
    },
    {
      key: 'conflict',
      hidden: true,
      label: t('prices.conflict'),
      card: { place: 'status' },
      render: (row) => <Conflict row={row} />,
    },
    {
      key: 'perRequest',
      label: t('prices.column.perRequest'),
      numeric: true,
      card: {
        place: 'second',
        render: ({ values }) =>
          values.ModelPrice === undefined ? '' : `$${shortNumber(values.ModelPrice)}`,
      },
      render: (row) => {
        const { ModelPrice: price } = row.values;
        if (price === undefined) return none;
        return (
          <InlineNumber
            decimal
            format={(value) => `$${shortNumber(value)}`}
            value={price}
            label={`${t('prices.column.perRequest')} · ${row.name}`}
            check={(text) =>
              problem(text.trim() === '' ? 'prices.problem.number' : callPriceProblem(text))
            }
            onSave={async (next) => onEdit(row.name, { ModelPrice: next })}
          />
        );
      },
    },
    ratio('ModelRatio', t('prices.ratio.input'), (price) => toNumber(price.modelRatio)),
    ratio('CompletionRatio', t('prices.ratio.output'), (price) => toNumber(price.completionRatio)),
    ratio('CacheRatio', t('prices.ratio.cached'), (price) => toNumber(price.cacheRatio)),
    {
      key: 'worth',
      label: t('prices.column.worth'),
      numeric: true,
      render: (row) => {
        const price = priceOf(row);
        if (price === undefined)
          return <span className={classes.warn}>{t('prices.column.unpriced')}</span>;
        if (price.kind === 'call')
          return <span className={classes.dim}>{t('prices.column.perCall')}</span>;
        const { prompt, completion } = pricesPerMillion(price, one, decimal(quotaPerUnit));
        return (
          <span
            className={classes.dim}
          >{`${formatPrice(prompt).text} / ${formatPrice(completion).text}`}</span>
        );
      },
    },
  ];
}

/** Both a fixed price and a ratio are set. */
function Conflict({ row }: { readonly row: PriceRow }) {
  const { t } = useTranslation();
  if (!row.conflict) return null;
  return (
    <ExplainedTag tone="org" why={t('prices.conflict.why')}>
      {t('prices.conflict')}
    </ExplainedTag>
  );
}
