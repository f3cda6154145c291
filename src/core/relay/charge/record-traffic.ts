/** What the channel figures of the console and the metrics count of each attempt. */
import type { Usage } from '../../canonical/usage.ts';
import { conversationTurnOf } from '../../contract/log-other.ts';
import type { AttemptOutcome } from '../attempt.ts';
import type { CallerContext } from '../context.ts';
import type { RelayJob } from '../job.ts';
import { traceRequest } from './trace-request.ts';

/** What an attempt that served was charged as. */
interface Served {
  readonly model: string;
  readonly usage: Usage;
  readonly quota: number;
  /** Clock milliseconds. */
  readonly now: number;
}

type ServedAttempt = Pick<
  AttemptOutcome,
  'channel' | 'upstreamModel' | 'stream' | 'steps' | 'ended' | 'firstByteAt' | 'startedAt'
>;

/** An attempt that served, also where its stream was cut. */
export function recordServed(context: CallerContext, outcome: ServedAttempt, served: Served): void {
  const { deps, startedAt } = context;
  const { model, usage, quota, now } = served;
  traceRequest(context, () => servedTrace(outcome, served, outcome.startedAt ?? startedAt));
  deps.traffic.record({
    channelId: outcome.channel.id,
    model,
    ok:
      outcome.ended === undefined ||
      outcome.ended === 'client_gone' ||
      outcome.ended === 'gateway_stopped',
    firstByteMs: Math.max(1, (outcome.firstByteAt ?? now) - (outcome.startedAt ?? startedAt)),
    durationMs: Math.max(0, now - startedAt),
    status: 0,
    quota,
    final: true,
    promptTokens: usage.promptTokens ?? 0,
    completionTokens: usage.completionTokens ?? 0,
    cachedTokens: usage.cachedTokens ?? 0,
    turn: conversationTurnOf(outcome.steps.at(-1)),
  });
}

/** The reply of a stream that was cut had begun, so its status is that of a success. */
function servedTrace(
  outcome: ServedAttempt,
  { model, usage, quota, now }: Served,
  startedAt: number,
) {
  const { firstByteAt, ended, steps } = outcome;
  return {
    model,
    ended,
    attempts: steps,
    status: 200,
    startedAt,
    endedAt: now,
    charged: {
      upstreamModel: outcome.upstreamModel,
      stream: outcome.stream,
      quota,
      promptTokens: usage.promptTokens ?? 0,
      completionTokens: usage.completionTokens ?? 0,
      cachedTokens: usage.cachedTokens ?? 0,
      firstByteMs: firstByteAt === undefined ? undefined : firstByteAt - startedAt,
    },
  };
}

/**
 * An attempt that failed. `final`: no other channel is tried. `status`: of the upstream's reply; 0:
 * none.
 */
export function recordFailed(
  { deps, model }: Pick<RelayJob, 'deps' | 'model'>,
  channelId: number,
  status: number,
  final: boolean,
): void {
  deps.traffic.record({
    channelId,
    model,
    status,
    final,
    ok: false,
    firstByteMs: 0,
    durationMs: 0,
    quota: 0,
    promptTokens: 0,
    completionTokens: 0,
    cachedTokens: 0,
  });
}
