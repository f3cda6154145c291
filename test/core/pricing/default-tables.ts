import {
  defaultCacheRatio,
  defaultCompletionRatio,
  defaultGroupRatio,
  defaultImageRatio,
  defaultModelPrice,
  defaultModelRatio,
} from '../../../src/core/pricing/defaults.ts';
import { buildPriceTables, type PriceOptions } from '../../../src/core/pricing/tables.ts';

/** The tables of a fresh installation, with what a test changes. */
export function pricesWith(changes: Partial<PriceOptions> = {}) {
  return buildPriceTables({
    ModelRatio: defaultModelRatio,
    ModelPrice: defaultModelPrice,
    CompletionRatio: defaultCompletionRatio,
    CacheRatio: defaultCacheRatio,
    CreateCacheRatio: {},
    AudioRatio: {},
    AudioCompletionRatio: {},
    ImageRatio: defaultImageRatio,
    GroupRatio: defaultGroupRatio,
    GroupGroupRatio: {},
    ...changes,
  });
}
