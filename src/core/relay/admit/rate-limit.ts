/**
 * Requests per user (docs/rules/relay.md#rate-limit): a sliding log of the newest N. Refused when N
 * are kept and the oldest is younger than the window. All requests count when they come, successful
 * ones when they were answered.
 */
import type { Cluster } from '../../cluster/cluster.ts';
import { AppError } from '../../kernel/errors.ts';
import type { RateLimit } from '../policy.ts';

export interface RateLimiter {
  /** Counts a request. Throws AppError('rate_limited', {retryAfter}). */
  enter(userId: number, limit: RateLimit): Promise<void>;
  /** The request succeeded. */
  succeeded(userId: number, limit: RateLimit): Promise<void>;
}

export function createRateLimiter(cluster: Pick<Cluster, 'slidingLog'>): RateLimiter {
  const totals = cluster.slidingLog('relay.requests');
  const successes = cluster.slidingLog('relay.successes');
  return {
    enter: async (userId, { windowMs, total, success }) => {
      const key = String(userId);
      if (success > 0) requireFree(await successes.wait(key, windowMs, success));
      if (total > 0) requireFree(await totals.take(key, windowMs, total));
    },
    succeeded: async (userId, { windowMs }) => {
      await successes.add(String(userId), windowMs);
    },
  };
}

function requireFree(waitMs: number): void {
  if (waitMs === 0) return;
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new AppError('rate_limited', { seconds, retryAfter: seconds });
}
