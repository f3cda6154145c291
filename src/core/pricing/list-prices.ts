/** The vendors' list prices: the price options as they are before anybody changes them. */
import { catalogueDetails } from './catalogue-details.ts';
import {
  defaultAudioCompletionRatio,
  defaultAudioRatio,
  defaultCacheRatio,
  defaultCompletionRatio,
  defaultCreateCacheRatio,
  defaultImageRatio,
  defaultModelPrice,
  defaultModelRatio,
} from './defaults.ts';
import { findPrice, type ModelPrice } from './find-price.ts';
import { buildPriceTables, type PriceTables } from './tables.ts';

let tables: PriceTables | undefined;

/** Undefined: the program knows no list price of the model. */
export function findListPrice(model: string): ModelPrice | undefined {
  tables ??= buildPriceTables(
    {
      ModelRatio: defaultModelRatio,
      ModelPrice: defaultModelPrice,
      CompletionRatio: defaultCompletionRatio,
      CacheRatio: defaultCacheRatio,
      ImageRatio: defaultImageRatio,
      CreateCacheRatio: defaultCreateCacheRatio,
      AudioRatio: defaultAudioRatio,
      AudioCompletionRatio: defaultAudioCompletionRatio,
      ModelPriceDetails: {},
      GroupRatio: {},
      GroupGroupRatio: {},
    },
    catalogueDetails,
  );
  return findPrice(model, tables);
}
