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
  ['used', 7, 9, 9],
  ['made and never used', 7, 7, 0],
  ['imported and never used', 7, 0, 0],
])('the last use of a token that was %s', (_, created_time, accessed_time, expected) => {
  expect(lastUseOf({ created_time, accessed_time })).toBe(expected);
});
