/** Which requests are admitted: one rule for both engines (docs/rules/ledger.md#admission). */
import { AppError } from '../kernel/errors.ts';
import type { HoldRequest } from './ledger.ts';

/** A user's balance and how much of it is held, in quota. */
export interface Wallet {
  quota: number;
  held: number;
}

/**
 * What a token may still spend and how much of it is held, in quota. `remain` of an unlimited token
 * is a counter.
 */
export interface Allowance {
  remain: number;
  held: number;
  unlimited: boolean;
}

export interface Admission {
  /** Quota to hold. */
  readonly amount: number;
  /** Admitted on the smaller hold. */
  readonly small: boolean;
}

/**
 * What to hold for a request. `allowance` is null where no token is involved. Throws AppError
 * token_exhausted, small_hold_busy, insufficient_user_quota, pre_consume_token_quota_failed.
 */
export function admit(
  wallet: Wallet,
  allowance: Allowance | null,
  request: HoldRequest,
): Admission {
  if (allowance !== null && !allowance.unlimited && allowance.remain <= 0)
    throw new AppError('token_exhausted');
  const free = wallet.quota - wallet.held;
  if (free >= request.amount && covers(allowance, request.amount))
    return { amount: request.amount, small: false };
  const small = request.smallAmount;
  if (
    small !== undefined &&
    small < request.amount &&
    wallet.quota >= small &&
    covers(allowance, small)
  ) {
    if (wallet.held === 0) return { amount: small, small: true };
    // Other holds may come back: the caller should wait a moment, not top up.
    throw new AppError('small_hold_busy');
  }
  if (free < (small ?? request.amount)) {
    throw new AppError('insufficient_user_quota', {
      quota: Math.max(free, 0),
      need: small ?? request.amount,
    });
  }
  const remain = allowance === null ? 0 : allowance.remain - allowance.held;
  throw new AppError('pre_consume_token_quota_failed', {
    quota: Math.max(remain, 0),
    need: small ?? request.amount,
  });
}

function covers(allowance: Allowance | null, amount: number): boolean {
  return allowance === null || allowance.unlimited || allowance.remain - allowance.held >= amount;
}
