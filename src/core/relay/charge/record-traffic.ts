/** What the channel figures of the console count of each attempt. */
import type { Usage } from '../../canonical/chat.ts';
import type { AttemptOutcome } from '../attempt.ts';
import type { CallerContext } from '../context.ts';

/** An attempt that served, also where its stream was cut. `now`: clock milliseconds. */
export function recordServed({ deps, startedAt }: CallerContext, outcome: AttemptOutcome, usage: Usage, now: number): void {
  deps.traffic.record({
    channelId: outcome.channel.id,
    ok: outcome.ended === undefined || outcome.ended === 'client_gone' || outcome.ended === 'gateway_stopped',
    firstByteMs: Math.max(1, (outcome.firstByteAt ?? now) - (outcome.startedAt ?? startedAt)),
    final: true,
    promptTokens: usage.promptTokens ?? 0,
    completionTokens: usage.completionTokens ?? 0,
    cachedTokens: usage.cachedTokens ?? 0,
  });
}

/** An attempt that failed. `final`: no other channel is tried. */
export function recordFailed({ deps }: Pick<CallerContext, 'deps'>, channelId: number, final: boolean): void {
  deps.traffic.record({
    channelId,
    ok: false,
    firstByteMs: 0,
    final,
    promptTokens: 0,
    completionTokens: 0,
    cachedTokens: 0,
  });
}
