/**
 * The vendors' list prices: the price options as they are before anybody changes them, with what was
 * learned of prices since.
 */
import { type Decimal, toNumber } from '../kernel/decimal.ts';
import type { CatalogueData } from '../models/catalogue.ts';
import { knownModels } from '../models/known-models.ts';
import { withAddedPrices } from './added-prices.ts';
import { catalogueDetails } from './catalogue-details.ts';
import { ratioAtUnit, usualUnit } from './catalogue-prices.ts';
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

/**
 * In quota at this QuotaPerUnit; absent: the usual one. Undefined: the program knows no list price
 * of the model.
 */
export function findListPrice(model: string, quotaPerUnit?: Decimal): ModelPrice | undefined {
  const { added } = knownModels;
  if (known?.added !== added) known = { added, tables: listTables() };
  const price = findPrice(model, known.tables);
  if (price?.kind !== 'ratio' || quotaPerUnit === undefined) return price;
  if (toNumber(quotaPerUnit) === usualUnit) return price;
  return { ...price, modelRatio: ratioAtUnit(price.modelRatio, quotaPerUnit) };
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
