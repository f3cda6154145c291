/** Prices of images that are not charged by tokens (docs/rules/pricing.md#image-price). */
import { compare, type Decimal, decimal, multiply, one } from '../kernel/decimal.ts';
import { imageOutputTokens } from '../models/image-output.ts';
import { type Charge, priceCalls } from './cost.ts';
import type { CallPrice, ModelPrice } from './find-price.ts';

/** A request for images, with the model's defaults for omitted fields. */
export interface ImageOrder {
  readonly count: number;
  /** `1024x1024`, or `auto`. */
  readonly size: string;
  /**
   * `standard`, `hd`, `low`, `medium`, `high`, `auto`; empty where the model has no such setting.
   */
  readonly quality: string;
  /** The upstream rewrites and extends the prompt first. */
  readonly extended?: boolean;
}

/** A Map, because sizes and qualities come from callers and may be names such as `constructor`. */
const sizeFactors: ReadonlyMap<string, Decimal> = new Map([
  ['256x256', decimal('0.4')],
  ['512x512', decimal('0.45')],
  ['1024x1792', decimal(2)],
  ['1792x1024', decimal(2)],
]);
/**
 * Of DALL·E 2, where the largest is $0.02: $0.018 and $0.016, as OpenAI's list had it until the model
 * ended, and LiteLLM's (https://models.litellm.ai) by pixels.
 */
const olderFactors: ReadonlyMap<string, Decimal> = new Map([
  ['256x256', decimal('0.8')],
  ['512x512', decimal('0.9')],
]);
const olderModels = /^dall-e(?!-3)/;
const longSizes: ReadonlySet<string> = new Set(['1024x1792', '1792x1024']);

/** Models that report tokens. */
const tokenModels = /^(chat)?gpt-image/;

/** Fills in the defaults of omitted fields. */
export function imageOrder(model: string, given: Partial<ImageOrder>): ImageOrder {
  const { count = 1, size, quality, extended } = given;
  if (tokenModels.test(model)) return { count, size: size ?? 'auto', quality: quality ?? 'auto' };
  const standard = model.startsWith('dall-e-3') ? 'standard' : '';
  const order = { count, size: size ?? '1024x1024', quality: quality ?? standard };
  return extended === true ? { ...order, extended } : order;
}

/**
 * The factor on the price of one image: its size (dall-e-2 has its own), dall-e-3's `hd`, z-image's prompt rewriting
 * (docs/rules/pricing.md#image-price).
 */
export function imageFactor(model: string, { size, quality, extended }: ImageOrder): Decimal {
  const older = olderModels.test(model) ? olderFactors.get(size) : undefined;
  const bySize = older ?? sizeFactors.get(size) ?? one;
  if (extended === true && model.startsWith('z-image')) return multiply(bySize, decimal(2));
  if (!model.startsWith('dall-e-3') || quality !== 'hd') return bySize;
  return multiply(bySize, decimal(longSizes.has(size) ? '1.5' : 2));
}

/** The factors of {@link imageFactor} that are not 1, by size, or by size and quality (`1024x1024 hd`). */
export function imageFactors(model: string): ReadonlyMap<string, Decimal> {
  const qualities = model.startsWith('dall-e-3') ? ['', 'hd'] : [''];
  return new Map(
    qualities.flatMap((quality) =>
      [...sizeFactors.keys(), '1024x1024'].flatMap((size) => {
        const factor = imageFactor(model, { count: 1, size, quality });
        return compare(factor, one) === 0 ? [] : [[`${size} ${quality}`.trim(), factor] as const];
      }),
    ),
  );
}

/**
 * Expected output tokens of the whole request, for models that are charged by tokens; undefined for
 * all others. `auto` counts as the most expensive setting.
 */
export function expectedImageTokens(
  model: string,
  { count, size, quality }: ImageOrder,
): number | undefined {
  if (!tokenModels.test(model)) return undefined;
  return count * imageOutputTokens(quality, size);
}

/**
 * Currency units per image and model ratio, for models that have a ratio but report no tokens
 * (docs/rules/pricing.md#image-price).
 */
const pricePerRatio = decimal('0.0025');

/** Whether the images of a model are charged individually when no tokens were reported. */
export function isPricedEach(model: string, price: ModelPrice): boolean {
  return price.kind === 'call' || !tokenModels.test(model);
}

/** The price of one image, before the factor for size and quality. */
export function imagePrice(price: ModelPrice): CallPrice {
  return price.kind === 'call'
    ? price
    : { kind: 'call', price: imagePriceOfRatio(price.modelRatio) };
}

/** The price of one image of a model with this ratio. */
export function imagePriceOfRatio(modelRatio: Decimal): Decimal {
  return multiply(pricePerRatio, modelRatio);
}

/** The charge for images that are priced one by one. */
export function priceImages(
  model: string,
  price: ModelPrice,
  order: ImageOrder,
  groupRatio: Decimal,
  quotaPerUnit: Decimal,
): Charge {
  return priceCalls(
    multiply(imagePrice(price).price, imageFactor(model, order)),
    order.count,
    groupRatio,
    quotaPerUnit,
  );
}
