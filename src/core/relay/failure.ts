/** From what went wrong to what the caller reads. */

import type { ProviderError } from '../canonical/chat.ts';
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
 * The console signs its user out on 401, and takes the code of an empty wallet for its user's
 * (docs/rules/relay.md#playground-errors): an upstream's must not look like ours.
 */
function forConsole(failure: Failure): Failure {
  if (failure.from === 'gateway') {
    const { code, params } = failure.error;
    return code === 'no_channel'
      ? ours(new AppError('get_playground_channel_failed', params))
      : failure;
  }
  const { error, mappedStatus } = failure;
  if (error.status === 401 || mappedStatus === 401)
    return ours(new AppError('upstream_unauthorized'));
  return error.code === 'insufficient_user_quota'
    ? { ...failure, error: { ...error, code: 'upstream_error' } }
    : failure;
}

function ours(error: AppError): Failure {
  return { from: 'gateway', error };
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
    retryAfter: saturated ? Math.max(1, Math.ceil(error.retryAfter ?? 1)) : error.retryAfter,
    // An upstream's 401 or 403 is about our key: the caller can do nothing by repeating.
    final: error.status === 401 || error.status === 403,
  };
}
