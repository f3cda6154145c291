import { catalogueDetails } from '../../../src/core/pricing/catalogue-details.ts';
import {
  defaultAudioCompletionRatio,
  defaultAudioRatio,
  defaultCacheRatio,
  defaultCompletionRatio,
  defaultCreateCacheRatio,
  defaultGroupRatio,
  defaultImageRatio,
  defaultModelPrice,
  defaultModelRatio,
} from '../../../src/core/pricing/defaults.ts';
import { buildPriceTables, type PriceOptions } from '../../../src/core/pricing/tables.ts';

/** The price tables of a new installation, with the changes of a test. */
export function pricesWith(changes: Partial<PriceOptions> = {}) {
  return buildPriceTables(
    {
      ModelRatio: defaultModelRatio,
      ModelPrice: defaultModelPrice,
      CompletionRatio: defaultCompletionRatio,
      CacheRatio: defaultCacheRatio,
      CreateCacheRatio: defaultCreateCacheRatio,
      AudioRatio: defaultAudioRatio,
      AudioCompletionRatio: defaultAudioCompletionRatio,
      ImageRatio: defaultImageRatio,
      ModelPriceDetails: {},
      GroupRatio: defaultGroupRatio,
      GroupGroupRatio: {},
      ...changes,
    },
    catalogueDetails,
  );
}

/** The options of a site without any price. */
export const noPrices: PriceOptions = {
  ModelRatio: {},
  ModelPrice: {},
  CompletionRatio: {},
  CacheRatio: {},
  CreateCacheRatio: {},
  AudioRatio: {},
  AudioCompletionRatio: {},
  ImageRatio: {},
  ModelPriceDetails: {},
  GroupRatio: {},
  GroupGroupRatio: {},
};
