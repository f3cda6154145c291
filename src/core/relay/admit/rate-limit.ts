/**
 * Requests per user (docs/rules/relay.md#rate-limit): a sliding log of the newest N. Refused when N
 * are kept and the oldest is younger than the window. All requests count when they come, successful
 * ones when they were answered.
 */
import type { Cluster, Room } from '../../cluster/cluster.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Allowance } from '../formats/families/api-family.ts';
import type { RateLimit } from '../policy.ts';

export interface RateLimiter {
  /**
   * Counts a request. `show` gets the limit that is nearer to its end, before a refusal, too. Throws
   * AppError('rate_limited', {retryAfter}).
   */
  enter(userId: number, limit: RateLimit, show?: (allowance: Allowance) => void): Promise<void>;
  /** The request succeeded. */
  succeeded(userId: number, limit: RateLimit): Promise<void>;
}

export function createRateLimiter(cluster: Pick<Cluster, 'slidingLog'>): RateLimiter {
  const totals = cluster.slidingLog('relay.requests');
  const successes = cluster.slidingLog('relay.successes');
  return {
    enter: async (userId, { windowMs, total, success }, show) => {
      const key = String(userId);
      let shown: Allowance | undefined;
      const pass = ({ waitMs, left }: Room, limit: number) => {
        if (shown === undefined || left < shown.left || waitMs > 0)
          shown = { unit: 'requests', limit, left, resetMs: waitMs > 0 ? waitMs : windowMs };
        if (waitMs === 0) return;
        show?.(shown);
        const seconds = Math.max(1, Math.ceil(waitMs / 1000));
        throw new AppError('rate_limited', { seconds, retryAfter: seconds });
      };
      if (success > 0) pass(await successes.wait(key, windowMs, success), success);
      if (total > 0) pass(await totals.take(key, windowMs, total), total);
      if (shown !== undefined) show?.(shown);
    },
    succeeded: async (userId, { windowMs }) => {
      await successes.add(String(userId), windowMs);
    },
  };
}
