import { tokenStatuses } from './statuses.ts';

interface TokenLimits {
  readonly status: number;
  /** Unix seconds; -1: never. */
  readonly expired_time: number;
  readonly remain_quota: number;
  readonly unlimited_quota: boolean;
}

/**
 * The status of a token as users see it. The stored status follows only with the token's next
 * request, so an enabled token can be expired or exhausted already
 * (docs/rules/command-line.md#token-state). `now` in Unix seconds.
 */
export function effectiveTokenStatus(token: TokenLimits, now: number): number {
  if (token.status !== tokenStatuses.enabled) return token.status;
  if (token.expired_time !== -1 && token.expired_time < now) return tokenStatuses.expired;
  return !token.unlimited_quota && token.remain_quota <= 0 ? tokenStatuses.exhausted : token.status;
}

interface TokenUse {
  readonly created_time: number;
  readonly accessed_time: number;
  readonly used_quota: number;
}

/**
 * When a token was last used, Unix seconds; 0: never. A token that was never used carries the time
 * it was made, as in the peers' tables.
 */
export function lastUseOf(token: TokenUse): number {
  return token.accessed_time === token.created_time && token.used_quota === 0
    ? 0
    : token.accessed_time;
}
