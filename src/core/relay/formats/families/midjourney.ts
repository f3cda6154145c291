import { type ApiFamily, gatewayErrorType, type WireError } from './api-family.ts';

/**
 * The texts that clients of midjourney-proxy's other gateways match, by our code
 * (docs/rules/midjourney.md#errors).
 */
const texts: Readonly<Record<string, string>> = {
  insufficient_user_quota: 'quota_not_enough',
  pre_consume_token_quota_failed: 'quota_not_enough',
  invalid_json: 'bind_request_body_failed',
  no_channel: 'get_channel_info_failed',
  task_channel_disabled: 'get_channel_info_failed',
  do_request_failed: 'do_request_failed',
  upstream_timeout: 'do_request_failed',
  upstream_cut: 'read_response_body_failed',
  bad_response_body: 'unmarshal_response_body_failed',
  empty_response: 'empty_response_body',
};

/** The upstream could not be reached, or its reply not be read. */
const unknownFailures = new Set([
  'do_request_failed',
  'upstream_timeout',
  'upstream_cut',
  'bad_response_body',
  'empty_response',
]);

function codeOf({ status, code = '' }: WireError): number {
  if (status === 429) return 30;
  return unknownFailures.has(code) ? 5 : 4;
}

function describe({ message, type, code = '' }: WireError): string {
  const text = type === gatewayErrorType ? texts[code] : undefined;
  return text === undefined ? message : `${text} ${message}`.trim();
}

export const midjourneyFamily: ApiFamily = {
  name: 'midjourney',
  ownsPath: (_method, path) => /^\/(?:mj-[^/]*\/)?mj(?:\/|$)/.test(path),
  errorBody: (error) => ({
    description: describe(error),
    type: 'upstream_error',
    code: codeOf(error),
  }),
  // None of its replies is streamed.
  errorEvent: (error) => JSON.stringify(midjourneyFamily.errorBody(error)),
  keepAlive: '\n',
  fixedMessages: true,
};
