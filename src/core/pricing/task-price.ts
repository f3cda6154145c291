/** What a drawing, a song or a video costs (docs/rules/tasks.md#task-price). */
import { decimal, multiply } from '../kernel/decimal.ts';
import type { CallPrice, ModelPrice } from './find-price.ts';

/** Currency units, where a model has no price. */
const defaultPrice = decimal('0.1');
/**
 * Half of a model's ratio is its price per call, where it has no other: a ratio of 1 is 2 units per
 * million tokens.
 */
const half = decimal('0.5');

/** The price of a task of a model with this price; undefined, or an assumed one: it has none. */
export function taskPrice(price: ModelPrice | undefined): CallPrice {
  if (price?.kind === 'call') return price;
  const isPriced = price !== undefined && price.assumed !== true;
  return { kind: 'call', price: isPriced ? multiply(price.modelRatio, half) : defaultPrice };
}
