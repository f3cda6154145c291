/**
 * What a token may still spend, as OpenAI's former billing calls reported it
 * (docs/rules/usage-logs.md#billing-endpoints).
 */
import { toNumber } from '../../kernel/decimal.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { CallerContext } from '../context.ts';

/**
 * The limit reported for tokens without one: the figure that One API reports, which clients know.
 */
const unlimitedAmount = 100_000_000;

/** Quota, and Unix seconds until which it may be spent; 0: for ever. */
interface Figures {
  readonly total: number;
  readonly used: number;
  readonly unlimited: boolean;
  readonly until: number;
}

/**
 * The token's figures, or its owner's, as the site has it. Throws AppError not_found: it was
 * removed meanwhile.
 */
async function readFigures({ deps, policy, caller }: CallerContext): Promise<Figures> {
  if (!policy.showsTokenFigures) {
    const user = await deps.storage.users.find(caller.userId);
    if (user === null) throw new AppError('not_found');
    return { total: user.quota + user.usedQuota, used: user.usedQuota, unlimited: false, until: 0 };
  }
  const token = await deps.storage.tokens.find(caller.tokenId);
  if (token === null) throw new AppError('not_found');
  const { remainQuota, usedQuota: used, unlimitedQuota: unlimited, expiredTime } = token;
  return { total: remainQuota + used, used, unlimited, until: Math.max(0, expiredTime) };
}

/** Units where the site shows currency, else quota. */
function unitOf({ policy }: CallerContext): number {
  return policy.showsCurrency ? toNumber(policy.quotaPerUnit) : 1;
}

/**
 * `GET /dashboard/billing/subscription`. A budget that lets less be spent than that is the limit.
 * Throws AppError not_found.
 */
export async function subscription(context: CallerContext): Promise<JsonObject> {
  const { total, used, unlimited, until } = await readFigures(context);
  const left = await context.deps.budgets.leastLeft(context.caller);
  const unit = unitOf(context);
  const own = unlimited ? unlimitedAmount : total / unit;
  const limit = left === undefined ? own : Math.min(own, (used + left) / unit);
  return {
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    access_until: until,
  };
}

/**
 * `GET /dashboard/billing/usage`, in hundredths, of all time: the dates in the query are ignored.
 * Throws AppError not_found.
 */
export async function usage(context: CallerContext): Promise<JsonObject> {
  const { used } = await readFigures(context);
  return { object: 'list', total_usage: (used * 100) / unitOf(context) };
}
