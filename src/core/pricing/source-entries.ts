/** Entries of the price options as a source states them. */
import type { ListPrice } from '../models/schema.ts';
import { relativePrices } from './catalogue-details.ts';
import { ratiosOf } from './catalogue-prices.ts';
import type { PriceDetailsEntry } from './details.ts';
import type { UnreadablePrice } from './expression-terms.ts';
import type { PriceOptions } from './tables.ts';

export const sourceTables = [
  'ModelRatio',
  'ModelPrice',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'ImageRatio',
] as const satisfies readonly (keyof PriceOptions)[];
export type SourceTable = (typeof sourceTables)[number];

/** Entries of the price options. What a source leaves out stays as it is. */
export interface SourcePrice extends Readonly<Partial<Record<SourceTable, number>>> {
  readonly details?: PriceDetailsEntry;
}

/** What a source says of prices, by the names of models. */
export interface SourcePrices {
  /** Undefined: the source has none. */
  readonly find: (model: string) => SourcePrice | undefined;
  /** Why it has none that can be read. */
  readonly unreadable: ReadonlyMap<string, UnreadablePrice>;
}

/** Nothing, where there is nothing besides the ratios. */
export function withDetails(details: PriceDetailsEntry): Pick<SourcePrice, 'details'> {
  return Object.keys(details).length === 0 ? {} : { details };
}

/** A list price, dollars per million tokens. */
export function listEntries(price: ListPrice): SourcePrice {
  const ratios = ratiosOf(price);
  const { modelRatio, completionRatio, cacheRatio, cacheWriteRatio } = ratios;
  const { audioRatio, audioCompletionRatio, imageRatio } = ratios;
  return {
    ModelRatio: modelRatio ?? 0,
    ...(completionRatio !== undefined && { CompletionRatio: completionRatio }),
    ...(price.cacheRead !== undefined && { CacheRatio: cacheRatio }),
    ...(price.cacheWrite !== undefined && { CreateCacheRatio: cacheWriteRatio }),
    ...(audioRatio !== undefined && { AudioRatio: audioRatio }),
    ...(audioCompletionRatio !== undefined && { AudioCompletionRatio: audioCompletionRatio }),
    ...(imageRatio !== undefined && { ImageRatio: imageRatio }),
    ...withDetails(relativePrices(price)),
  } as SourcePrice;
}
