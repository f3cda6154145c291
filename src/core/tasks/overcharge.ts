/**
 * What a finished task was charged too much for, where less was made than ordered
 * (docs/rules/video.md#shorter-videos).
 */
import { compare, type Decimal, decimal, multiply, one, zero } from '../kernel/decimal.ts';
import { priceCalls } from '../pricing/cost.ts';
import type { RefundedCharge } from '../storage/ledger/settlement.ts';
import type { TaskPrivate } from './task-private.ts';

export interface Overcharge {
  /** The part of each charge that is taken back. */
  readonly refunds: readonly RefundedCharge[];
  readonly amount: number;
}

/**
 * By the price that was charged, with the measured ratios in place of those ordered: a smaller one
 * counts, a larger one does not. Undefined: nothing is taken back.
 */
export function overchargeOf(
  known: TaskPrivate,
  measured: Readonly<Record<string, number>>,
): Overcharge | undefined {
  const {
    ratios,
    model_price: price,
    group_ratio: groupRatio,
    quota_per_unit: quotaPerUnit,
    charges = [],
  } = known;
  const [charge] = charges;
  if (
    ratios === undefined ||
    price === undefined ||
    groupRatio === undefined ||
    quotaPerUnit === undefined
  )
    return undefined;
  if (charge === undefined || charges.length > 1) return undefined;
  const factor = Object.entries(ratios)
    .map(([name, ratio]) => smaller(decimal(ratio), measured[name]))
    .reduce(multiply, one);
  const { quota } = priceCalls(
    multiply(decimal(price), factor),
    1,
    decimal(groupRatio),
    decimal(quotaPerUnit),
  );
  const amount = charge.amount - quota;
  return amount > 0
    ? { amount, refunds: [{ ...charge, amount, rollup: shareOf(charge, amount) }] }
    : undefined;
}

function smaller(ordered: Decimal, measured: number | undefined): Decimal {
  if (measured === undefined || !Number.isFinite(measured)) return ordered;
  const found = decimal(measured);
  return compare(found, zero) > 0 && compare(found, ordered) < 0 ? found : ordered;
}

/** The upstream's price is taken to fall in proportion. */
function shareOf(
  { amount: charged, rollup }: RefundedCharge,
  amount: number,
): RefundedCharge['rollup'] {
  if (rollup?.cost === undefined) return rollup;
  return { ...rollup, cost: Math.round((rollup.cost * amount) / charged) };
}
