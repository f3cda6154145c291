/**
 * What the model square shows of a model: its stored entry with the prices and groups of the price
 * list now.
 */
import type { PricingRow } from '../contract/catalog.ts';
import type { CatalogModel, ManagedModel } from '../contract/model-square.ts';
import { parseJson } from '../kernel/json.ts';
import { typeOfModel } from '../models/model-type.ts';
import { isFree } from '../pricing/is-free.ts';
import type { ModelSquareEntry } from '../storage/storage.ts';
import { catalogPriceTypes, catalogStatuses, modelTypes } from '../vocabulary/model-square.ts';
import { knownDescription, knownFacts } from './known-facts.ts';

/** Prices and groups of a price row. The ratios of a price per call are 0. */
function livePart({ model_name: _name, owner_by: _owner, enable_groups, ...prices }: PricingRow) {
  return { ...prices, enable_group: enable_groups };
}

/**
 * The stored price per call stands in for a price that is not set
 * (docs/rules/console-api.md#model-square), unless the model is sold without one.
 */
function withStoredPrice(row: PricingRow, stored: string | null, isSold: boolean): PricingRow {
  if (!row.unpriced || stored === null || isSold) return row;
  return {
    ...row,
    unpriced: false,
    quota_type: 1,
    model_price: Number(stored),
    model_ratio: 0,
    completion_ratio: 0,
  };
}

export function readWords(text: string): string[] {
  const value = parseJson(text);
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

/** `isSold`: the reader can call it. */
export function presentEntry(
  entry: ModelSquareEntry,
  row: PricingRow,
  isSold: boolean,
): ManagedModel {
  const known = knownFacts(entry.model);
  return {
    model: entry.model,
    icon: entry.icon,
    description: entry.description,
    description_en: entry.descriptionEn,
    type: entry.type,
    type_en: entry.typeEn,
    tags: readWords(entry.tags),
    tags_en: readWords(entry.tagsEn),
    manufacturer: entry.manufacturer,
    price_type: entry.priceType,
    ...known,
    context: entry.context || known.context,
    specification: readWords(entry.specification),
    publish_time: entry.publishTime,
    status: entry.status,
    ...livePart(withStoredPrice(row, entry.modelPrice, isSold)),
    created_time: entry.createdTime,
    updated_time: entry.updatedTime,
    stored_model_price: entry.modelPrice,
  };
}

/** Managers see more than visitors. */
export function publicPart({
  created_time: _c,
  updated_time: _u,
  stored_model_price: _s,
  ...model
}: ManagedModel): CatalogModel {
  return model;
}

/** A model that nobody described. */
export function presentUndescribed(row: PricingRow): CatalogModel {
  const { zh, en } = modelTypes[typeOfModel(row.model_name)];
  return {
    model: row.model_name,
    icon: '',
    ...knownDescription(row.model_name),
    type: zh,
    type_en: en,
    tags: [],
    tags_en: [],
    manufacturer: '',
    price_type: !row.unpriced && isFree(row) ? catalogPriceTypes.free : catalogPriceTypes.billed,
    ...knownFacts(row.model_name),
    specification: [],
    status: catalogStatuses.enabled,
    ...livePart(row),
  };
}
