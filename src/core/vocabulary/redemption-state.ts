import { redemptionStatuses } from './statuses.ts';

/**
 * What people see of a code: its stored status, or that it expired unused. `expired` is never
 * stored.
 */
export const redemptionStates = { ...redemptionStatuses, expired: 4 } as const;
export type RedemptionState = (typeof redemptionStates)[keyof typeof redemptionStates];

interface RedemptionLimits {
  readonly status: number;
  /** Unix seconds; 0: never. */
  readonly expired_time: number;
}

/** The state of a code at `now`, in Unix seconds (docs/rules/payments.md#redemption-codes). */
export function redemptionStateOf({ status, expired_time }: RedemptionLimits, now: number): number {
  const isExpired =
    status === redemptionStatuses.unused && expired_time !== 0 && expired_time <= now;
  return isExpired ? redemptionStates.expired : status;
}
