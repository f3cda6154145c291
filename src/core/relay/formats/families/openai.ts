import {
  type Allowance,
  type ApiFamily,
  gatewayErrorType,
  messageFor,
  type OverlongWords,
  type WireError,
} from './api-family.ts';

export const doneEvent = 'data: [DONE]\n\n';

/** Code and message of OpenAI's own error (https://platform.openai.com/docs/guides/error-codes). */
const overlong: OverlongWords = {
  known: ['maximum context length', 'context window'],
  write: (figures) =>
    figures === undefined
      ? 'Your input exceeds the context window of this model.'
      : `This model's maximum context length is ${figures.most} tokens. ` +
        `However, your messages resulted in ${figures.sent} tokens.`,
};

/** Codes of OpenAI and Azure for content that a filter held back. */
const filterCodes = new Set([
  'content_filter',
  'content_policy_violation',
  'moderation_blocked',
  'invalid_prompt',
  'cyber_policy',
]);

/** An error about the request, as OpenAI writes it; anything else as it is. */
export function inOpenAiWords(error: WireError): WireError {
  if (error.about === undefined) return error;
  const type = 'invalid_request_error';
  if (error.about === 'context') {
    const message = messageFor(error, overlong);
    return { ...error, message, type, code: 'context_length_exceeded' };
  }
  const isOwn = error.code !== undefined && filterCodes.has(error.code);
  return isOwn
    ? { ...error, type: error.type ?? type }
    : { ...error, type, code: 'content_filter' };
}

/**
 * As OpenAI's API (https://platform.openai.com/docs/guides/rate-limits): the time is one of Go's
 * durations.
 */
export function openAiLimitHeaders({
  unit,
  limit,
  left,
  resetMs,
}: Allowance): Record<string, string> {
  return {
    [`x-ratelimit-limit-${unit}`]: String(limit),
    [`x-ratelimit-remaining-${unit}`]: String(left),
    [`x-ratelimit-reset-${unit}`]: `${resetMs / 1000}s`,
  };
}

export const openAiFamily: ApiFamily = {
  name: 'openai',
  ownsPath: () => true,
  /** What an upstream's error lacks is filled in; the gateway's own have empty texts there. */
  errorBody(given) {
    const error = inOpenAiWords(given);
    const own = error.type === gatewayErrorType;
    return {
      error: {
        message: error.message,
        type: error.type ?? 'upstream_error',
        param: error.param ?? (own ? '' : String(error.status)),
        code: error.code ?? (own ? '' : 'bad_response_status_code'),
      },
    };
  },
  /** Without `[DONE]`: clients that overlook errors take that for the proper end of an answer. */
  errorEvent: (error) => `data: ${JSON.stringify(openAiFamily.errorBody(error))}\n\n`,
  keepAlive: ': PING\n\n',
};
