/**
 * Counts how requests end, and describes those that failed for the usage log
 * (docs/rules/usage-logs.md#outcomes).
 */
import type { LogOther, RouteStep } from '../../contract/log-other.ts';
import { AppError, type ErrorCode, errorTable } from '../../kernel/errors.ts';
import type { NewUsageLog } from '../../storage/storage.ts';
import { logTypes } from '../../vocabulary/log-types.ts';
import { joinTags } from '../../vocabulary/tags.ts';
import { departureError } from '../client/client-watch.ts';
import type { CallerContext } from '../context.ts';
import { describeError, type Failure } from '../failure.ts';
import type { RelayJob } from '../job.ts';
import { tagsIfValid } from './tags.ts';
import { traceRequest } from './trace-request.ts';

/** Statuses by which an upstream says that the request itself is wrong. */
const requestStatuses: ReadonlySet<number> = new Set([400, 413, 415, 422]);
/** Refusals that only an operator can end, although their status says otherwise. */
const operatorFaults: ReadonlySet<ErrorCode> = new Set(['model_price_error', 'model_mapped_error']);

/**
 * Whether a request failed because of what its caller sent or may do, not because of an upstream or
 * the gateway.
 */
export function isCallersFault(failure: Failure): boolean {
  if (failure.from === 'upstream') return requestStatuses.has(failure.mappedStatus);
  const { code } = failure.error;
  if (operatorFaults.has(code)) return false;
  const { status, local } = errorTable[code];
  if (code === 'api_not_implemented') return true;
  return status < 500 && (local || requestStatuses.has(status));
}

type RecordedJob = RecordedContext & Pick<RelayJob, 'model' | 'stream'>;
/** `body` absent: it is not known, or has no tags. */
type RecordedContext = CallerContext & Partial<Pick<RelayJob, 'body'>>;

/** What a row is made of besides the request's context. */
interface FailedRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly failure: Failure;
  /** The channels tried. */
  readonly steps: readonly RouteStep[];
  readonly ended?: LogOther['ended'];
}

/**
 * The request failed with this after all attempts. Where a channel was tried, callers' faults have
 * a row, too.
 */
export function recordFailedRequest(
  job: RecordedJob,
  failure: Failure,
  steps: readonly RouteStep[],
): void {
  record(job, { model: job.model, stream: job.stream, failure, steps });
}

/** Why a stream that stopped early counts as failed. */
const cutCodes = {
  upstream_cut: 'upstream_cut',
  idle_timeout: 'upstream_timeout',
  gateway_stopped: 'shutting_down',
} as const satisfies Partial<Record<NonNullable<LogOther['ended']>, ErrorCode>>;

/**
 * How a reply ended; `failure`: the error that the caller of a cut stream got, an upstream's
 * own words masked.
 */
interface ServedRequest {
  readonly ended?: LogOther['ended'];
  readonly failure?: Failure;
}

/** A channel served the request. A stream that was cut counts as failed, unless the client left. */
export function recordServedRequest(
  job: RecordedJob,
  { ended, failure }: ServedRequest,
  steps: readonly RouteStep[],
): void {
  if (ended === undefined || ended === 'client_gone')
    return job.deps.outcomes.record(job.caller.userId, 'succeeded');
  const reason: Failure = failure ?? { from: 'gateway', error: new AppError(cutCodes[ended]) };
  record(job, { model: job.model, stream: job.stream, failure: reason, steps, ended });
}

/**
 * The client left before anything of an answer reached it. Counts as nothing; where a channel was
 * tried, it has a row.
 */
export function recordAbandonedRequest(job: RecordedJob, steps: readonly RouteStep[]): void {
  if (steps.length === 0) return;
  const failure: Failure = { from: 'gateway', error: departureError('left') };
  const abandoned: FailedRequest = { model: job.model, stream: job.stream, failure, steps };
  job.deps.outcomes.record(job.caller.userId, null, () => errorRow(job, abandoned));
  traceRequest(job, () => failedTrace(job, abandoned));
}

/** The request was refused before a channel was tried. */
export function recordRefusedRequest(context: CallerContext, error: AppError): void {
  // Errors about a model name it; others were found before the model was known.
  const { model = context.route.model ?? '' } = error.params;
  record(context, {
    model: String(model),
    stream: false,
    failure: { from: 'gateway', error },
    steps: [],
  });
}

function record(context: RecordedContext, failed: FailedRequest): void {
  // A stream that had begun was no mistake of its caller.
  const isRefusal = failed.ended === undefined && isCallersFault(failed.failure);
  const hasRow = !isRefusal || failed.steps.length > 0;
  const row = hasRow ? () => errorRow(context, failed) : undefined;
  context.deps.outcomes.record(context.caller.userId, isRefusal ? 'refused' : 'failed', row);
  // A stream that was cut is traced with its charge.
  if (failed.ended === undefined) traceRequest(context, () => failedTrace(context, failed));
}

function failedTrace({ deps }: CallerContext, { model, failure, steps }: FailedRequest) {
  const { status, code } = describeError(failure, deps.siteLanguage());
  return {
    status,
    error: code || String(status),
    attempts: steps,
    model: model.slice(0, longestModel),
    endedAt: deps.clock.now(),
  };
}

/** Characters of a model's name that a row keeps: callers may send any. */
const longestModel = 200;

function errorRow(
  context: RecordedContext,
  { model, stream, failure, steps, ended }: FailedRequest,
): NewUsageLog {
  const { deps, caller, group, requestId, route, address, startedAt, playgroundKey } = context;
  const described = describeError(failure, deps.siteLanguage());
  const now = deps.clock.now();
  const elapsed = Math.max(0, now - startedAt);
  const other: LogOther = {
    group,
    // The reply of a stream that was cut had begun.
    status_code: ended === undefined ? described.status : 200,
    ...(described.code ? { error_code: described.code } : {}),
    ...(ended === undefined ? {} : { ended }),
    request_path: route.path,
    use_ms: Math.round(elapsed),
    ...(playgroundKey === undefined ? {} : { playground_key: playgroundKey }),
    admin_info: {
      ...(steps.length === 0
        ? {}
        : { use_channel: steps.map(({ channel }) => String(channel)), route: [...steps] }),
      ip: address,
    },
  };
  return {
    userId: caller.userId,
    username: caller.username,
    createdAt: Math.floor(now / 1000),
    type: logTypes.error,
    content: described.message,
    tokenName: caller.tokenName,
    tokenId: caller.tokenId,
    modelName: model.slice(0, longestModel),
    useTime: Math.round(elapsed / 1000),
    isStream: stream,
    channelId: steps.at(-1)?.channel ?? 0,
    group,
    requestId,
    tags: joinTags(tagsIfValid(context, context.body)),
    other: JSON.stringify(other),
  };
}
