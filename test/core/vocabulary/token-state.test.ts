import { expect, test } from 'vitest';
import { effectiveTokenStatus, lastUseOf } from '../../../src/core/vocabulary/token-state.ts';

const token = { status: 1, expired_time: -1, remain_quota: 5, unlimited_quota: false };

test.each([
  ['enabled', {}, 1],
  ['expired before its status was stored', { expired_time: 99 }, 3],
  ['in its last second', { expired_time: 100 }, 1],
  ['exhausted before its status was stored', { remain_quota: 0 }, 4],
  ['overdrawn', { remain_quota: -1 }, 4],
  ['unlimited without quota', { remain_quota: 0, unlimited_quota: true }, 1],
  ['expired and exhausted', { expired_time: 99, remain_quota: 0 }, 3],
  ['disabled and expired', { status: 2, expired_time: 99 }, 2],
])('a token that is %s', (_, fields, expected) => {
  expect(effectiveTokenStatus({ ...token, ...fields }, 100)).toBe(expected);
});

test.each([
  ['used', { accessed_time: 9, used_quota: 5 }, 9],
  ['used for nothing', { accessed_time: 9, used_quota: 0 }, 9],
  ['used in the second it was made', { accessed_time: 7, used_quota: 5 }, 7],
  ['made and never used', { accessed_time: 7, used_quota: 0 }, 0],
  ['imported and never used', { accessed_time: 0, used_quota: 0 }, 0],
])('the last use of a token that was %s', (_, use, expected) => {
  expect(lastUseOf({ created_time: 7, ...use })).toBe(expected);
});
