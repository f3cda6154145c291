/** Whether a model costs nothing (docs/rules/console-api.md#model-square). */
import type { PricingRow } from '../contract/catalog.ts';

type Price = Pick<PricingRow, 'model_ratio' | 'model_price'> & Partial<Pick<PricingRow, 'details'>>;

/** Tools that its vendor runs have prices of their own, also of a model whose tokens are free. */
export function hasPaidTools({ details }: Pick<Price, 'details'>): boolean {
  return Object.values(details?.tools ?? {}).some((price) => price > 0);
}

/** Of a model that has a price. */
export function isFree(price: Price): boolean {
  return price.model_ratio === 0 && price.model_price === 0 && !hasPaidTools(price);
}
