/**
 * Quota: the gateway's unit of account. An integer; `QuotaPerUnit` (500,000 by default) quota are
 * one currency unit.
 */
declare const quotaBrand: unique symbol;

/** A safe integer (|n| < 2^53) created by {@link toQuota}. A negative value is a debt. */
export type Quota = number & { readonly [quotaBrand]: true };

/** The bound of balances and counters in both directions: 2^53 − 1. */
export const maxQuota = Number.MAX_SAFE_INTEGER;

/**
 * The largest amount of one top-up, code, quota edit, allowance or charge: 2 billion currency units
 * by default (docs/rules/ledger.md#amount-limit).
 */
export const maxAmount = 1e15;

/**
 * Converts a number to a Quota. Throws RangeError on fractions, NaN and anything beyond ±(2^53 −
 * 1).
 */
export function toQuota(value: number | bigint): Quota {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`not a quota: ${value}`);
  return (number === 0 ? 0 : number) as Quota; // −0 becomes 0
}

/**
 * The nearest Quota: for reading stored values, which must never make a page unreadable
 * (docs/rules/ledger.md#quota-range).
 */
export function clampQuota(value: number | bigint): Quota {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return toQuota(number);
  return toQuota(
    Number.isNaN(number) ? 0 : Math.trunc(Math.min(maxQuota, Math.max(-maxQuota, number))),
  );
}

export const zeroQuota = 0 as Quota;

/** Sum of quotas within ±(2^53 − 1): counters stop at the bound. */
export function addQuota(...terms: readonly number[]): Quota {
  let sum = 0;
  for (const term of terms) sum += term;
  return clampQuota(sum);
}

/** `a − b`, exact where it leaves the safe integers. */
export function exactDifference(a: number, b: number): number | bigint {
  return Number.isSafeInteger(a - b) ? a - b : BigInt(a) - BigInt(b);
}
