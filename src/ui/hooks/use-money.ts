/**
 * Amounts as the site shows them: one formatter, fed with the site's own options
 * (docs/rules/console.md#money).
 */
import { useMemo } from 'react';
import { decimal } from '../../core/kernel/decimal.ts';
import {
  type FormattedMoney,
  formatCost,
  formatTotal,
  type MoneyDisplay,
} from '../../core/pricing/format.ts';
import { useStatus } from '../queries/use-status.ts';

/** Used until the server has replied. */
const defaultQuotaPerUnit = 500_000;

export interface Money {
  readonly display: MoneyDisplay;
  readonly quotaPerUnit: number;
  /** A cost in a list: six decimals. `quota` is an integer of quota. */
  cost(quota: number): FormattedMoney;
  /** A balance or a sum: two decimals. */
  total(quota: number): FormattedMoney;
}

export function useMoney(): Money {
  const status = useStatus();
  const quotaPerUnit = status?.quota_per_unit || defaultQuotaPerUnit;
  const inCurrency = status?.display_in_currency ?? true;
  return useMemo(() => {
    const display: MoneyDisplay = { inCurrency, quotaPerUnit: decimal(quotaPerUnit) };
    return {
      display,
      quotaPerUnit,
      cost: (quota) => formatCost(quota, display),
      total: (quota) => formatTotal(quota, display),
    };
  }, [quotaPerUnit, inCurrency]);
}
