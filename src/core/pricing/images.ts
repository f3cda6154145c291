/** What images cost beside tokens (spec, billing 5: images). */
import { type Decimal, decimal, multiply, one } from '../kernel/decimal.ts';
import type { CallPrice, ModelPrice } from './find-price.ts';

/** What a caller orders; omitted fields as the model understands them. */
export interface ImageOrder {
  readonly count: number;
  /** `1024x1024`, or `auto`. */
  readonly size: string;
  /** `standard`, `hd`, `low`, `medium`, `high`, `auto`; empty where the model knows none. */
  readonly quality: string;
  /** The prompt is to be written out by a model first. */
  readonly extended?: boolean;
}

/** Callers write sizes and qualities as they like, names that every object has included. */
const sizeFactors: ReadonlyMap<string, Decimal> = new Map([
  ['256x256', decimal('0.4')],
  ['512x512', decimal('0.45')],
  ['1024x1792', decimal(2)],
  ['1792x1024', decimal(2)],
]);
const longSizes: ReadonlySet<string> = new Set(['1024x1792', '1792x1024']);

/** Models that tell tokens, and how many one image takes by size and quality (OpenAI's price list). */
const tokenModels = /^(chat)?gpt-image/;
type ImageTokens = readonly [square: number, portrait: number, landscape: number];
const dearest: ImageTokens = [4160, 6240, 6208];
const imageTokens: ReadonlyMap<string, ImageTokens> = new Map([
  ['low', [272, 408, 400]],
  ['medium', [1056, 1584, 1568]],
  ['high', dearest],
]);

/** Fills in what the caller left out. */
export function imageOrder(model: string, given: Partial<ImageOrder>): ImageOrder {
  const { count = 1, size, quality, extended } = given;
  if (tokenModels.test(model)) return { count, size: size ?? 'auto', quality: quality ?? 'auto' };
  const standard = model.startsWith('dall-e-3') ? 'standard' : '';
  const order = { count, size: size ?? '1024x1024', quality: quality ?? standard };
  return extended === true ? { ...order, extended } : order;
}

/** What the price of one image is multiplied by: its size, dall-e-3's `hd`, z-image's writing out (spec, providers-china 4.5). */
export function imageFactor(model: string, { size, quality, extended }: ImageOrder): Decimal {
  const bySize = sizeFactors.get(size) ?? one;
  if (extended === true && model.startsWith('z-image')) return multiply(bySize, decimal(2));
  if (!model.startsWith('dall-e-3') || quality !== 'hd') return bySize;
  return multiply(bySize, decimal(longSizes.has(size) ? '1.5' : 2));
}

/**
 * Output tokens the whole order will take, for models that are charged by them; undefined for all others. What is left to
 * the model is taken at its dearest.
 */
export function expectedImageTokens(model: string, { count, size, quality }: ImageOrder): number | undefined {
  if (!tokenModels.test(model)) return undefined;
  const [square, portrait, landscape] = imageTokens.get(quality) ?? dearest;
  return count * (size === '1024x1024' ? square : size === '1536x1024' ? landscape : portrait);
}

/** Price of one image in units per model ratio, where a model has a ratio and tells no tokens (spec, billing 5, [R]). */
const pricePerRatio = decimal('0.0025');

/** Whether images of a model are charged one by one where it told no tokens. */
export function isPricedEach(model: string, price: ModelPrice): boolean {
  return price.kind === 'call' || !tokenModels.test(model);
}

/** The price of one image of an order, size and quality not yet in it. */
export function imagePrice(price: ModelPrice): CallPrice {
  return price.kind === 'call' ? price : { kind: 'call', price: multiply(pricePerRatio, price.modelRatio) };
}
