/** Whether a token may be used (docs/rules/relay.md#token-checks). */

import { tokenFields } from '../entities/token.ts';
import { AppError } from '../kernel/errors.ts';
import { tokenStatuses, userStatuses } from '../vocabulary/statuses.ts';
import type { Caller } from './token-directory.ts';

/**
 * Whether the token's time is over although its status does not say so yet. `now` in Unix seconds.
 */
export function hasRunOut({ tokenStatus, expiredTime }: Caller, now: number): boolean {
  return (
    tokenStatus === tokenStatuses.enabled &&
    expiredTime !== tokenFields.expired_time.never &&
    expiredTime < now
  );
}

/** Throws AppError token_exhausted, token_expired, token_disabled. */
export function checkToken(caller: Caller, now: number): void {
  if (caller.tokenStatus === tokenStatuses.exhausted) throw new AppError('token_exhausted');
  if (caller.tokenStatus === tokenStatuses.expired || hasRunOut(caller, now))
    throw new AppError('token_expired');
  if (caller.tokenStatus !== tokenStatuses.enabled) throw new AppError('token_disabled');
}

/** Throws AppError user_deactivated, user_banned. */
export function checkOwner({ deactivated, userStatus }: Caller): void {
  if (deactivated) throw new AppError('user_deactivated');
  if (userStatus !== userStatuses.active) throw new AppError('user_banned');
}

/** Throws AppError ip_not_allowed. */
export function checkAddress({ addresses }: Caller, address: string): void {
  if (addresses !== null && !addresses.allows(address)) throw new AppError('ip_not_allowed');
}
