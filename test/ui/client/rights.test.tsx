// @vitest-environment happy-dom
// Covers src/ui/client, src/ui/shell/guard.tsx.
/** Rights that were taken away are noticed within one request. */
import { useMutation } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { client } from '../../../src/ui/client/api.ts';
import { currentUser, storeUser } from '../../../src/ui/client/session.ts';
import { Guard } from '../../../src/ui/shell/guard.tsx';
import { onCall, prepareConsole, Refusal, sent, show } from '../support/render.tsx';

prepareConsole();

const asked = () => sent.filter(({ call }) => call === 'GET /api/user/self').length;

function Page() {
  const remove = useMutation({ mutationFn: () => client.user.remove({ id: 5 }) });
  return (
    <>
      <button type="button" onClick={() => remove.mutate()}>
        Delete
      </button>
      <Guard access="admin" />
    </>
  );
}

test('a forbidden call asks for the role, and the screen says that it is not for the reader', async () => {
  const texts = { username: 'ann', display_name: '', nickname: '', portrait: '', group: 'default' };
  act(() => storeUser({ id: 2, role: 10, status: 1, ...texts }));
  let role = 10;
  onCall('GET /api/user/self', () => ({ id: 2, role }));
  onCall('DELETE /api/user/5', () => {
    throw new Refusal('forbidden', 'Administrators only');
  });
  show(<Page />, '/redemption');
  // Forbidden for another reason: nothing changes.
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(asked()).toBe(1));
  expect(screen.queryByText('You cannot see this page')).toBeNull();

  role = 1;
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('You cannot see this page')).toBeTruthy();
  expect(asked()).toBe(2);
  expect(currentUser()).toMatchObject({ id: 2, role: 1, username: 'ann' });
});
