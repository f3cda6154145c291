/** The price that a model will have from a day on (docs/rules/models.md#dated-prices). */
import { toNumber } from '../kernel/decimal.ts';
import { bareModelName, knownModels } from '../models/known-models.ts';
import { ratiosOf } from './catalogue-prices.ts';
import type { ModelPrice } from './find-price.ts';

/** As the price list's rows have it; `from` is a day in UTC. */
export interface PriceChange {
  readonly from: string;
  readonly model_ratio: number;
  readonly completion_ratio: number;
}

/** `price`: what the site charges now. Undefined: it stays, or is the site's own. */
export function priceChangeOf(
  model: string,
  price: ModelPrice | undefined,
): PriceChange | undefined {
  const { row } = knownModels.find(bareModelName(model));
  if (row?.price === undefined || row.nextPrice === undefined || price?.kind !== 'ratio')
    return undefined;
  if (toNumber(price.modelRatio) !== ratiosOf(row.price).modelRatio) return undefined;
  const { modelRatio = 0, completionRatio = 0 } = ratiosOf(row.nextPrice.price);
  return { from: row.nextPrice.from, model_ratio: modelRatio, completion_ratio: completionRatio };
}
