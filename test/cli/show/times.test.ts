/** Times for display, in the local time zone. */
import { expect, test } from 'vitest';
import { formatRecent, formatTime } from '../../../src/cli/show/times.ts';

const at = (...parts: [number, number, number, number?, number?, number?]) =>
  new Date(...parts).getTime() / 1000;
const now = at(2026, 10, 20, 19, 4, 52);

test('a time of today is a clock, one of another day a date, both eight columns wide', () => {
  expect(formatRecent(at(2026, 10, 20), now)).toBe('00:00:00');
  expect(formatRecent(at(2026, 10, 19, 23, 59, 59), now)).toBe('   11-19');
  expect(formatRecent(at(2025, 10, 20, 19, 4, 52), now)).toBe('25-11-20');
});

test('a moment has its year unless it is this one', () => {
  expect(formatTime(at(2026, 0, 2, 3, 4, 5), now)).toBe('01-02 03:04:05');
  expect(formatTime(at(2025, 0, 2, 3, 4, 5), now)).toBe('2025-01-02 03:04:05');
  expect([formatTime(0, now), formatTime(-1, now)]).toEqual(['', '']);
});
