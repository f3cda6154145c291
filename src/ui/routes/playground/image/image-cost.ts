/** What images cost, before they are ordered (docs/rules/pricing.md#image-price). */
import type { CatalogModel } from '../../../../core/contract/model-square.ts';
import { decimal } from '../../../../core/kernel/decimal.ts';
import { expectedImageTokens, imageOrder, priceImages } from '../../../../core/pricing/images.ts';
import { imagePriceOfRatio } from '../../../../core/pricing/price-per-million.ts';
import { roughCost } from '../chat/estimate.ts';
import { roughTokens } from '../chat/message.ts';
import type { ImageOrder } from './image-store.ts';

export interface ImageCost {
  /** In quota. */
  readonly quota: number;
  /**
   * each: the price; about: by tokens; most: the model chooses size or quality itself; edit: by
   * tokens, without those of the image that is edited, which only the upstream counts.
   */
  readonly kind: 'each' | 'about' | 'most' | 'edit';
}

/** Undefined: the model has no price. `ratio`: of the group. */
export function imageCost(
  price: CatalogModel,
  ratio: number,
  { prompt, size, quality, count, source }: ImageOrder,
  quotaPerUnit: number,
): ImageCost | undefined {
  if (price.unpriced) return undefined;
  const { model } = price;
  const order = imageOrder(model, { count, size, ...(quality !== '' && { quality }) });
  const isByCall = price.quota_type === 1;
  const tokens = isByCall ? undefined : expectedImageTokens(model, order);
  if (tokens !== undefined) {
    const quota = roughCost(price, ratio, {
      prompt: roughTokens(prompt),
      output: tokens,
      quotaPerUnit,
    });
    if (source !== undefined) return { quota, kind: 'edit' };
    return { quota, kind: size === 'auto' || quality === 'auto' ? 'most' : 'about' };
  }
  const each = isByCall
    ? decimal(price.model_price)
    : imagePriceOfRatio(decimal(price.model_ratio));
  const call = { kind: 'call', price: each } as const;
  const { quota } = priceImages(model, call, order, decimal(ratio), decimal(quotaPerUnit));
  return { quota, kind: isByCall ? 'each' : 'about' };
}
