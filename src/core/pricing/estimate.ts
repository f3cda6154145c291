import { add, type Decimal, decimal, multiply } from '../kernel/decimal.ts';
import { maxAmount, type Quota, toQuota } from '../kernel/quota.ts';
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
