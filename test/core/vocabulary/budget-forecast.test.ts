import { expect, it } from 'vitest';
import type { BudgetStatus } from '../../../src/core/contract/budgets.ts';
import { budgetFields } from '../../../src/core/entities/budget.ts';
import { initialInput } from '../../../src/core/entities/convert.ts';
import { isEnding, usedUpAt } from '../../../src/core/vocabulary/budget-forecast.ts';

const day = 86_400;
const week = { limit: 700, starts_at: 0, ends_at: 7 * day };

it.each([
  ['what is spent evenly lasts', { ...week, spent: 300 }, 3 * day, undefined],
  ['twice as fast ends in the middle', { ...week, spent: 350 }, 1.75 * day, 3.5 * day],
  ['what ends with its window lasts', { ...week, spent: 100 }, day, undefined],
  ['one request at the beginning is no pace', { ...week, spent: 600 }, 0.3 * day, undefined],
  ['nothing spent has none', { ...week, spent: 0 }, 3 * day, undefined],
  ['what is spent is no forecast', { ...week, spent: 700 }, 3 * day, undefined],
  ['without an end', { ...week, ends_at: 0, spent: 70 }, day, 10 * day],
  ['without an end, in the first minutes', { ...week, ends_at: 0, spent: 70 }, 599, undefined],
  ['in more than a year', { ...week, ends_at: 0, spent: 1 }, day, undefined],
])('%s', (_, window, now, expected) => {
  expect(usedUpAt(window, now)).toBe(expected);
});

const budget = (id: number, spent: number, fields: Partial<BudgetStatus> = {}): BudgetStatus => ({
  ...initialInput(budgetFields),
  id,
  user_id: 1,
  created_time: 0,
  owner: 'user',
  owner_id: '1',
  amount: 100,
  owner_name: 'root',
  rates_used: null,
  windows: [
    {
      id,
      subject: '',
      name: '',
      starts_at: 0,
      ends_at: 7 * day,
      spent,
      limit: 100,
      left: 100 - spent,
    },
  ],
  ...fields,
});

it('a budget is ending where it is spent, near its end or on the way to it', () => {
  const evenly = budget(1, 28);
  const faster = budget(2, 50);
  const near = budget(3, 85);
  const spent = budget(4, 120);
  const off = budget(5, 90, { enabled: false });
  const rate = budget(6, 90, { period: 'none' });
  const unused = budget(7, 0);
  const all = [evenly, faster, near, spent, off, rate, unused];
  const endingAt = (now: number) => all.filter((one) => isEnding(one, now)).map(({ id }) => id);
  expect(endingAt(2 * day)).toEqual([2, 3, 4]);
  // Near its end, and yet it lasts.
  expect(endingAt(6.5 * day)).toEqual([3, 4]);
});
