/**
 * How large a caller's body may be, decided before it is read
 * (docs/rules/relay.md#body-without-balance).
 */
import { compare, zero } from '../../kernel/decimal.ts';
import { AppError } from '../../kernel/errors.ts';
import { groupRatioFor } from '../../pricing/find-price.ts';
import type { BodyLimits } from '../body/read-body.ts';
import type { CallerContext } from '../context.ts';

/**
 * Bytes that a body may have although nothing is left to pay with: some models are free, and the
 * body names the model.
 */
const freeBodyBytes = 4 * 1024 * 1024;

/** Whether the body's declared size is its size, and small. */
function isKnownSmall({ headers }: CallerContext['request']): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  return (
    encoding === 'identity' && Number(headers['content-length'] ?? Number.NaN) <= freeBodyBytes
  );
}

function isFree({ policy, caller, group }: CallerContext): boolean {
  return compare(groupRatioFor(caller.userGroup, group, policy.prices), zero) === 0;
}

/**
 * The balance is looked up only where a body may turn out to be large. Throws AppError not_found.
 */
export function bodyLimits(context: CallerContext): BodyLimits | Promise<BodyLimits> {
  const { client, request, deps, memory } = context;
  const limits = {
    maxBytes: deps.limits.maxBodyBytes,
    claim: (bytes: number) => memory.takeBody(bytes),
    client,
  };
  return isKnownSmall(request) || isFree(context) ? limits : limitsByBalance(context, limits);
}

async function limitsByBalance(
  { deps, caller }: CallerContext,
  limits: BodyLimits,
): Promise<BodyLimits> {
  const { quota } = await deps.ledger.balance(caller.userId);
  if (quota > 0) return limits;
  const tooLarge = () => new AppError('insufficient_user_quota');
  return { ...limits, maxBytes: Math.min(limits.maxBytes, freeBodyBytes), tooLarge };
}
