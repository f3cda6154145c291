// Covers src/ui/components/budgets.
/** Which budgets are about a token, and what the form of one sends. */
import { describe, expect, it } from 'vitest';
import type { BudgetStatus } from '../../../../src/core/contract/budgets.ts';
import { budgetFields } from '../../../../src/core/entities/budget.ts';
import { initialInput } from '../../../../src/core/entities/convert.ts';
import { budgetsFor } from '../../../../src/ui/queries/use-budgets.ts';
import {
  budgetInput,
  changedInput,
  checkBudget,
  newBudget,
} from '../../../../src/ui/routes/budget/budget-form.ts';

const windowOf = (spent: number, limit = 100, subject = '') => ({
  id: 1,
  subject,
  name: '',
  starts_at: 0,
  ends_at: 0,
  left: 0,
  spent,
  limit,
});
const budget = (id: number, fields: Partial<BudgetStatus>): BudgetStatus => ({
  ...initialInput(budgetFields),
  id,
  user_id: 1,
  created_time: 0,
  owner: 'user',
  owner_id: '1',
  amount: 100,
  owner_name: 'root',
  windows: [],
  rates_used: null,
  ...fields,
});
const all = [
  budget(1, { windows: [windowOf(79)] }),
  budget(2, { windows: [windowOf(80)], models: 'a,b' }),
  budget(3, { owner: 'token', owner_id: '12', owner_name: 'app', windows: [windowOf(100)] }),
  budget(4, { owner: 'group', owner_id: 'vip', owner_name: '', name: 'Department' }),
  budget(5, { enabled: false, windows: [windowOf(120)] }),
  budget(6, { each: 'token', windows: [windowOf(1, 100, '12'), windowOf(90, 100, '13')] }),
];

describe('the budgets', () => {
  it('of a token has its own, and its part of those that give each an amount', () => {
    expect(budgetsFor(all, 'token', 12)).toEqual([
      all[2],
      { ...all[5], windows: [windowOf(1, 100, '12')] },
    ]);
    expect(budgetsFor(all, 'token', 14)).toEqual([]);
  });
});

describe('the form', () => {
  const valid = { ...newBudget({ owner: 'user', owner_id: '1' }), amount: 5 };

  it.each([
    [{}, {}],
    [{ amount: '' as const }, { amount: 'budget.form.error.amount' }],
    [{ owner_id: '' }, { owner_id: 'budget.form.error.whose' }],
    [{ period: 'none', amount: '' as const }, { requests_per_minute: 'budget.form.error.rate' }],
    [{ period: 'none', amount: '' as const, parallel_requests: 2 }, {}],
    [{ closed_hours: '22-6' }, { closed_hours: 'budget.form.error.hours' }],
    [{ closed_hours: '22:00-06:00, 12:00-13:00' }, {}],
    [{ thresholds: '80%' }, { thresholds: 'budget.form.error.thresholds' }],
  ])('checks %j', (change, problems) => {
    expect(checkBudget({ ...valid, ...change })).toEqual(problems);
  });

  it('sends lists as texts, and only what changed', () => {
    const changed = {
      ...valid,
      closed_days: ['7', '6'],
      thresholds: '50, 100',
      models: ['a', 'b'],
      week_start: '7',
    };
    expect(budgetInput(changed)).toMatchObject({
      closed_days: '6,7',
      thresholds: '50,100',
      models: 'a,b',
      week_start: 7,
      amount: 5,
    });
    expect(changedInput({ ...valid, week_start: '7' }, valid)).toEqual({ week_start: 7 });
  });

  it('sends no fence and no carry-over where there is none', () => {
    const fenced = { ...valid, each: 'agent', most_repeats: 5, carry_over: 50 };
    expect(budgetInput(fenced)).toMatchObject({ most_repeats: 5, carry_over: 50 });
    expect(changedInput({ ...fenced, each: '', period: 'total' }, fenced)).toEqual({
      each: '',
      period: 'total',
      most_repeats: 0,
      carry_over: 0,
    });
  });

  it('begins in the time zone of the reader', () => {
    expect(newBudget({ owner: 'user', owner_id: '1' })).toMatchObject({
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      amount: '',
    });
  });
});
