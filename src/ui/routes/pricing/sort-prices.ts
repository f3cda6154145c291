import { compare } from '../../../core/kernel/decimal.ts';
import type { PricesPerMillion } from '../../../core/pricing/price-per-million.ts';
import type { PricedModel } from '../../components/priced-model.ts';
import type { ColumnSorting } from '../../list/columns.ts';

/** Columns that a list is sorted by, and the price of each. */
const sorted: Readonly<Record<string, keyof PricesPerMillion>> = {
  input: 'prompt',
  cached: 'cached',
  cacheWrite: 'cacheWrite',
  output: 'completion',
  audioIn: 'audioIn',
  audioOut: 'audioOut',
};
export const isSorted = (column: string): boolean => Object.hasOwn(sorted, column);

/** As the address has it: `input`, the cheapest first, or `-input`. */
function readSort(text: string): Pick<ColumnSorting, 'column' | 'direction'> | undefined {
  const column = text.replace(/^-/, '');
  if (!isSorted(column)) return undefined;
  return { column, direction: text.startsWith('-') ? 'desc' : 'asc' };
}

/** The sorting of a table's head; a second choice of a column turns it, a third ends it. */
export function priceSorting(text: string, change: (text: string) => void): ColumnSorting {
  const current = readSort(text);
  return {
    column: current?.column ?? '',
    direction: current?.direction ?? 'asc',
    onSort: (column) => {
      if (current?.column !== column) change(column);
      else change(current.direction === 'asc' ? `-${column}` : '');
    },
  };
}

/** In the order that the address names; models without such a price are last. */
export function sortPrices(models: readonly PricedModel[], text: string): readonly PricedModel[] {
  const sort = readSort(text);
  const kind = sort === undefined ? undefined : sorted[sort.column];
  if (sort === undefined || kind === undefined) return models;
  const sign = sort.direction === 'asc' ? 1 : -1;
  const priceOf = ({ row, prices }: PricedModel) => (row.unpriced ? undefined : prices?.[kind]);
  return [...models].sort((a, b) => {
    const left = priceOf(a);
    const right = priceOf(b);
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined);
    return sign * compare(left, right);
  });
}
