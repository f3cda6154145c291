import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../core/config/schema.ts';
import { AppError } from '../../core/kernel/errors.ts';

/** Limits per window and key (spec, accounts-and-payments 10). Each throws AppError rate_limited with the seconds to wait. */
export interface RateLimits {
  /** Every API call, by address. */
  api(clientIp: string): Promise<void>;
  /** Sign-ins, redemptions and the like, all together: by user where there is one, else by address. */
  critical(clientIp: string, userId: number | undefined): Promise<void>;
  /** Pages, by address; hashed assets do not count. */
  pages(clientIp: string): Promise<void>;
}

export function createRateLimits(config: Config): RateLimits {
  const api = limiter('GA', config.globalApiRateLimitEnable, config.globalApiRateLimit, config.globalApiRateLimitDuration);
  const critical = limiter('CT', config.criticalRateLimitEnable, config.criticalRateLimit, config.criticalRateLimitDuration);
  const pages = limiter('GW', config.globalWebRateLimitEnable, config.globalWebRateLimit, config.globalWebRateLimitDuration);
  return {
    api: (clientIp) => api(clientIp),
    critical: (clientIp, userId) => critical(userId === undefined ? `ip:${clientIp}` : `user:${userId}`),
    pages: (clientIp) => pages(clientIp),
  };
}

function limiter(mark: string, enabled: boolean, points: number, duration: number): (key: string) => Promise<void> {
  if (!enabled) return async () => {};
  const limits = new RateLimiterMemory({ keyPrefix: mark, points, duration });
  return async (key) => {
    try {
      await limits.consume(key);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw new AppError('rate_limited', { seconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) });
    }
  };
}
