// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { StatementScreen } from '../../../../src/ui/routes/statement/index.tsx';
import { onCall, prepareConsole, prepareUser, Refusal, show } from '../../support/render.tsx';

prepareConsole();
prepareUser(1);

const posting = (id: number, created_at: number) => ({
  id,
  user_id: 1,
  kind: 'grant',
  amount: 500_000,
  balance_after: 500_000 * id,
  reference: '',
  subject: null,
  created_at,
  created_at_str: '',
});
/** 31 October 2026, 12:30:00 UTC: November has begun in the zone of the statement. */
const beginOfMonth = Date.UTC(2026, 9, 31, 12, 30) / 1000;
const statement = {
  user_id: 1,
  username: 'ann',
  month: '2026-11',
  time_zone: 'Pacific/Kiritimati',
  closed: false,
  opening: 0,
  closing: 500_000,
  difference: 0,
  kinds: [{ kind: 'grant', count: 1, amount: 500_000 }],
  days: [],
  charges: [],
  movements: [posting(1, beginOfMonth)],
  movements_total: 1,
  months: ['2026-11'],
};
const movementsCall = 'GET /api/turnpike/ledger/statement/movements';

beforeEach(() => onCall('GET /api/turnpike/ledger/statement', () => statement));

it('names times in the zone by which its month and days are counted', async () => {
  show(<StatementScreen />, '/statement');
  await screen.findByText('All balance changes of the month. Times are in Pacific/Kiritimati.');
  screen.getByText('2026-11-01 02:30:00');
});

it('shows local times where the browser does not know the zone', async () => {
  onCall('GET /api/turnpike/ledger/statement', () => ({ ...statement, time_zone: 'Mars/Base' }));
  show(<StatementScreen />, '/statement');
  await screen.findByText('Grants');
  screen.getByText(/^2026-1[01]-\d\d \d\d:\d\d:00$/);
});

it('says that the postings of a long month cannot be read, and reads them again', async () => {
  onCall('GET /api/turnpike/ledger/statement', () => ({ ...statement, movements_total: 250 }));
  onCall(movementsCall, () => {
    throw new Refusal('database_unavailable', 'The database cannot be reached');
  });
  show(<StatementScreen />, '/statement');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The database cannot be reached');
  const page = { page: 1, page_size: 100, total: 250, items: [posting(1, beginOfMonth)] };
  onCall(movementsCall, () => page);
  fireEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
  await screen.findByText('2026-11-01 02:30:00');
  // On paper there is no button that shows the others.
  screen.getByText('1 of 250 are listed. The CSV has all of them.');
});

it('says once that its CSV could not be had', async () => {
  onCall('GET /api/turnpike/ledger/statement/export', () => {
    throw new Refusal('database_unavailable', 'The database cannot be reached');
  });
  show(<StatementScreen />, '/statement');
  fireEvent.click(await screen.findByRole('button', { name: 'Download CSV' }));
  await screen.findByText('Could not download the statement');
  expect(screen.getAllByText('The database cannot be reached')).toHaveLength(1);
});
