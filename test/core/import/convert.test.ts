import { expect, test } from 'vitest';
import { moneyToQuota, toSeconds } from '../../../src/core/import/convert.ts';

test.each([
  ['1.5', 500_000, 750_000n, true],
  [4, 500_000, 2_000_000n, true],
  // Doubles are what their shortest text says.
  [0.1 + 0.2, 10, 3n, false],
  [3.3e-7, 10_000_000, 3n, false],
  ['1e-07', 10_000_000, 1n, true],
  ['-2.5e-1', 2, -1n, false],
  [1.5e21, 1, 1_500_000_000_000_000_000_000n, true],
  ['', 500_000, 0n, true],
  [null, 500_000, 0n, true],
  ['no number', 500_000, 0n, true],
  [Number.POSITIVE_INFINITY, 500_000, 0n, true],
])('%j at %d a unit is %d quota', (value, perUnit, quota, isExact) => {
  expect(moneyToQuota(value, perUnit)).toEqual({ quota, isExact });
});

test('a time without a zone is UTC, whatever the machine’s zone', () => {
  expect(toSeconds('2026-11-29 17:05:01.123')).toBe(Date.UTC(2026, 10, 29, 17, 5, 1) / 1000);
  expect(toSeconds('2026-11-29 18:05:01 +0100')).toBe(Date.UTC(2026, 10, 29, 17, 5, 1) / 1000);
});
