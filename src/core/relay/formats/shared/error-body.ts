/** Errors as each family of clients reads them (spec, relay 8; providers-international 1.6, 4.0). */
import type { JsonObject } from '../../../kernel/json.ts';
import type { ApiFamily } from '../../../vocabulary/wire-formats.ts';

export interface WireError {
  /** The HTTP status the caller gets. */
  readonly status: number;
  /** Text for people, masked and final. */
  readonly message: string;
  /** The upstream's own words where it has them; `new_api_error` and our code for errors of the gateway. */
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  /** Seconds until a repeat makes sense, where known. */
  readonly retryAfter?: number | undefined;
}

/** The type of errors the gateway itself makes, on OpenAI routes. */
export const gatewayErrorType = 'new_api_error';

/** What an upstream error lacks is filled in; the gateway's own have nothing to fill but empty texts. */
function openAiError(error: WireError): JsonObject {
  const own = error.type === gatewayErrorType;
  return {
    error: {
      message: error.message,
      type: error.type ?? 'upstream_error',
      param: error.param ?? (own ? '' : String(error.status)),
      code: error.code ?? (own ? '' : 'bad_response_status_code'),
    },
  };
}

const anthropicTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};
const knownAnthropicTypes = new Set([...Object.values(anthropicTypes), 'api_error']);

/**
 * Anthropic's type of a status; a type of Anthropic's own that the upstream named stays. OpenAI has the word of status 400
 * too and says it to nearly everything, so there the status knows better.
 */
function anthropicErrorType(status: number, given?: string): string {
  const vague = given === anthropicTypes[400] && anthropicTypes[status] !== undefined;
  if (given !== undefined && !vague && knownAnthropicTypes.has(given)) return given;
  return anthropicTypes[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

const geminiStatuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
};
const knownGeminiStatuses = new Set([...Object.values(geminiStatuses), 'INTERNAL', 'UNKNOWN', 'ABORTED', 'CANCELLED']);

function geminiErrorStatus(status: number, given?: string): string {
  if (given !== undefined && knownGeminiStatuses.has(given)) return given;
  return geminiStatuses[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
}

/** Google's clients look for the time to wait in the body, not in a header (spec, agent-clients 3). */
function geminiError({ status, message, code, retryAfter }: WireError): JsonObject {
  const error = { code: status, message, status: geminiErrorStatus(status, code) };
  if (status !== 429 || retryAfter === undefined) return { error };
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` }];
  return { error: { ...error, details } };
}

/** The whole body of an error reply, and the payload of an error inside a stream. */
export function errorBody(apiFamily: ApiFamily, error: WireError): JsonObject {
  switch (apiFamily) {
    case 'openai':
      return openAiError(error);
    case 'anthropic':
      return { type: 'error', error: { type: anthropicErrorType(error.status, error.type), message: error.message } };
    case 'gemini':
      return geminiError(error);
  }
}
