/** Reads failed replies of providers that write errors in one of the common forms. */
import { isObject } from '../../kernel/json.ts';
import type { ProviderError } from '../chat-reply.ts';
import type { UpstreamFailure } from '../provider.ts';
import { countOf, listOf, recordOf, textOf } from './read-json.ts';

/** The upstream replied with status 200 and an error in the body. Treated like a failed status. */
export class ReplyFailure extends Error {
  readonly error: ProviderError;

  constructor(error: ProviderError) {
    super(error.message ?? 'the upstream answered with an error');
    this.name = 'ReplyFailure';
    this.error = error;
  }
}

function detailText(detail: unknown): string | undefined {
  if (typeof detail === 'string') return textOf(detail);
  const texts = listOf(detail).flatMap(
    (entry) => textOf(entry) ?? textOf(recordOf(entry)?.msg) ?? [],
  );
  return texts.length > 0 ? texts.join('; ') : undefined;
}

/** The first readable message, in the order of docs/rules/relay.md#error-source */
export function failureMessage(body: unknown): string | undefined {
  const root = recordOf(Array.isArray(body) ? body[0] : body);
  if (root === undefined) return typeof body === 'string' ? textOf(body) : undefined;
  return (
    textOf(recordOf(root.error)?.message) ??
    textOf(root.error) ??
    textOf(root.message) ??
    detailText(recordOf(root.message)?.detail) ??
    textOf(root.msg) ??
    textOf(root.err) ??
    textOf(root.error_msg) ??
    textOf(recordOf(root.header)?.message) ??
    textOf(recordOf(root.base_resp)?.status_msg) ??
    textOf(recordOf(recordOf(root.response)?.error)?.message) ??
    detailText(root.detail) ??
    textOf(recordOf(listOf(root.errors)[0])?.message)
  );
}

/** Statuses behind the error types of official upstreams (docs/rules/relay.md#error-source). */
const statusByType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  api_error: 500,
  server_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

const accountFaults = new Set([
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'insufficient_quota',
  'authentication_error',
  'billing_error',
  // Anthropic, in `error_code`.
  'contract_spend_limit_reached',
  'enforced_spend_limit_reached',
  'organization_on_hold',
  'linked_organization_billing_unavailable',
  'linked_organization_spend_limit_reached',
]);

function wordOf(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : textOf(value);
}

/**
 * Reads an error that came with status 200: in a body or as an event of a stream. `raw` is the
 * object that holds `error`, or the error itself. The status is the one the provider names, else
 * follows from its type, else 502.
 */
export function errorFromBody(raw: unknown): ProviderError {
  const root = recordOf(Array.isArray(raw) ? raw[0] : raw);
  const inner = recordOf(root?.error) ?? root ?? {};
  const type = textOf(inner.type);
  const code = wordOf(inner.code) ?? textOf(inner.error_code);
  const number = countOf(inner.code) ?? countOf(inner.status) ?? countOf(inner.status_code);
  const named = number !== undefined && number >= 400 && number <= 599 ? number : undefined;
  const status = named ?? statusByType[type ?? ''] ?? statusByType[code ?? ''] ?? 502;
  return {
    status,
    message: failureMessage(raw),
    type,
    code,
    param: textOf(inner.param),
    ...faultOf(status, type, code),
  };
}

function faultOf(
  status: number,
  type: string | undefined,
  code: string | undefined,
): { accountFault?: true } {
  const fault =
    status === 401 ||
    status === 402 ||
    accountFaults.has(type ?? '') ||
    accountFaults.has(code ?? '');
  return fault ? { accountFault: true } : {};
}

/** Undefined for what is no time to wait: callers get it in a header, which takes whole numbers. */
export function wholeSeconds(seconds: number): number | undefined {
  const whole = Math.ceil(seconds);
  return seconds >= 0 && Number.isSafeInteger(whole) ? whole : undefined;
}

/**
 * Seconds, from `retry-after-ms` or `retry-after` (seconds or a date, read against the reply's own
 * `date`).
 */
export function retryAfterOf(headers: UpstreamFailure['headers']): number | undefined {
  const named = wholeSeconds(Number(headers['retry-after-ms'] ?? Number.NaN) / 1000);
  if (named !== undefined) return named;
  const text = headers['retry-after'];
  if (text === undefined || text.trim() === '') return undefined;
  const wait = Date.parse(text) - Date.parse(headers.date ?? '');
  return wholeSeconds(Number(text)) ?? wholeSeconds(wait / 1000);
}

/**
 * The default `readFailure`: message by the usual order, the provider's own type, code and param
 * kept.
 */
export function readFailure(failure: UpstreamFailure): ProviderError {
  const root = recordOf(Array.isArray(failure.body) ? failure.body[0] : failure.body);
  const inner = isObject(root?.error) ? root.error : root;
  const type = textOf(inner?.type);
  const code = wordOf(inner?.code) ?? textOf(inner?.error_code);
  return {
    status: failure.status,
    message: failureMessage(failure.body),
    type,
    code,
    param: textOf(inner?.param),
    retryAfter: retryAfterOf(failure.headers),
    ...faultOf(failure.status, type, code),
  };
}

/**
 * An error that came with status 200, read by the vendor's own `readFailure` with the status that
 * the error itself names (see {@link errorFromBody}).
 */
export function failureInside(
  raw: unknown,
  read: (failure: UpstreamFailure) => ProviderError,
): ProviderError {
  const { status } = errorFromBody(raw);
  return read({ status, headers: {}, text: JSON.stringify(raw) ?? '', body: raw });
}
