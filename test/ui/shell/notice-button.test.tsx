// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router';
import { expect, test } from 'vitest';
import { NoticeButton } from '../../../src/ui/shell/notice-button.tsx';
import { onCall, prepareConsole, show } from '../support/render.tsx';

prepareConsole();

/** The login has no such button. */
function Page() {
  return useLocation().pathname === '/login' ? null : <NoticeButton id="1" />;
}

test('a notice that is led away from before it is read comes on the next page, once', async () => {
  const text = Promise.withResolvers<string>();
  onCall('GET /api/notice', () => text.promise);
  const router = show(<Page />);
  await screen.findByRole('dialog', { name: 'Notice' });
  await router.navigate('/login');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  await router.navigate('/');
  text.resolve('Closed on Sunday');
  await screen.findByText('Closed on Sunday');
  fireEvent.click(screen.getByRole('button', { name: 'Got it' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await router.navigate('/login');
  await router.navigate('/');
  await screen.findByRole('button', { name: 'Notice' });
  expect(screen.queryByRole('dialog')).toBeNull();
});
