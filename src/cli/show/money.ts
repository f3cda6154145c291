/**
 * Formatting of amounts by the site's settings, which are fetched once, and only if an amount is
 * displayed.
 */
import type { Overview } from '../../core/contract/overview.ts';
import { decimal } from '../../core/kernel/decimal.ts';
import { formatCost, formatTotal, type MoneyDisplay } from '../../core/pricing/format.ts';

export interface Money {
  readonly display: MoneyDisplay;
  /** A cost in a list: six decimals. */
  cost(quota: number): string;
  /** A balance or a sum: two decimals. */
  total(quota: number): string;
}

export interface MoneySettings {
  readonly quota_per_unit: number;
  readonly display_in_currency: boolean;
}

export function createMoney(settings: MoneySettings): Money {
  const display: MoneyDisplay = {
    inCurrency: settings.display_in_currency,
    quotaPerUnit: decimal(settings.quota_per_unit),
  };
  return {
    display,
    cost: (quota) => formatCost(quota, display).text,
    total: (quota) => formatTotal(quota, display).text,
  };
}

/**
 * The default options: 500,000 quota are one dollar, amounts are displayed in currency
 * (docs/rules/options.md#quota-per-unit).
 */
export const defaultMoney = createMoney({ quota_per_unit: 500_000, display_in_currency: true });

/** Share of today's requests that succeeded, for the header; undefined before the first. */
export function successShare(overview: Pick<Overview, 'succeeded' | 'failed'>): string | undefined {
  const all = overview.succeeded + overview.failed;
  return all === 0 ? undefined : `${((100 * overview.succeeded) / all).toFixed(2)} %`;
}
