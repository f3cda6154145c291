// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { InviteCard } from '../../../../src/ui/routes/personal/invite-card.tsx';
import { onCall, prepareConsole, prepareUser, Refusal, show } from '../../support/render.tsx';

prepareConsole();
prepareUser(1);

const self = { id: 1, aff_count: 0, aff_quota: 0, aff_history_quota: 0 };

test('an invite link that could not be had says why, and is requested again', async () => {
  onCall('GET /api/user/aff', () => {
    throw new Refusal('database_unavailable', 'The database cannot be reached');
  });
  show(<InviteCard self={self} />);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The database cannot be reached');
  onCall('GET /api/user/aff', () => 'a b');
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText(`${window.location.origin}/login?aff=a%20b`);
  expect(screen.queryByRole('alert')).toBeNull();
});
