/** Channel after channel until one serves the request (spec, relay 7 [R]): none twice, none after the first byte. */
import { drawChannel } from '../channels/routing-index.ts';
import type { RouteStep } from '../contract/log-other.ts';
import { AppError, errorTable } from '../kernel/errors.ts';
import type { UpstreamChannel } from '../upstream/channel.ts';
import type { ChannelFaults } from './channel-fault.ts';
import { describeFailure, type Failure, maskMessage } from './failure.ts';
import type { FileFetcher } from './inline-images.ts';
import { type Attempt, type AttemptResult, describeStep, type RelayJob } from './job.ts';
import { mapModel } from './map-model.ts';
import { sendError } from './reply.ts';
import { isRetryableStatus } from './retry.ts';
import { canServe, tryChannel } from './try-channel.ts';

export interface AttemptParts {
  readonly faults: ChannelFaults;
  readonly filesFor: (signal: AbortSignal) => FileFetcher;
}

/** The pinned channel, or one drawn among those not tried yet. */
function chooseChannel(
  job: RelayJob,
  tried: ReadonlySet<number>,
): { channel: UpstreamChannel; reason: RouteStep['reason'] } | undefined {
  const { routing, ids } = job.parts;
  if (job.pin !== undefined) {
    if (tried.size > 0) return undefined;
    const channel = routing.find(job.pin);
    if (channel === undefined) throw new AppError('channel_pin_disabled');
    if (!canServe(channel, job)) throw new AppError('unsupported_operation', { operation: job.operation });
    return { channel, reason: 'pinned' };
  }
  const tiers = routing.tiers(job.group, job.model);
  if (tiers.length === 0) return undefined;
  const skip = (channel: UpstreamChannel) => tried.has(channel.id) || !canServe(channel, job);
  const channel = drawChannel(tiers, skip, () => ids.chance());
  if (channel === undefined) {
    if (tried.size === 0) throw new AppError('unsupported_operation', { operation: job.operation });
    return undefined;
  }
  const tier = tiers.find((one) => one.channels.includes(channel));
  return { channel, reason: (tier?.channels.filter((one) => !skip(one)).length ?? 1) > 1 ? 'weight' : 'priority' };
}

/** Whether another channel may serve what this one did not. */
function mayRetry(failure: Failure, channel: UpstreamChannel): boolean {
  if (failure.from === 'upstream') return isRetryableStatus(failure.mappedStatus, channel.type);
  return !errorTable[failure.error.code].local;
}

function failedStep(attempt: Attempt, now: number, result: Extract<AttemptResult, { kind: 'failed' }>): RouteStep {
  const { failure, status } = result;
  const error = failure.from === 'gateway' ? failure.error.code : (failure.error.code ?? failure.error.type ?? 'upstream_error');
  const message =
    failure.from === 'upstream' && failure.error.message !== undefined
      ? maskMessage(failure.error.message).slice(0, 300)
      : undefined;
  return describeStep(attempt, now, { status, error, ...(message === undefined ? {} : { message }) });
}

/** Serves the job or answers why not; the bill is settled or released when it returns. */
export async function runAttempts(job: RelayJob, { faults, filesFor }: AttemptParts): Promise<void> {
  const { parts, policy } = job;
  const tried = new Set<number>();
  const steps: RouteStep[] = [];
  let last: Failure | undefined;
  try {
    for (let count = 0; count <= policy.retryTimes; count++) {
      const chosen = chooseChannel(job, tried);
      if (chosen === undefined) break;
      const { channel, reason } = chosen;
      tried.add(channel.id);
      const startedAt = parts.clock.now();
      const attempt: Attempt = {
        channel,
        reason,
        startedAt,
        upstreamModel: mapModel(job.model, channel.modelMapping),
        earlier: [...steps],
      };
      const result = await tryChannel(job, attempt, () => filesFor(job.client.signal()));
      if (result.kind === 'served') return;
      if (result.kind === 'gone') return await job.bill.release();
      last = result.failure;
      const now = parts.clock.now();
      steps.push(failedStep(attempt, now, result));
      const own = result.failure.from === 'upstream' || !errorTable[result.failure.error.code].local;
      const retry = mayRetry(result.failure, channel);
      if (own) noteFailure(job, channel.id, !retry || count === policy.retryTimes);
      if (result.failure.from === 'upstream') faults.judge(channel, result.failure.error, policy);
      parts.logger.warn(
        { requestId: job.requestId, channel: channel.id, status: result.status, failure: last.error.message },
        'an attempt failed',
      );
      if (!retry || now - job.startedAt > parts.limits.retryWindow) break;
    }
  } catch (error) {
    last = { from: 'gateway', error: error instanceof AppError ? error : new AppError('internal_error', {}, { cause: error }) };
    if (!(error instanceof AppError)) parts.logger.error({ error, requestId: job.requestId }, 'a request failed');
  }
  await job.bill.release();
  const failure: Failure = last ?? { from: 'gateway', error: new AppError('no_channel', { group: job.group, model: job.model }) };
  sendError(job.response, job.route.dialect, describeFailure(failure, job.language, job.requestId), job.requestId);
}

function noteFailure(job: RelayJob, channelId: number, final: boolean): void {
  job.parts.traffic.record({
    channelId,
    ok: false,
    firstByteMs: 0,
    final,
    promptTokens: 0,
    completionTokens: 0,
    cachedTokens: 0,
  });
}
