import { expect, test } from 'vitest';
import type { ProviderError } from '../../../../src/core/canonical/chat-reply.ts';
import { AppError, type ErrorCode } from '../../../../src/core/kernel/errors.ts';
import { judgeFailure } from '../../../../src/core/relay/select/judge-failure.ts';

const upstream = (error: ProviderError) =>
  judgeFailure({ from: 'upstream', error, mappedStatus: error.status });

test.each<[ProviderError, { own: boolean; keyOnly: boolean; coolDown: unknown }]>([
  [{ status: 500 }, { own: true, keyOnly: false, coolDown: undefined }],
  [{ status: 504 }, { own: true, keyOnly: false, coolDown: undefined }],
  [
    { status: 500, retryAfter: 9 },
    { own: true, keyOnly: false, coolDown: undefined },
  ],
  [
    { status: 503, retryAfter: 9 },
    { own: true, keyOnly: false, coolDown: 9 },
  ],
  [{ status: 503 }, { own: true, keyOnly: false, coolDown: undefined }],
  [
    { status: 429, retryAfter: 9 },
    { own: false, keyOnly: true, coolDown: 9 },
  ],
  [{ status: 429 }, { own: false, keyOnly: true, coolDown: 'unnamed' }],
  [{ status: 401 }, { own: false, keyOnly: true, coolDown: undefined }],
  [
    { status: 400, accountFault: true },
    { own: false, keyOnly: true, coolDown: undefined },
  ],
  [{ status: 400 }, { own: false, keyOnly: false, coolDown: undefined }],
  [{ status: 404 }, { own: false, keyOnly: false, coolDown: undefined }],
])('%o', (error, meaning) => {
  expect(upstream(error)).toEqual(meaning);
});

test('the mapping of status codes changes what the caller sees, not what happened', () => {
  expect(judgeFailure({ from: 'upstream', error: { status: 500 }, mappedStatus: 400 }).own).toBe(
    true,
  );
});

test.each<[ErrorCode, boolean]>([
  ['do_request_failed', true],
  ['upstream_timeout', true],
  ['empty_response', true],
  ['bad_response_body', true],
  ['prompt_blocked', false],
  ['unsupported_feature', false],
  ['internal_error', false],
])('%s is the channel’s own: %s', (code, own) => {
  expect(judgeFailure({ from: 'gateway', error: new AppError(code) }).own).toBe(own);
});
