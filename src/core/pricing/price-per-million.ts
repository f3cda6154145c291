import { compare, type Decimal, decimal, divide, multiply, toNumber, zero } from '../kernel/decimal.ts';
import type { ModelPrice, RatioPrice } from './find-price.ts';

/** Places a price is worked out to before it is shown; more than any list price has. */
const places = 12;
const million = decimal(1_000_000);

/** Currency units for a million tokens of each kind, group ratio included. For showing: charges are made of ratios. */
export interface PricesPerMillion {
  readonly prompt: Decimal;
  readonly completion: Decimal;
  readonly cached: Decimal;
  readonly cacheWrite: Decimal;
  /** Absent where audio costs what text costs. */
  readonly audioIn?: Decimal;
  readonly audioOut?: Decimal;
}

/**
 * Price of a million tokens at `ratio` quota each: ratio × 1,000,000 ÷ QuotaPerUnit, which is the seeds' 2 × ratio at the
 * default of 500,000 (seed, administration 9; end user 9).
 */
export function pricePerMillion(ratio: Decimal, quotaPerUnit: Decimal): Decimal {
  return divide(multiply(ratio, million), quotaPerUnit, places);
}

/** Prompt = 2 × model ratio × group ratio, completion = that × completion ratio, and so on for the other kinds. */
export function pricesPerMillion(price: RatioPrice, groupRatio: Decimal, quotaPerUnit: Decimal): PricesPerMillion {
  const base = multiply(price.modelRatio, groupRatio);
  const priceOf = (ratio: Decimal) => pricePerMillion(multiply(base, ratio), quotaPerUnit);
  return {
    prompt: pricePerMillion(base, quotaPerUnit),
    completion: priceOf(price.completionRatio),
    cached: priceOf(price.cacheRatio),
    cacheWrite: priceOf(price.cacheWriteRatio),
    ...(price.audioRatio === undefined
      ? {}
      : { audioIn: priceOf(price.audioRatio), audioOut: priceOf(multiply(price.audioRatio, price.audioCompletionRatio)) }),
  };
}

/** Units per call: price × group ratio. Undefined for a price by tokens. */
export function pricePerCall(price: ModelPrice, groupRatio: Decimal): Decimal | undefined {
  return price.kind === 'call' ? multiply(price.price, groupRatio) : undefined;
}

/** An amount in units as yuan, by the option Price (7.3 yuan per unit). */
export function inYuan(amount: Decimal, yuanPerUnit: Decimal): Decimal {
  return multiply(amount, yuanPerUnit);
}

/** The visual editor's way back (seed, administration 5): ratio = price per million ÷ 2, at the default QuotaPerUnit. */
export function ratioFromPrice(perMillion: Decimal, quotaPerUnit: Decimal): number {
  return toNumber(divide(multiply(perMillion, quotaPerUnit), million, places));
}

/** Completion ratio = output price ÷ input price; undefined when the input is free. */
export function completionRatioFromPrices(inputPerMillion: Decimal, outputPerMillion: Decimal): number | undefined {
  if (compare(inputPerMillion, zero) === 0) return undefined;
  return toNumber(divide(outputPerMillion, inputPerMillion, places));
}
