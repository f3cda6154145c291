/**
 * What vendors' tools were used for that no figure of a reply counts: minutes of containers, and
 * functions that the vendor runs itself (docs/rules/pricing.md#containers, #builtin-functions).
 */
import type { Usage } from '../../canonical/chat.ts';
import type { PriceDetails } from '../../pricing/details.ts';
import type { AttemptOutcome } from '../attempt.ts';
import { minutesOf } from '../container-time.ts';
import type { CallerContext } from '../context.ts';
import { type HeldExtras, isBuiltin } from './held-extras.ts';

/** `asked`: what the request asks for. `now`: milliseconds. */
export async function withToolUse(
  context: CallerContext,
  outcome: AttemptOutcome,
  details: PriceDetails | undefined,
  asked: HeldExtras | undefined,
  now: number,
): Promise<AttemptOutcome> {
  const { usage } = outcome;
  if (details === undefined || usage === undefined) return outcome;
  const builtin = Object.keys(asked?.toolCalls ?? {}).filter(isBuiltin);
  const minutes =
    usage.containers === undefined || asked?.freesContainers === true
      ? undefined
      : await paidMinutes(context, outcome, usage.containers, details, now);
  const calls = builtin.length === 0 ? undefined : callsOf(builtin, outcome);
  if (minutes === undefined && calls === undefined) return outcome;
  return {
    ...outcome,
    usage: { ...usage, toolCalls: { ...usage.toolCalls, ...minutes, ...calls } },
  };
}

/** Nothing is remembered of containers that cost nothing. */
async function paidMinutes(
  { deps, caller, startedAt: requestedAt }: CallerContext,
  { startedAt = requestedAt }: AttemptOutcome,
  containers: NonNullable<Usage['containers']>,
  { tools }: PriceDetails,
  now: number,
): Promise<Readonly<Record<string, number>> | undefined> {
  return tools.has(minutesOf(undefined))
    ? deps.containers.take(containers, caller.userId, startedAt, now)
    : undefined;
}

/** A call is a function's name and its arguments, one after the other. */
function callsOf(
  names: readonly string[],
  { output }: AttemptOutcome,
): Readonly<Record<string, number>> {
  const text = output().texts.join('');
  return Object.fromEntries(names.map((name) => [name, text.split(`${name}{`).length - 1]));
}
