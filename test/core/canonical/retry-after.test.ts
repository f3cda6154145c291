// Covers src/core/canonical/kit/failure.ts and src/core/providers/gemini/failure.ts.
/** How long an upstream wants to be left alone, of which callers get a header in whole seconds. */
import { expect, it } from 'vitest';
import { readFailure } from '../../../src/core/canonical/kit/failure.ts';
import { readGoogleFailure } from '../../../src/core/providers/gemini/failure.ts';

const date = 'Fri, 20 Nov 2026 08:00:00 GMT';

it.each(['1e309', 'Infinity', '1e25', '-5', 'soon', ''])('a time of %j is none', (wait) => {
  const waitOf = (headers: Record<string, string>, body: object = {}) =>
    readGoogleFailure({ status: 429, headers: { date, ...headers }, text: '', body }).retryAfter;
  expect(waitOf({ 'retry-after': wait })).toBeUndefined();
  expect(waitOf({ 'retry-after': '7' })).toBe(7);
  const details = [{ retryDelay: `${wait}s` }];
  expect(waitOf({ 'retry-after': wait }, { error: { details } })).toBeUndefined();
  expect(waitOf({}, { error: { details: [...details, { retryDelay: '3.2s' }] } })).toBe(4);
});

it.each(['1e309', 'x', '-1'])('milliseconds of %j leave it to the seconds', (milliseconds) => {
  const headers = { date, 'retry-after-ms': milliseconds, 'retry-after': '7' };
  expect(readFailure({ status: 429, headers, text: '', body: {} }).retryAfter).toBe(7);
});
