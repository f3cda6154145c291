/** What is counted of a request besides its charge: its user's limit, and refusals. */

import { showLimit } from '../charge/limit-headers.ts';
import { recordRefusedRequest } from '../charge/record-outcome.ts';
import type { CallerContext } from '../context.ts';
import { asAppError } from '../failure.ts';
import type { RateLimit } from '../policy.ts';
import type { RateLimiter } from './rate-limit.ts';

/**
 * Counts the request against its user's limit, and its success afterwards. Throws AppError
 * rate_limited, and what `serve` throws.
 */
export function withinLimit(
  context: CallerContext,
  limiter: RateLimiter,
  serve: () => Promise<void>,
): Promise<void> {
  const { rateLimit } = context.policy;
  return rateLimit === null ? serve() : serveLimited(context, limiter, rateLimit, serve);
}

async function serveLimited(
  context: CallerContext,
  limiter: RateLimiter,
  limit: RateLimit,
  serve: () => Promise<void>,
): Promise<void> {
  await limiter.enter(context.caller.userId, limit, (allowance) => showLimit(context, allowance));
  await serve();
  if (context.response.statusCode < 400) await limiter.succeeded(context.caller.userId, limit);
}

/**
 * The same; what is thrown is a request that was refused before a channel was tried
 * (docs/rules/usage-logs.md#outcomes). `current`: what is known of the request by then.
 */
export async function counted(
  context: CallerContext,
  limiter: RateLimiter,
  serve: () => Promise<void>,
  current: () => CallerContext = () => context,
): Promise<void> {
  try {
    await withinLimit(context, limiter, serve);
  } catch (error) {
    recordRefusedRequest(current(), asAppError(error));
    throw error;
  }
}
