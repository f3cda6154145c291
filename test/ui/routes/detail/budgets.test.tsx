import { expect, it } from 'vitest';
import type { BudgetStatus } from '../../../../src/core/contract/budgets.ts';
import { budgetFields } from '../../../../src/core/entities/budget.ts';
import { initialInput } from '../../../../src/core/entities/convert.ts';
import { endingBudgets } from '../../../../src/ui/routes/detail/budgets.tsx';

const day = 86_400;
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

it('lists what is spent, near its end or on the way to it, fullest first', () => {
  const evenly = budget(1, 28);
  const faster = budget(2, 50);
  const near = budget(3, 85);
  const spent = budget(4, 120);
  const off = budget(5, 90, { enabled: false });
  const rate = budget(6, 90, { period: 'none' });
  const found = endingBudgets([evenly, faster, near, spent, off, rate], 2 * day);
  expect(found.map(({ id }) => id)).toEqual([4, 3, 2]);
  // Near its end, and yet it lasts.
  expect(endingBudgets([faster, near], 6.5 * day).map(({ id }) => id)).toEqual([3]);
});
