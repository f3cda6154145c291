/**
 * The vendors' list prices: the price options as they are before anybody changes them, with what was
 * learned of prices since.
 */
import type { CatalogueData } from '../models/catalogue.ts';
import { knownModels } from '../models/known-models.ts';
import { withAddedPrices } from './added-prices.ts';
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

let known: { readonly added: CatalogueData; readonly tables: PriceTables } | undefined;

/** Undefined: the program knows no list price of the model. */
export function findListPrice(model: string): ModelPrice | undefined {
  const { added } = knownModels;
  if (known?.added !== added) known = { added, tables: listTables() };
  return findPrice(model, known.tables);
}

function listTables(): PriceTables {
  const presets = {
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
  };
  return buildPriceTables(withAddedPrices(presets, knownModels), catalogueDetails);
}
