import { type ApiFamily, messageFor, type OverlongWords } from './api-family.ts';

const statuses: Readonly<Record<number, string>> = {
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
const knownStatuses = new Set([
  ...Object.values(statuses),
  'INTERNAL',
  'UNKNOWN',
  'ABORTED',
  'CANCELLED',
]);

function errorStatus(status: number, given?: string): string {
  if (given !== undefined && knownStatuses.has(given)) return given;
  return statuses[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
}

/** Google's own message (https://github.com/google-gemini/gemini-cli/issues/6678). */
const overlong: OverlongWords = {
  known: ['exceeds the maximum number of tokens allowed'],
  write: (figures) =>
    figures === undefined
      ? 'The input token count exceeds the maximum number of tokens allowed.'
      : `The input token count (${figures.sent}) exceeds the maximum number of tokens allowed (${figures.most}).`,
};

/** `/v1beta/models/{model}:{action}`; clients may be set to `/v1`. */
const actionPath = /^\/v1(?:beta)?\/models\/(.+):(\w+)$/;

export const geminiFamily: ApiFamily = {
  name: 'gemini',
  ownsPath: (method, path) =>
    path.startsWith('/v1beta/')
      ? !path.startsWith('/v1beta/openai/')
      : method === 'POST' && actionPath.test(path),
  /** Google's clients look for the time to wait in the body, not in a header. */
  errorBody(given) {
    const { status, code, retryAfter } = given;
    const message = messageFor(given, overlong);
    const error = { code: status, message, status: errorStatus(status, code) };
    if (status !== 429 || retryAfter === undefined) return { error };
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` },
    ];
    return { error: { ...error, details } };
  },
  /**
   * Twice: as an event, and as JSON alone, which is how Google writes it. Its older SDKs take the
   * event for an answer without candidates and only fail on the other; a blank line at the end
   * would hide that from them.
   */
  errorEvent(error) {
    const json = JSON.stringify(geminiFamily.errorBody(error));
    return `data: ${json}\r\n\r\n${json}`;
  },
  /** A comment or `[DONE]` breaks Google's client; a bare newline does not. */
  keepAlive: '\n',
};
