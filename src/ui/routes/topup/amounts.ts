/** Amounts that a top-up can have (docs/rules/payments.md#top-up-price). */
import type { ServerStatus } from '../../queries/use-status.ts';

const usual = [10, 20, 50, 100, 200, 500] as const;

export interface AmountRules {
  /**
   * The least amount, and the amounts that are offered, in the unit in which amounts are entered.
   */
  readonly min: number;
  readonly picks: readonly number[];
}

/** Amounts are currency units, or quota while the site shows amounts as quota. */
export function amountRules(
  status: Pick<ServerStatus, 'min_topup' | 'display_in_currency' | 'quota_per_unit'>,
): AmountRules {
  const { min_topup: min, display_in_currency: inCurrency, quota_per_unit: quotaPerUnit } = status;
  const picks = min <= usual[0] ? usual : [1, 2, 5, 10, 20, 50].map((factor) => factor * min);
  const unit = inCurrency ? 1 : quotaPerUnit;
  return { min: Math.ceil(min * unit), picks: picks.map((pick) => Math.ceil(pick * unit)) };
}
