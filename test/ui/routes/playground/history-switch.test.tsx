// @vitest-environment happy-dom
// Covers src/ui/routes/playground/chat.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { signedInDefaults, storeUser } from '../../../../src/ui/client/session.ts';
import { titleOf } from '../../../../src/ui/routes/playground/chat/message.ts';
import { HistorySwitch } from '../../../../src/ui/routes/playground/chat/settings.tsx';
import { useChats } from '../../../../src/ui/routes/playground/chat/use-chats.ts';
import { onCall, prepareConsole, sent, show } from '../../support/render.tsx';

prepareConsole();

function Probe() {
  const { chats } = useChats();
  return (
    <>
      <HistorySwitch />
      <ul>
        {chats.map((chat) => (
          <li key={chat.id}>{titleOf(chat)}</li>
        ))}
      </ul>
    </>
  );
}

test('the switch brings what is kept on the server, and asks before it deletes that', async () => {
  storeUser({ ...signedInDefaults, id: 7, role: 1 } as Parameters<typeof storeUser>[0]);
  let isOn = false;
  onCall('GET /api/user/self', () => ({
    id: 7,
    role: 1,
    quota: 1,
    used_quota: 0,
    request_count: 0,
    setting: JSON.stringify({ playground_history: isOn }),
  }));
  onCall('PUT /api/user/setting', (body) => {
    isOn = (body as { playground_history: boolean }).playground_history;
  });
  const message = { id: 'm', role: 'user', content: 'Asked elsewhere', createAt: 1 };
  onCall('GET /api/turnpike/self/chats', () => [
    {
      id: 'c',
      changed_at: 1,
      content: JSON.stringify({ id: 'c', changedAt: 5, spent: 0, messages: [message] }),
    },
  ]);
  const settings = () => sent.filter(({ call }) => call === 'PUT /api/user/setting');
  show(<Probe />);
  const control = await screen.findByRole<HTMLInputElement>('switch');
  await waitFor(() => expect(control.disabled).toBe(false));
  expect(sent.some(({ call }) => call.endsWith('/chats'))).toBe(false);
  fireEvent.click(control);
  expect(await screen.findByText('Asked elsewhere')).toBeTruthy();
  expect(control.checked).toBe(true);

  fireEvent.click(control);
  const question = await screen.findByRole('alertdialog');
  expect(settings()).toHaveLength(1);
  fireEvent.click(within(question).getByRole('button', { name: 'Stop keeping' }));
  await waitFor(() => expect(settings()).toHaveLength(2));
  await waitFor(() => expect(control.checked).toBe(false));
  // This browser still has it.
  expect(screen.getByText('Asked elsewhere')).toBeTruthy();
});
