import { type ApiFamily, gatewayErrorType, type WireError } from './api-family.ts';

/** Codes of the gateway that clients of task APIs know by another name (New API's task errors). */
const codes: Readonly<Record<string, string>> = {
  insufficient_user_quota: 'quota_not_enough',
  pre_consume_token_quota_failed: 'quota_not_enough',
  no_channel: 'channel_not_found',
  task_channel_disabled: 'task_channel_disable',
  do_request_failed: 'do_request_failed',
  upstream_timeout: 'do_request_failed',
  upstream_cut: 'read_response_body_failed',
  bad_response_body: 'unmarshal_response_body_failed',
  invalid_json: 'invalid_request',
};

function codeOf({ type, code }: WireError): string {
  if (code !== undefined && code !== '') return codes[code] ?? code;
  return type === gatewayErrorType ? 'invalid_request' : 'fail_to_fetch_task';
}

/** Task APIs (Suno, video): a code in words, a message, no data. */
export const sunoFamily: ApiFamily = {
  name: 'suno',
  ownsPath: (_method, path) => path === '/suno' || path.startsWith('/suno/'),
  errorBody: (error) => ({ code: codeOf(error), message: error.message, data: null }),
  errorEvent: (error) => `data: ${JSON.stringify(sunoFamily.errorBody(error))}\n\n`,
  keepAlive: ': PING\n\n',
};
