/**
 * Requests per user (docs/rules/relay.md#rate-limit): a sliding log of the newest N. Refused when N are kept and the oldest is
 * younger than the window. All requests count when they come, successful ones when they were answered.
 */
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { RateLimit } from '../policy.ts';

export interface RateLimiter {
  /** Counts a request. Throws AppError('rate_limited', {retryAfter}). */
  enter(userId: number, limit: RateLimit): void;
  /** The request succeeded. */
  succeeded(userId: number, limit: RateLimit): void;
}

/** Users whose log is empty are forgotten once there are more than this, once per window. */
const sweepAbove = 10_000;

export function createRateLimiter(clock: Clock): RateLimiter {
  const totals = new Map<number, number[]>();
  const successes = new Map<number, number[]>();
  let sweptAt = 0;

  const sweep = (windowMs: number): void => {
    const now = clock.now();
    if (now - sweptAt < windowMs) return;
    sweptAt = now;
    for (const log of [totals, successes]) {
      for (const [id, times] of log) if ((times.at(-1) ?? 0) <= now - windowMs) log.delete(id);
    }
  };

  const recent = (log: Map<number, number[]>, userId: number, windowMs: number): number[] => {
    if (log.size > sweepAbove) sweep(windowMs);
    const times = log.get(userId) ?? [];
    log.set(userId, times);
    const now = clock.now();
    // Entries of the future: the clock was put back, and nobody is to wait until it has caught up.
    if ((times.at(-1) ?? 0) > now) times.length = 0;
    const from = now - windowMs;
    let old = 0;
    while (old < times.length && (times[old] ?? 0) <= from) old += 1;
    if (old > 0) times.splice(0, old);
    return times;
  };

  const refuseFull = (times: readonly number[], most: number, windowMs: number): void => {
    if (most === 0 || times.length < most) return;
    const freeAt = (times[times.length - most] ?? 0) + windowMs;
    const seconds = Math.max(1, Math.ceil((freeAt - clock.now()) / 1000));
    throw new AppError('rate_limited', { seconds, retryAfter: seconds });
  };

  return {
    enter: (userId, { windowMs, total, success }) => {
      refuseFull(recent(successes, userId, windowMs), success, windowMs);
      if (total === 0) return;
      const times = recent(totals, userId, windowMs);
      refuseFull(times, total, windowMs);
      times.push(clock.now());
    },
    succeeded: (userId, { windowMs }) => {
      recent(successes, userId, windowMs).push(clock.now());
    },
  };
}
