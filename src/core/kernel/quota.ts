/** Quota: the gateway's unit of account. An integer; `QuotaPerUnit` (500,000 by default) quota are one currency unit. */
declare const quotaBrand: unique symbol;

/** A safe integer (|n| < 2^53) created by {@link toQuota}. A negative value is a debt. */
export type Quota = number & { readonly [quotaBrand]: true };

/** Converts a number to a Quota. Throws RangeError on fractions, NaN and anything beyond ±(2^53 − 1). */
export function toQuota(value: number | bigint): Quota {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`not a quota: ${value}`);
  return (number === 0 ? 0 : number) as Quota; // −0 becomes 0
}

export const zeroQuota = 0 as Quota;

/** Sum of quotas; throws RangeError when the sum leaves the safe range. */
export function addQuota(...terms: readonly number[]): Quota {
  let sum = 0;
  for (const term of terms) sum += term;
  return toQuota(sum);
}
