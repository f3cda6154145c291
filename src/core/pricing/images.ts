/** Prices of images that are not charged by tokens (docs/rules/pricing.md#image-price). */
import { compare, type Decimal, decimal, multiply, one } from '../kernel/decimal.ts';
import { imageOutputTokens } from '../models/image-output.ts';
import { factsOf } from '../models/known-models.ts';
import { type Charge, priceCalls } from './cost.ts';
import type { CallPrice, ModelPrice } from './find-price.ts';
import { imagePriceOfRatio } from './price-per-million.ts';

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
const plainSize = '1024x1024';

/** Fills in the defaults of omitted fields. */
export function imageOrder(model: string, given: Partial<ImageOrder>): ImageOrder {
  const { images, imagePrices } = factsOf(model);
  const { count = 1, size, quality, extended } = given;
  const order = {
    count,
    size: size ?? images?.sizes[0] ?? plainSize,
    quality: quality ?? images?.qualities[0] ?? '',
  };
  return extended === true && imagePrices?.byTokens !== true ? { ...order, extended } : order;
}

/** What the catalogue says of a size, of a quality, or of both together. */
function knownFactor(model: string, name: string): Decimal | undefined {
  const factors = factsOf(model).imagePrices?.factors ?? {};
  return Object.hasOwn(factors, name) ? decimal(factors[name] ?? 1) : undefined;
}

/**
 * The factor on the price of one image: by its size and quality, and for extending the prompt first
 * (docs/rules/pricing.md#image-price).
 */
export function imageFactor(model: string, { size, quality, extended }: ImageOrder): Decimal {
  const bySize = knownFactor(model, size) ?? sizeFactors.get(size) ?? one;
  const whole =
    knownFactor(model, `${size} ${quality}`) ??
    multiply(bySize, knownFactor(model, quality) ?? one);
  if (extended !== true) return whole;
  return multiply(whole, decimal(factsOf(model).imagePrices?.extended ?? 1));
}

/** The field of a request that has the prompt extended first. */
const extension = 'prompt_extend';

/**
 * The factors of {@link imageFactor} that are not 1, by size, or by size and quality
 * (`1024x1024 hd`), and that of {@link extension}, which is times the others.
 */
export function imageFactors(model: string): ReadonlyMap<string, Decimal> {
  const { images, imagePrices } = factsOf(model);
  const extended = decimal(imagePrices?.extended ?? 1);
  const priced = images?.qualities.filter((name) => knownFactor(model, name) !== undefined) ?? [];
  const sizes = ['', ...priced].flatMap((quality) =>
    [...sizeFactors.keys(), plainSize].map((size) => {
      const factor = imageFactor(model, { count: 1, size, quality });
      return [`${size} ${quality}`.trim(), factor] as const;
    }),
  );
  return new Map(
    [...sizes, [extension, extended] as const].filter(([, factor]) => compare(factor, one) !== 0),
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
  if (!isBilledByTokens(model)) return undefined;
  return count * imageOutputTokens(quality, size);
}

/** Models that report tokens. */
const isBilledByTokens = (model: string): boolean => factsOf(model).imagePrices?.byTokens === true;

/** Whether the images of a model are charged individually when no tokens were reported. */
export function isPricedEach(model: string, price: ModelPrice): boolean {
  return price.kind === 'call' || !isBilledByTokens(model);
}

/** The price of one image, before the factor for size and quality. */
export function imagePrice(price: ModelPrice): CallPrice {
  return price.kind === 'call'
    ? price
    : { kind: 'call', price: imagePriceOfRatio(price.modelRatio) };
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
