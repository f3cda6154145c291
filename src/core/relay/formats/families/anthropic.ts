import { type ApiFamily, messageFor, type OverlongWords } from './api-family.ts';

const types: Readonly<Record<number, string>> = {
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
const knownTypes = new Set([...Object.values(types), 'api_error']);

/**
 * Anthropic's type of a status; a type of Anthropic's own that the upstream named stays. OpenAI
 * uses the type of status 400 too, and for nearly every error, so for that one the status decides.
 */
function errorType(status: number, given?: string): string {
  const vague = given === types[400] && types[status] !== undefined;
  if (given !== undefined && !vague && knownTypes.has(given)) return given;
  return types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

/**
 * Anthropic's own messages
 * (https://platform.claude.com/docs/en/build-with-claude/context-windows): Claude Code compacts on
 * the first, and sends a smaller `max_tokens` on the second.
 */
const overlong: OverlongWords = {
  known: ['prompt is too long', 'exceed context limit'],
  write: (figures) =>
    figures === undefined
      ? 'prompt is too long:'
      : `prompt is too long: ${figures.sent} tokens > ${figures.most} maximum.`,
};

export const anthropicFamily: ApiFamily = {
  name: 'anthropic',
  ownsPath: (_method, path) => path.startsWith('/v1/messages'),
  errorBody: (error) => ({
    type: 'error',
    error: {
      type: errorType(error.status, error.type),
      message: messageFor(error, overlong),
    },
  }),
  errorEvent: (error) =>
    `event: error\ndata: ${JSON.stringify(anthropicFamily.errorBody(error))}\n\n`,
  /** As Anthropic's API (https://platform.claude.com/docs/en/api/rate-limits#response-headers). */
  limitHeaders: ({ unit, limit, left, resetMs }, now) => ({
    [`anthropic-ratelimit-${unit}-limit`]: String(limit),
    [`anthropic-ratelimit-${unit}-remaining`]: String(left),
    [`anthropic-ratelimit-${unit}-reset`]: new Date(now + resetMs).toISOString(),
  }),
  keepAlive: 'event: ping\ndata: {"type": "ping"}\n\n',
};
