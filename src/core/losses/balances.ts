/** What balances of upstream accounts tell (docs/rules/losses.md#balances). Pure. */
import type { BalanceReading } from '../storage/storage.ts';

type Reading = Pick<BalanceReading, 'readAt' | 'amount'>;

/** What an account lost between two readings without a payment into it. */
export interface BalanceFall {
  /** Unix seconds of the first and the last reading. */
  readonly from: number;
  readonly to: number;
  /** In the upstream's currency. */
  readonly spent: number;
}

const day = 86_400;
/** A shorter span says little of the pace. */
const shortestFall = day / 2;

/**
 * The fall since money was last paid in. `readings` of one account, oldest first. Undefined: they
 * do not span half a day yet.
 */
export function lastFall(readings: readonly Reading[]): BalanceFall | undefined {
  const last = readings.at(-1);
  let start = readings.length - 1;
  const amountAt = (index: number) => readings[index]?.amount ?? 0;
  while (start > 0 && amountAt(start - 1) >= amountAt(start)) start -= 1;
  const first = readings[start];
  if (first === undefined || last === undefined || last.readAt - first.readAt < shortestFall)
    return undefined;
  return { from: first.readAt, to: last.readAt, spent: first.amount - last.amount };
}

/** Days until the account is empty at this pace; undefined: it does not fall. */
export function daysLeft(balance: number, { from, to, spent }: BalanceFall): number | undefined {
  return spent > 0 ? Math.max(0, (balance / spent) * ((to - from) / day)) : undefined;
}

/** A tenth more than was booked, and a cent: below that clocks and rounding explain it. */
const tolerance = 1.1;
const leastExcess = 0.01;

/** Whether an upstream took more than was booked; both in its currency. */
export function isBilledMore(spent: number, booked: number): boolean {
  return spent > booked * tolerance && spent - booked > leastExcess;
}
