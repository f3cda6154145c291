/**
 * Lines of a charge whose price is in currency units for each, and the QuotaPerUnit that they were
 * charged at (docs/rules/pricing.md#explanation).
 */
import { type Decimal, decimal, toNumber } from '../kernel/decimal.ts';
import type { ChargeKind, ChargeLine } from './cost.ts';

/** Whether the count of a line is calls of any kind rather than tokens. */
export function isPerCall(kind: ChargeKind): boolean {
  return kind === 'call' || kind === 'second' || kind === 'webSearch' || kind === 'toolCall';
}

/** What a log row keeps of it: nothing of a charge by tokens alone, which does not depend on it. */
export function unitFields(
  lines: readonly ChargeLine[],
  quotaPerUnit: Decimal,
): { readonly quota_per_unit?: number } {
  return lines.some(({ kind }) => isPerCall(kind))
    ? { quota_per_unit: toNumber(quotaPerUnit) }
    : {};
}

/** At which a row was charged. `now`: that of the site, for rows that do not say it. */
export function chargedUnit(
  { quota_per_unit: unit }: Readonly<Record<string, unknown>>,
  now: Decimal,
): Decimal {
  return typeof unit === 'number' && unit > 0 && Number.isFinite(unit) ? decimal(unit) : now;
}
