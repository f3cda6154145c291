/** A row of the price list for one group, with its prices. */
import type { PricingRow } from '../../../core/contract/catalog.ts';
import { type Decimal, decimal, multiply } from '../../../core/kernel/decimal.ts';
import { type PricesPerMillion, pricesPerMillion } from '../../../core/pricing/price-per-million.ts';

export interface PricedModel {
  readonly row: PricingRow;
  readonly name: string;
  readonly vendor: string;
  /** Whether the group can call it. */
  readonly available: boolean;
  /** Units per million tokens with the group ratio; undefined for a price per request. */
  readonly prices: PricesPerMillion | undefined;
  /** Units per request, with the group ratio. */
  readonly perRequest: Decimal | undefined;
}

export function priceForGroup(
  row: PricingRow,
  group: { readonly name: string; readonly ratio: number },
  quotaPerUnit: number,
  vendor: string,
): PricedModel {
  const groupRatio = decimal(group.ratio);
  const model = { row, name: row.model_name, vendor, available: row.enable_groups.includes(group.name) };
  if (row.quota_type === 1) {
    return { ...model, prices: undefined, perRequest: multiply(decimal(row.model_price), groupRatio) };
  }
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
  return { ...model, prices: pricesPerMillion(price, groupRatio, decimal(quotaPerUnit)), perRequest: undefined };
}
