// @vitest-environment happy-dom
// Covers src/ui/queries/use-budgets.ts
/** Budgets on the dashboard and beside rows: only what is shown is read. */
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { BudgetStatus } from '../../../../src/core/contract/budgets.ts';
import { budgetFields } from '../../../../src/core/entities/budget.ts';
import { initialInput } from '../../../../src/core/entities/convert.ts';
import { roles } from '../../../../src/core/vocabulary/roles.ts';
import { useBudgetsAbout } from '../../../../src/ui/queries/use-budgets.ts';
import { Budgets } from '../../../../src/ui/routes/detail/budgets.tsx';
import { onCall, prepareConsole, prepareUser, sent, show } from '../../support/render.tsx';

prepareConsole();
prepareUser(roles.root);

const budget = (id: number, name: string): BudgetStatus => ({
  ...initialInput(budgetFields),
  id,
  name,
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
      ends_at: 0,
      spent: 90,
      limit: 100,
      left: 10,
    },
  ],
});

it('the dashboard lists those that the server names, by one call', async () => {
  onCall('GET /api/turnpike/budgets/ending', () => [budget(2, 'Lunch'), budget(1, 'Night')]);
  show(<Budgets />);
  const links = await screen.findAllByRole('link', { name: /Lunch|Night/ });
  expect(links.map(({ textContent }) => textContent)).toEqual(['Lunch', 'Night']);
  expect(sent.map(({ call }) => call)).toEqual(['GET /api/turnpike/budgets/ending']);
});

it('budgets of more rows than a call may name are read by several calls', async () => {
  let calls = 0;
  onCall('GET /api/turnpike/budgets/about', () => {
    calls += 1;
    return [budget(calls, `of call ${calls}`)];
  });
  const ids = Array.from({ length: 101 }, (_, index) => index + 1);
  const Names = () => useBudgetsAbout('token', ids).map(({ name }) => <p key={name}>{name}</p>);
  show(<Names />);
  await screen.findByText('of call 2');
  expect(screen.getByText('of call 1')).toBeDefined();
  expect(calls).toBe(2);
});

it('nothing is read of an empty list', async () => {
  onCall('GET /api/turnpike/budgets/about', () => [budget(1, 'unwanted')]);
  onCall('GET /api/turnpike/budgets/ending', () => [budget(2, 'Lunch')]);
  const Names = () => useBudgetsAbout('token', []).map(({ name }) => <p key={name}>{name}</p>);
  show(
    <>
      <Names />
      <Budgets />
    </>,
  );
  await screen.findByRole('link', { name: 'Lunch' });
  expect(sent.map(({ call }) => call)).toEqual(['GET /api/turnpike/budgets/ending']);
});
