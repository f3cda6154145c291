/**
 * Channel after channel until one serves the request: none twice, none after the first byte
 * (docs/rules/routing.md#retry-loop).
 */
import type { RouteStep } from '../../contract/log-other.ts';
import { AppError, errorTable } from '../../kernel/errors.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import { mapModel } from '../../upstream/rules/model-mapping.ts';
import { RuleRefusal } from '../../upstream/rules/param-override.ts';
import { type Attempt, type AttemptResult, describeStep } from '../attempt.ts';
import {
  recordAbandonedRequest,
  recordFailedRequest,
  recordServedRequest,
} from '../charge/record-outcome.ts';
import { recordFailed } from '../charge/record-traffic.ts';
import { departureError } from '../client/client-watch.ts';
import type { CallerContext } from '../context.ts';
import { describeToCaller, type Failure, type FinalError } from '../failure.ts';
import type { FileFetcher } from '../files/file-fetcher.ts';
import type { JobBill, RelayJob } from '../job.ts';
import { sendError } from '../reply.ts';
import { canServe } from '../select/can-serve.ts';
import type { ChannelSelector, Selection } from '../select/channel-selector.ts';
import type { Router } from '../select/router.ts';
import type { ChannelFaults } from './channel-fault.ts';
import { isRetryable } from './retry.ts';
import { tryChannel } from './try-channel.ts';

/** What attempts depend on besides the request. */
export interface AttemptDeps {
  readonly router: Router;
  readonly faults: ChannelFaults;
  readonly filesFor: (request: Pick<FileFetcher, 'signal' | 'claim'>) => FileFetcher;
}

type Failed = Extract<AttemptResult, { kind: 'failed' }>;

/** The channel's provider cannot do this: nothing was sent, and another provider may be able to. */
function isBeyondProvider(failure: Failure): boolean {
  return failure.from === 'gateway' && failure.error.code === 'unsupported_feature';
}

/**
 * The channel that keeps the conversation failed, and there is no content that another could be
 * sent.
 */
function isWithoutContent(failure: Failure): boolean {
  const { from, error } = failure;
  return (
    from === 'gateway' &&
    (error.code === 'previous_response_not_found' || error.code === 'response_item_not_found')
  );
}

/** Whether another channel may serve what this one did not. */
function mayRetry(failure: Failure, channel: UpstreamChannel): boolean {
  if (failure.from === 'upstream') return isRetryable(failure, channel.provider);
  if (isBeyondProvider(failure)) return true;
  if (failure.error instanceof RuleRefusal) return failure.error.mayRetry;
  return !errorTable[failure.error.code].local;
}

/** Our code, or the upstream's. */
function codeOf({ from, error }: Failure): string {
  return error.code ?? (from === 'upstream' ? error.type : undefined) ?? 'upstream_error';
}

function failedStep(attempt: Attempt, now: number, { failure, status }: Failed): RouteStep {
  const error = codeOf(failure);
  const generated =
    failure.from === 'upstream' ? (failure.error.message ?? failure.error.raw) : undefined;
  const message = generated?.slice(0, 300);
  return describeStep(attempt, now, {
    status,
    error,
    ...(message === undefined ? {} : { message }),
  });
}

/** An attempt as a row shows it; undefined where the charge has it. */
function lastStep(attempt: Attempt, now: number, result: AttemptResult): RouteStep | undefined {
  if (result.kind === 'failed') return failedStep(attempt, now, result);
  if (result.kind === 'gone')
    return describeStep(attempt, now, { status: 0, error: 'client_gone' });
  return result.ended === undefined
    ? undefined
    : describeStep(attempt, now, { status: 200, error: result.ended });
}

function attemptOf(
  job: TriedJob,
  { channel, reason, startedAt, considered, foreignMessages }: Selection,
  steps: readonly RouteStep[],
): Attempt {
  return {
    channel,
    reason,
    startedAt,
    considered,
    foreignMessages,
    upstreamModel: mappedModel(job, channel),
    earlier: [...steps],
    reply: {},
  };
}

/**
 * A mapping in a circle is refused on save, so it came by an import: repeating the request does not
 * help.
 */
function mappedModel({ model }: TriedJob, { modelMapping }: UpstreamChannel): string {
  try {
    return mapModel(model, modelMapping);
  } catch (cause) {
    throw new AppError('model_mapped_error', { model }, { cause });
  }
}

/** How one attempt is made, and how the caller learns that none served. */
export interface Transport {
  attempt(attempt: Attempt): Promise<AttemptResult>;
  refuse(error: FinalError): void | Promise<void>;
  /**
   * Absent: by the rules of requests that are answered at once (docs/rules/routing.md#retry-loop).
   */
  mayRetry?(failure: Failure, channel: UpstreamChannel): boolean;
  /** What is ordered is wanted although its client left. */
  readonly outlivesClient?: true;
}

/** What trying channels in turn needs of a request. */
export type TriedJob = CallerContext &
  Pick<RelayJob, 'model' | 'stream'> & { readonly bill: Pick<JobBill, 'release'> };

/** Chooses among the channels that serve the job's format. */
export function selectorFor(
  job: RelayJob,
  { router }: Pick<AttemptDeps, 'router'>,
): ChannelSelector {
  return router.begin(job, (channel) => canServe(channel, job.format));
}

/** Serves the job or sends the error; the bill is settled or released when it returns. */
export function runAttempts(job: RelayJob, { filesFor, ...deps }: AttemptDeps): Promise<void> {
  return tryInTurn(
    job,
    { ...deps, selector: selectorFor(job, deps) },
    {
      attempt: (attempt) => {
        let files: FileFetcher | undefined;
        return tryChannel(job, attempt, () => {
          files ??= filesFor({
            signal: job.client.signal(),
            claim: (bytes) => job.memory.takeBody(bytes),
          });
          return files;
        });
      },
      refuse: (error) => sendError(job.response, job.route.family, error, job.requestId),
    },
  );
}

/** The same for requests with a transport of their own (realtime). */
export async function tryInTurn(
  job: TriedJob,
  { selector, faults }: Pick<AttemptDeps, 'faults'> & { readonly selector: ChannelSelector },
  transport: Transport,
): Promise<void> {
  const { deps, policy } = job;
  const steps: RouteStep[] = [];
  let retries = policy.retryTimes;
  let last: Failure | undefined;
  try {
    const first = selector.next();
    for (
      let selection = first instanceof Promise ? await first : first;
      selection !== undefined;
    ) {
      let result: AttemptResult = { kind: 'gone' };
      let attempt: Attempt | undefined;
      const { channel } = selection;
      try {
        const { departure } = job.client;
        if (departure === 'stopped') throw departureError(departure);
        // Nobody would read the answer: no upstream is to work for it.
        if (departure === undefined || transport.outlivesClient === true) {
          attempt = attemptOf(job, selection, steps);
          result = await transport.attempt(attempt);
          const step = lastStep(attempt, deps.clock.now(), result);
          if (step !== undefined) steps.push(step);
        }
      } finally {
        selector.report(selection, result);
        job.memory.releaseReply();
      }
      if (result.kind === 'served') {
        if (channel.rules.stopsOnOtherModel && attempt !== undefined) faults.judgeModel(attempt);
        return recordServedRequest(job, result, steps);
      }
      if (result.kind === 'gone') {
        recordAbandonedRequest(job, steps);
        return await job.bill.release();
      }
      const { failure } = result;
      // An upstream's error tells the caller more than that another provider cannot do this.
      if (last === undefined || !(isBeyondProvider(failure) || isWithoutContent(failure)))
        last = failure;
      if (failure.from === 'upstream') faults.judge(channel, failure.error, policy);
      deps.logger.warn(
        {
          requestId: job.requestId,
          channel: channel.id,
          status: result.status,
          error: codeOf(failure),
          failure: failure.error.message,
        },
        'an attempt failed',
      );
      // A probe was our own experiment, and nothing was sent to a provider that cannot: the request
      // keeps its retries.
      const cost = selection.probes.length > 0 || isBeyondProvider(failure) ? 0 : 1;
      const retry =
        retries >= cost && (transport.mayRetry ?? mayRetry)(failure, channel) && hasTime(job);
      retries -= cost;
      const next = retry ? await selector.next() : undefined;
      if (isUpstreamFault(failure))
        recordFailed(job, channel.id, result.status, next === undefined);
      selection = next;
    }
  } catch (error) {
    last = {
      from: 'gateway',
      error:
        error instanceof AppError ? error : new AppError('internal_error', {}, { cause: error }),
    };
    if (!(error instanceof AppError))
      deps.logger.error({ error, requestId: job.requestId }, 'a request failed');
  }
  await job.bill.release();
  const failure = last ?? {
    from: 'gateway',
    error: new AppError('no_channel', { group: job.group, model: job.model }),
  };
  recordFailedRequest(job, failure, steps);
  await transport.refuse(finalError(job, selector, failure));
}

function hasTime({ deps, startedAt }: TriedJob): boolean {
  const { retryWindow } = deps.limits;
  return retryWindow === 0 || deps.clock.now() - startedAt <= retryWindow;
}

function isUpstreamFault(failure: Failure): boolean {
  return failure.from === 'upstream' || !errorTable[failure.error.code].local;
}

function finalError(job: TriedJob, selector: ChannelSelector, failure: Failure): FinalError {
  const described = describeToCaller(failure, job);
  const limited = failure.from === 'upstream' && described.status === 429;
  return limited
    ? { ...described, retryAfter: selector.retryAfter(failure.error.retryAfter) }
    : described;
}
