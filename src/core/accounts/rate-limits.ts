import type { Cluster } from '../cluster/cluster.ts';
import type { Config } from '../config/schema.ts';
import { AppError } from '../kernel/errors.ts';
import { networkOf } from '../kernel/network.ts';

/**
 * Users of one address, such as an office, who may make as many critical calls as the limit allows
 * each.
 */
const crowd = 5;

/**
 * Limits per window and key (docs/rules/security.md#rate-limits); IPv6 addresses count by /64. Each
 * throws AppError rate_limited with the seconds to wait.
 */
export interface RateLimits {
  /** Every API call, by address. */
  api(clientIp: string): Promise<void>;
  /**
   * Sign-ins, redemptions and similar calls together, by address; of users by user, and by address
   * as much as {@link crowd} users, so that guesses do not multiply with accounts.
   */
  critical(clientIp: string, userId: number | undefined): Promise<void>;
  /** Pages, by address; hashed assets do not count. */
  pages(clientIp: string): Promise<void>;
}

export function createRateLimits(config: Config, cluster: Pick<Cluster, 'counter'>): RateLimits {
  /** `duration` in seconds. */
  const limiter = (
    name: string,
    enabled: boolean,
    limit: number,
    duration: number,
  ): ((key: string) => Promise<void>) => {
    if (!enabled) return async () => {};
    const requests = cluster.counter(name);
    return async (key) => {
      const { count, remainingMs } = await requests.increment(key, duration * 1000);
      if (count <= limit) return;
      const seconds = Math.max(1, Math.ceil(remainingMs / 1000));
      throw new AppError('rate_limited', { seconds, retryAfter: seconds });
    };
  };
  const { globalApiRateLimit, criticalRateLimit, globalWebRateLimit } = config;
  const api = limiter(
    'requests.api',
    config.globalApiRateLimitEnable,
    globalApiRateLimit,
    config.globalApiRateLimitDuration,
  );
  const critical = limiter(
    'requests.critical',
    config.criticalRateLimitEnable,
    criticalRateLimit,
    config.criticalRateLimitDuration,
  );
  const pages = limiter(
    'requests.pages',
    config.globalWebRateLimitEnable,
    globalWebRateLimit,
    config.globalWebRateLimitDuration,
  );
  const ofUsers = limiter(
    'requests.critical-of-users',
    config.criticalRateLimitEnable,
    criticalRateLimit * crowd,
    config.criticalRateLimitDuration,
  );
  return {
    api: (clientIp) => api(networkOf(clientIp)),
    critical: async (clientIp, userId) => {
      if (userId === undefined) return critical(`ip:${networkOf(clientIp)}`);
      await critical(`user:${userId}`);
      await ofUsers(networkOf(clientIp));
    },
    pages: (clientIp) => pages(networkOf(clientIp)),
  };
}
