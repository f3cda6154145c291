// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Tags } from '../../../../src/ui/routes/detail/tags.tsx';
import { onCall, prepareConsole, prepareUser, Refusal, show } from '../../support/render.tsx';

prepareConsole();
prepareUser(1);

test('says once that the CSV of the tags could not be had', async () => {
  const sums = { quota: 500_000, count: 2, tokens: 30 };
  const spans = { quota: [500_000], count: [2], tokens: [30] };
  onCall('GET /api/turnpike/data/tags', () => ({
    by: 'day',
    starts: [1_795_176_000],
    tags: [{ tag: 'team', ...sums, spans }],
    more: 0,
    totals: sums,
  }));
  onCall('GET /api/turnpike/data/tags/export', () => {
    throw new Refusal('database_unavailable', 'The database cannot be reached');
  });
  show(<Tags view={{ range: 'week', by: 'day', own: true, username: '' }} />);
  await screen.findByText('team');
  fireEvent.click(screen.getByRole('button', { name: 'Download as CSV' }));
  await screen.findByText('The database cannot be reached');
  expect(screen.getAllByText('The database cannot be reached')).toHaveLength(1);
});
