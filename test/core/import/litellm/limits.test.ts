// Covers src/core/import/litellm/limits.ts
import { expect, test } from 'vitest';
import { carryLimits, periodOf } from '../../../../src/core/import/litellm/limits.ts';

test.each([
  ['', 'total', [1, 1], true],
  ['1h', 'hour', [1, 1], true],
  ['60m', 'hour', [1, 1], true],
  ['5h', '5h', [1, 1], true],
  ['24h', 'day', [1, 1], true],
  ['1w', 'week', [1, 1], true],
  ['7d', 'week', [1, 1], true],
  ['30d', 'month', [1, 1], true],
  ['1mo', 'month', [1, 1], true],
  // The next shorter one has its part of the amount.
  ['90d', 'month', [30 * 86_400, 90 * 86_400], false],
  ['12h', '5h', [5 * 3600, 12 * 3600], false],
  // There is none below an hour.
  ['30m', 'hour', [1, 1], false],
])('%j is the period %s', (duration, period, part, isSame) => {
  expect(periodOf(duration)).toEqual({ period, part, isSame });
});

test.each(['soon', '0d', 'd', '1y', '-1d', '1.5h'])('%j is no duration', (duration) => {
  expect(periodOf(duration)).toBeUndefined();
});

test('limits without a number limit nothing, and of several windows each is one', async () => {
  const row = {
    max_budget: Number.POSITIVE_INFINITY,
    spend: 3,
    tpm_limit: 0n,
    budget_limits: [
      { budget_duration: '1h', max_budget: 1 },
      { budget_duration: '1d', max_budget: 5 },
    ],
    metadata: { model_tpm_limit: { m: 1000 }, model_rpm_limit: 'odd' },
  };
  const owner = { owner: 'user', id: 7, name: 'a', row, isNew: true } as const;
  const run = { now: 1_800_000_000, quotaPerUnit: 500_000, storage: null };
  expect(await carryLimits([owner, { ...owner, isNew: false }], run)).toMatchObject({
    read: 8,
    carried: 4,
    alreadyThere: 4,
    notes: [
      {
        reason: 'limit_becomes_budget',
        count: 4,
        examples: ['7 a: hour', '7 a: day', '7 a: hour', '7 a: day'],
      },
    ],
  });
});
