// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { openPrune } from '../../../src/ui/components/prune-dialog.tsx';
import { onCall, prepareConsole, Refusal, sent, show } from '../support/render.tsx';

prepareConsole();
afterEach(() => vi.useRealTimers());

const status = (state: string) => ({ state, before: 1_700_000_000, total: 10, deleted: 4 });
const close = async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
};

it.each([
  ['2026-03-31T10:00:05', '2026-02-28T10:00:05'],
  ['2026-05-31T10:00:05', '2026-04-30T10:00:05'],
  ['2026-11-30T10:00:05', '2026-10-30T10:00:05'],
])('suggests on %s to keep what is newer than %s', async (today, before) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(new Date(today));
  onCall('GET /api/turnpike/log/prune', () => status('idle'));
  onCall('GET /api/log/', () => ({ items: [], total: 3 }));
  show(null);
  openPrune();
  const field = await screen.findByLabelText<HTMLInputElement>('Delete logs before');
  expect(field.value).toBe(before);
  await close();
});

it('says why it could not be stopped, and can be stopped again', async () => {
  onCall('GET /api/turnpike/log/prune', () => status('running'));
  onCall('DELETE /api/turnpike/log/prune', () => {
    throw new Refusal('database_unavailable', 'The database is away');
  });
  show(null);
  openPrune();
  const stop = () => screen.getByRole('button', { name: 'Stop deleting' });
  await waitFor(stop);
  fireEvent.click(stop());
  await screen.findByText('The database is away');
  onCall('DELETE /api/turnpike/log/prune', () => status('stopped'));
  await waitFor(() => expect(stop().hasAttribute('data-loading')).toBe(false));
  fireEvent.click(stop());
  await waitFor(() =>
    expect(sent.filter(({ call }) => call === 'DELETE /api/turnpike/log/prune')).toHaveLength(2),
  );
  await close();
});
