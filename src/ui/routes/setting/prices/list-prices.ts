/** The vendor's list price of a model beside the price that is typed for it. */
import {
  compare,
  type Decimal,
  decimal,
  divide,
  multiply,
  one,
  subtract,
  toNumber,
  zero,
} from '../../../../core/kernel/decimal.ts';
import { formatPrice } from '../../../../core/pricing/format.ts';
import { findListPrice } from '../../../../core/pricing/list-prices.ts';
import { type PriceKind, pricesByKind } from '../../../../core/pricing/price-per-million.ts';
import type { TokenKind } from './price-draft.ts';

export type Listed = TokenKind | 'call';

export const kindNames: Readonly<Partial<Record<Listed, PriceKind>>> = {
  input: 'input',
  output: 'output',
  cached: 'cache_read',
  cacheWrite: 'cache_write',
  audioIn: 'audio_input',
  audioOut: 'audio_output',
  call: 'call',
};

/** Per million tokens, or per call; undefined where the program knows none. */
export function listPriceOf(
  model: string,
  kind: Listed,
  quotaPerUnit: number,
): Decimal | undefined {
  const unit = decimal(quotaPerUnit);
  const price = model === '' ? undefined : findListPrice(model, unit);
  const name = kindNames[kind];
  if (price === undefined || name === undefined) return undefined;
  return pricesByKind(price, one, unit)[name];
}

export interface Margin {
  /** `+20%` of what it is compared with. */
  readonly text: string;
  readonly isBelow: boolean;
}

/** How far a price is above or below the list price or the cost; undefined where it is neither. */
export function marginOver(base: Decimal, sold: Decimal | undefined): Margin | undefined {
  if (sold === undefined || compare(base, zero) === 0) return undefined;
  const share = toNumber(divide(multiply(subtract(sold, base), decimal(1000)), base, 0)) / 10;
  if (share === 0) return undefined;
  const isBelow = compare(sold, base) < 0;
  return { text: `${isBelow ? '−' : '+'}${Math.abs(share)}%`, isBelow };
}

export const priceText = (price: Decimal) => formatPrice(price).text;
