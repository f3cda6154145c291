import { add, compare, type Decimal, decimal, multiply, one, zero } from '../kernel/decimal.ts';
import { maxAmount, type Quota, toQuota } from '../kernel/quota.ts';
import { oneHourFactor } from './cost.ts';
import type { ModelPrice } from './find-price.ts';

/**
 * Output tokens assumed for the hold when the request sets no limit; also the maximum that a small hold covers
 * (docs/rules/ledger.md#hold-small-wallet).
 */
export const defaultOutputTokens = 1024;

export interface EstimatedTokens {
  /** Estimated from the size of the text, not tokenized. */
  readonly promptTokens: number;
  /** max_tokens or max_completion_tokens; undefined: {@link defaultOutputTokens}. */
  readonly maxOutputTokens?: number;
}

/**
 * The hold before the call: prompt and longest possible output at full ratios, rounded up
 * (docs/rules/ledger.md#hold-estimate). Throws RangeError on fractional counts.
 */
export function estimateQuota(tokens: EstimatedTokens, price: ModelPrice, groupRatio: Decimal, quotaPerUnit: Decimal): Quota {
  if (price.kind === 'call') return estimateCalls(price.price, 1, groupRatio, quotaPerUnit);
  const output = multiply(decimal(BigInt(tokens.maxOutputTokens ?? defaultOutputTokens)), price.completionRatio);
  const weighted = add(decimal(BigInt(tokens.promptTokens)), output);
  return ceilQuota(multiply(weighted, multiply(price.modelRatio, groupRatio)));
}

/** The most that a request can use, by its body and its limits. */
export interface MostTokens {
  readonly promptTokens: number;
  /** Of images, recordings and files. */
  readonly mediaTokens: number;
  readonly outputTokens: number;
  /** The longest time for which parts of the prompt are cached. */
  readonly caching: 'none' | '5m' | '1h';
  /** Web searches that the model makes in any case. */
  readonly searches: number;
}

/**
 * The hold that no charge exceeds (docs/rules/ledger.md#hold-estimate): every token at the dearest ratio that it can be
 * charged at, rounded up. Throws RangeError on fractional counts.
 */
export function mostQuota(most: MostTokens, price: ModelPrice, groupRatio: Decimal, quotaPerUnit: Decimal): Quota {
  if (price.kind === 'call') return estimateCalls(price.price, 1, groupRatio, quotaPerUnit);
  const { cacheRatio, cacheWriteRatio, imageRatio, completionRatio, audioRatio = one, audioCompletionRatio } = price;
  const written = most.caching === '1h' ? multiply(cacheWriteRatio, oneHourFactor) : cacheWriteRatio;
  const prompt = largest(one, cacheRatio, ...(most.caching === 'none' ? [] : [written]));
  const output = largest(
    completionRatio,
    ...(price.audioRatio === undefined ? [] : [multiply(audioRatio, audioCompletionRatio)]),
  );
  const tokens = (count: number, ratio: Decimal) => multiply(decimal(BigInt(count)), ratio);
  const weighted = add(
    add(tokens(most.promptTokens, prompt), tokens(most.mediaTokens, largest(prompt, imageRatio, audioRatio))),
    tokens(most.outputTokens, output),
  );
  const searched = multiply(
    multiply(decimal(most.searches), price.searchPrice ?? zero),
    multiply(decimal('0.001'), quotaPerUnit),
  );
  return ceilQuota(multiply(add(multiply(weighted, price.modelRatio), searched), groupRatio));
}

function largest(first: Decimal, ...others: readonly Decimal[]): Decimal {
  return others.reduce((most, ratio) => (compare(ratio, most) > 0 ? ratio : most), first);
}

/** The hold before `count` calls at a fixed price (images), rounded up. */
export function estimateCalls(price: Decimal, count: number, groupRatio: Decimal, quotaPerUnit: Decimal): Quota {
  return ceilQuota(multiply(multiply(multiply(price, decimal(count)), quotaPerUnit), groupRatio));
}

function ceilQuota(value: Decimal): Quota {
  const unit = 10n ** BigInt(value.scale);
  const whole = value.digits / unit;
  const ceiled = value.digits % unit > 0n ? whole + 1n : whole;
  return toQuota(ceiled > maxAmount ? maxAmount : ceiled); // no charge is larger
}
