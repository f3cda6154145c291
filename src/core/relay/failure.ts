/** From what went wrong to what the caller reads. */

import type { ProviderError } from '../canonical/chat-reply.ts';
import type { Language } from '../i18n/translate.ts';
import { translate } from '../i18n/translate.ts';
import { AppError, type ErrorSpec, errorTable } from '../kernel/errors.ts';
import { RuleRefusal } from '../upstream/rules/param-override.ts';
import type { RelayContext } from './context.ts';
import { gatewayErrorType, type WireError } from './formats/families/api-family.ts';

/** Why an attempt, and in the end the request, failed. */
export type Failure =
  | { readonly from: 'gateway'; readonly error: AppError }
  /** `error` is masked. `mappedStatus`: after the channel's status_code_mapping. */
  | { readonly from: 'upstream'; readonly error: ProviderError; readonly mappedStatus: number };

export interface FinalError extends WireError {
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /** Repeating is useless. */
  readonly final: boolean;
}

/** The message, status, type and code that the administrator wrote. */
function describeRefusal({ answer, mayRetry }: RuleRefusal): FinalError {
  return { ...answer, retryAfter: undefined, final: !mayRetry };
}

/** An unexpected error becomes `internal_error`; its text stays in the log. */
export function asAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('internal_error', {}, { cause: error });
}

/**
 * A redirection or a number that is no status must not reach a client
 * (docs/rules/relay.md#error-status).
 */
function errorStatus(status: number): number {
  return status >= 400 && status <= 599 ? status : 502;
}

/** As {@link describeError}, with the request id at the end. */
export function describeFailure(
  failure: Failure,
  language: Language,
  requestId: string,
): FinalError {
  const described = describeError(failure, language);
  return { ...described, message: `${described.message} (request id: ${requestId})` };
}

/**
 * The same for the caller of a request. The console has errors of its own; messages that clients
 * match have no request id.
 */
export function describeToCaller(
  failure: Failure,
  context: Pick<RelayContext, 'language' | 'requestId' | 'route'>,
): FinalError {
  const { language, requestId, route } = context;
  if (route.family.fixedMessages === true) return describeError(failure, language);
  return describeFailure(
    route.login === 'console' ? forConsole(failure) : failure,
    language,
    requestId,
  );
}

/**
 * The console signs its user out on 401 (docs/rules/relay.md#playground-errors): an upstream's must
 * not look like ours.
 */
function forConsole(failure: Failure): Failure {
  if (failure.from === 'gateway') {
    const { code, params } = failure.error;
    return code === 'no_channel'
      ? ours(new AppError('get_playground_channel_failed', params))
      : failure;
  }
  return failure.mappedStatus === 401 ? ours(new AppError('upstream_unauthorized')) : failure;
}

function ours(error: AppError): Failure {
  return { from: 'gateway', error };
}

/** Statuses about the channel's key or account. */
const accountStatuses = new Set([401, 402, 403]);

/** Statuses of faults in the request: it fails as often as it is repeated. */
const uselessStatuses = new Set([400, 404, 405, 413, 415, 422]);

/** The site's account with a vendor is at its end: nothing that the caller can mend. */
function isAccountsFault({ error }: Extract<Failure, { from: 'upstream' }>): boolean {
  if (error.about !== undefined) return false;
  return error.accountFault === true || accountStatuses.has(error.status);
}

/** Our own text for our codes, the upstream's for its errors. */
export function describeError(failure: Failure, language: Language): FinalError {
  if (failure.from === 'gateway') {
    if (failure.error instanceof RuleRefusal) return describeRefusal(failure.error);
    const { code, params } = failure.error;
    const spec: ErrorSpec = errorTable[code];
    const { retryAfter } = params;
    const passes = spec.final !== true && (spec.status === 429 || spec.status === 503);
    return {
      status: spec.status,
      message: translate(language, `error.${code}`, params),
      type: spec.wire?.type ?? gatewayErrorType,
      code,
      param: spec.wire?.param,
      retryAfter: retryAfter === undefined && !passes ? undefined : Number(retryAfter ?? 1),
      final: spec.final === true,
    };
  }
  const { error, mappedStatus } = failure;
  if (isAccountsFault(failure)) {
    const described = describeError(ours(new AppError('upstream_unauthorized')), language);
    return mappedStatus === error.status
      ? described
      : { ...described, status: errorStatus(mappedStatus) };
  }
  const saturated = mappedStatus === 429;
  const words = saturated
    ? translate(language, 'error.upstream_saturated', {})
    : (error.message ?? `bad response status code ${error.status}`);
  return {
    status: errorStatus(mappedStatus),
    message: words,
    type: error.type,
    code: error.code,
    param: error.param,
    about: error.about,
    retryAfter: saturated ? Math.max(1, Math.ceil(error.retryAfter ?? 1)) : error.retryAfter,
    final: error.about !== undefined || uselessStatuses.has(mappedStatus),
  };
}
