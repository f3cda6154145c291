/**
 * What vendors' tools were used for that no figure of a reply counts: minutes of containers, and
 * functions that the vendor runs itself (docs/rules/pricing.md#containers, #builtin-functions).
 */
import type { Usage } from '../../canonical/usage.ts';
import type { Awaitable } from '../../cluster/cluster.ts';
import type { PriceDetails } from '../../pricing/details.ts';
import type { AttemptOutcome } from '../attempt.ts';
import { type ContainerClaim, minutesOf } from '../container-time.ts';
import type { CallerContext } from '../context.ts';
import { type HeldExtras, isBuiltin } from './held-extras.ts';

export interface MeteredOutcome extends AttemptOutcome {
  /** Minutes of containers among its usage; ends with the charge. */
  readonly claim?: ContainerClaim | undefined;
}

/**
 * `extras`: what the request declares. `now`: milliseconds. At once where no such tool was used: that
 * is nearly every request.
 */
export function withToolUse(
  context: CallerContext,
  outcome: AttemptOutcome,
  details: PriceDetails | undefined,
  extras: HeldExtras | undefined,
  now: number,
): Awaitable<MeteredOutcome> {
  const { usage } = outcome;
  if (details === undefined || usage === undefined) return outcome;
  const { toolCalls, freesContainers = false } = extras ?? {};
  const builtin = toolCalls === undefined ? [] : Object.keys(toolCalls).filter(isBuiltin);
  const calls = builtin.length === 0 ? undefined : callsOf(builtin, outcome);
  const withCalls = (claim?: ContainerClaim): MeteredOutcome => ({
    ...outcome,
    claim,
    usage: { ...usage, toolCalls: { ...usage.toolCalls, ...claim?.minutes, ...calls } },
  });
  if (usage.containers !== undefined && !freesContainers)
    return paidMinutes(context, outcome, usage.containers, details, now).then(withCalls);
  return calls === undefined ? outcome : withCalls();
}

/** Nothing is remembered of containers that cost nothing. */
async function paidMinutes(
  { deps, caller, startedAt: requestedAt }: CallerContext,
  { startedAt = requestedAt }: AttemptOutcome,
  containers: NonNullable<Usage['containers']>,
  { tools }: PriceDetails,
  now: number,
): Promise<ContainerClaim | undefined> {
  return tools.has(minutesOf(undefined))
    ? deps.containers.claim(containers, caller.userId, startedAt, now)
    : undefined;
}

function callsOf(
  names: readonly string[],
  { output }: AttemptOutcome,
): Readonly<Record<string, number>> {
  const { called = [] } = output();
  return Object.fromEntries(
    names.map((name) => [name, called.filter((function_) => function_ === name).length]),
  );
}
