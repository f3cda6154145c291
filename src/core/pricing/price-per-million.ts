import {
  compare,
  type Decimal,
  decimal,
  divide,
  multiply,
  toNumber,
  zero,
} from '../kernel/decimal.ts';
import type { ModelPrice, RatioPrice } from './find-price.ts';

/** Decimal places of a computed price; more than any list price has. */
const places = 12;
const million = decimal(1_000_000);

/**
 * Currency units per million tokens of each kind, group ratio included. For display: charges are
 * computed from ratios.
 */
export interface PricesPerMillion {
  readonly prompt: Decimal;
  readonly completion: Decimal;
  readonly cached: Decimal;
  readonly cacheWrite: Decimal;
  /** Absent where audio costs the same as text. */
  readonly audioIn?: Decimal;
  readonly audioOut?: Decimal;
}

/**
 * Price of a million tokens at `ratio` quota each: ratio × 1,000,000 ÷ QuotaPerUnit
 * (docs/rules/pricing.md#price-per-million).
 */
export function pricePerMillion(ratio: Decimal, quotaPerUnit: Decimal): Decimal {
  return divide(multiply(ratio, million), quotaPerUnit, places);
}

/**
 * At the default QuotaPerUnit: prompt = 2 × model ratio × group ratio, completion = prompt ×
 * completion ratio, and so on.
 */
export function pricesPerMillion(
  price: RatioPrice,
  groupRatio: Decimal,
  quotaPerUnit: Decimal,
): PricesPerMillion {
  const base = multiply(price.modelRatio, groupRatio);
  const priceOf = (ratio: Decimal) => pricePerMillion(multiply(base, ratio), quotaPerUnit);
  return {
    prompt: pricePerMillion(base, quotaPerUnit),
    completion: priceOf(price.completionRatio),
    cached: priceOf(price.cacheRatio),
    cacheWrite: priceOf(price.cacheWriteRatio),
    ...(price.audioRatio === undefined
      ? {}
      : {
          audioIn: priceOf(price.audioRatio),
          audioOut: priceOf(multiply(price.audioRatio, price.audioCompletionRatio)),
        }),
  };
}

/** What a price list has figures of. */
export type PriceKind =
  | 'input'
  | 'output'
  | 'cache_read'
  | 'cache_write'
  | 'audio_input'
  | 'audio_output'
  | 'call';

/** Figures by kind; those of a second of video by its resolution: `second_720P`. */
export type KindPrices = Readonly<
  Partial<Record<PriceKind, Decimal>> & Record<`second_${string}`, Decimal>
>;

/** Currency units per million tokens of each kind, per call, or per second of video by resolution. */
export function pricesByKind(
  price: ModelPrice,
  groupRatio: Decimal,
  quotaPerUnit: Decimal,
): KindPrices {
  if (price.kind === 'call')
    return price.perSecond === undefined
      ? { call: multiply(price.price, groupRatio) }
      : Object.fromEntries(
          [...price.perSecond].map(([name, second]) => [
            `second_${name}`,
            multiply(second, groupRatio),
          ]),
        );
  const { prompt, completion, cached, cacheWrite, audioIn, audioOut } = pricesPerMillion(
    price,
    groupRatio,
    quotaPerUnit,
  );
  return {
    input: prompt,
    output: completion,
    cache_read: cached,
    cache_write: cacheWrite,
    ...(audioIn && audioOut && { audio_input: audioIn, audio_output: audioOut }),
  };
}

/** Currency units per call: price × group ratio. Undefined for a price by tokens. */
export function pricePerCall(price: ModelPrice, groupRatio: Decimal): Decimal | undefined {
  return price.kind === 'call' ? multiply(price.price, groupRatio) : undefined;
}

/**
 * Currency units per image and model ratio, for models that have a ratio but report no tokens
 * (docs/rules/pricing.md#image-price).
 */
const pricePerRatio = decimal('0.0025');

/** The price of one image of a model with this ratio. */
export function imagePriceOfRatio(modelRatio: Decimal): Decimal {
  return multiply(pricePerRatio, modelRatio);
}

/** Converts currency units to yuan. `yuanPerUnit` is the option Price (7.3 by default). */
export function inYuan(amount: Decimal, yuanPerUnit: Decimal): Decimal {
  return multiply(amount, yuanPerUnit);
}

/**
 * Inverse of {@link pricePerMillion}, for the visual price editor: ratio = price per million ÷ 2 at
 * the default QuotaPerUnit (docs/rules/pricing.md#price-per-million).
 */
export function ratioFromPrice(perMillion: Decimal, quotaPerUnit: Decimal): number {
  return toNumber(divide(multiply(perMillion, quotaPerUnit), million, places));
}

/** Completion ratio = output price ÷ input price; undefined when the input is free. */
export function completionRatioFromPrices(
  inputPerMillion: Decimal,
  outputPerMillion: Decimal,
): number | undefined {
  if (compare(inputPerMillion, zero) === 0) return undefined;
  return toNumber(divide(outputPerMillion, inputPerMillion, places));
}
