/** Prices of a model for a group, as the price list and the model square show them. */
import type { PricingRow } from '../../core/contract/catalog.ts';
import { type Decimal, decimal, multiply } from '../../core/kernel/decimal.ts';
import { type PricesPerMillion, pricesPerMillion } from '../../core/pricing/price-per-million.ts';

/** What a price is computed from. */
export type PriceFields = Omit<
  PricingRow,
  'model_name' | 'owner_by' | 'enable_groups' | 'unpriced'
>;

export interface GroupPrice {
  /** Units per million tokens with the group ratio; undefined for a price per request. */
  readonly prices: PricesPerMillion | undefined;
  /** Units per request, with the group ratio. */
  readonly perRequest: Decimal | undefined;
}

export interface PricedModel extends GroupPrice {
  readonly row: PricingRow;
  readonly name: string;
  readonly vendor: string;
  /** Of the group; in all prices but those of the row. */
  readonly groupRatio: number;
  /** Whether the group can call it. */
  readonly available: boolean;
  /** From a day (UTC) on. Absent: no change is known. */
  readonly next?: { readonly from: string; readonly prices: PricesPerMillion };
}

export function priceAt(row: PriceFields, ratio: number, quotaPerUnit: number): GroupPrice {
  const groupRatio = decimal(ratio);
  if (row.quota_type === 1)
    return { prices: undefined, perRequest: multiply(decimal(row.model_price), groupRatio) };
  const price = {
    kind: 'ratio',
    modelRatio: decimal(row.model_ratio),
    completionRatio: decimal(row.completion_ratio),
    cacheRatio: decimal(row.cache_ratio),
    cacheWriteRatio: decimal(row.cache_creation_ratio),
    ...(row.audio_ratio === undefined ? {} : { audioRatio: decimal(row.audio_ratio) }),
    audioCompletionRatio: decimal(row.audio_completion_ratio),
    imageRatio: decimal(row.image_ratio),
  } as const;
  return {
    prices: pricesPerMillion(price, groupRatio, decimal(quotaPerUnit)),
    perRequest: undefined,
  };
}

export function priceForGroup(
  row: PricingRow,
  group: { readonly name: string; readonly ratio: number },
  quotaPerUnit: number,
  vendor: string,
): PricedModel {
  const available = row.enable_groups.includes(group.name);
  const { next_price: next } = row;
  const later = next && priceAt({ ...row, ...next }, group.ratio, quotaPerUnit).prices;
  return {
    row,
    name: row.model_name,
    vendor,
    available,
    groupRatio: group.ratio,
    ...(next && later && { next: { from: next.from, prices: later } }),
    ...priceAt(row, group.ratio, quotaPerUnit),
  };
}
