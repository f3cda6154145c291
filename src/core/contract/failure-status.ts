import { type ErrorCode, errorTable } from '../kernel/errors.ts';

/**
 * Codes that keep their HTTP status; every other failure of the console API returns 200
 * (docs/rules/console-api.md#statuses).
 */
const statusKept = new Set<ErrorCode>([
  'not_signed_in',
  'user_id_missing',
  'user_id_malformed',
  'user_id_mismatch',
  'cross_site_request',
  'oauth_state_invalid',
  'already_set_up',
  'setup_token_wrong',
  'passwords_differ',
  'rate_limited',
  'sign_in_busy',
  'shutting_down',
  'internal_error',
  'request_too_large',
  'request_too_complex',
  'invalid_encoding',
  'demo_site',
]);

export function failureStatus(code: ErrorCode): number {
  return statusKept.has(code) ? errorTable[code].status : 200;
}
