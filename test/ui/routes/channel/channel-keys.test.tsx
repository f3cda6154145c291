// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { KeysDialog } from '../../../../src/ui/routes/channel/keys-dialog.tsx';
import { channel } from '../../support/channel.ts';
import { onCall, prepareConsole, sent, show } from '../../support/render.tsx';

prepareConsole();

const key = (position: number) => ({
  position,
  name: `name-${position}`,
  enabled: true,
  reason: '',
  time: 0,
  spent_today: 0,
  spent_30_days: position * 500_000,
  spent: position * 1_000_000,
});
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('adds pasted keys, and names those that are there already', async () => {
  let keys = [key(1)];
  onCall('GET /api/turnpike/channel/7/keys', () => ({ mode: 'random', keys }));
  onCall('POST /api/turnpike/channel/7/keys/add', () => {
    keys = [key(1), key(2)];
    return { mode: 'random', keys, added: 1, repeated: [{ place: 2, position: 1 }] };
  });
  show(<KeysDialog channel={{ ...channel, id: 7 }} onClose={() => {}} />);
  await screen.findByText('name-1');
  const field = screen.getByLabelText('Add keys') as HTMLTextAreaElement;
  fireEvent.change(field, { target: { value: 'sk-new\nsk-old' } });
  press('Add');
  await screen.findByText('1 key added');
  screen.getByText('Left out, there already: no. 2 is key #1');
  await screen.findByText('name-2');
  expect(field.value).toBe('');
  expect(sent.filter(({ call }) => call.endsWith('/keys/add')).map(({ body }) => body)).toEqual([
    { keys: 'sk-new\nsk-old' },
  ]);
});

it('tests all keys, and disables the failed with their failures as reasons', async () => {
  let keys = [1, 2, 3].map(key);
  onCall('GET /api/turnpike/channel/7/keys', () => ({ mode: 'random', keys }));
  const replies: Readonly<Record<string, object>> = {
    'name-1': { success: true, message: '', time: 0.5, at_fault: false },
    'name-2': { success: false, message: 'invalid key', time: 0.1, at_fault: true },
    'name-3': { success: false, message: 'no such parameter', time: 0.1, at_fault: false },
  };
  onCall(
    'POST /api/turnpike/channel/7/keys/test',
    (body) => replies[(body as { name: string }).name],
  );
  onCall('POST /api/turnpike/channel/7/keys', (body) => {
    const { names, reason } = body as { names: string[]; reason: string };
    keys = keys.map((one) =>
      names.includes(one.name) ? { ...one, enabled: false, reason, time: 1 } : one,
    );
    return { mode: 'random', keys };
  });
  show(<KeysDialog channel={{ ...channel, id: 7 }} onClose={() => {}} />);
  await screen.findByText('name-3');
  screen.getByText('Spent $0.00 today, $3.00 in 30 days, $6.00 in all');
  press('Test all');
  await screen.findByText('Replied in 0.50 s');
  await screen.findByText('invalid key');
  await screen.findByText('no such parameter');
  await waitFor(() => screen.getByRole('button', { name: 'Disable failed (1)' }));
  press('Disable failed (1)');
  await screen.findByText(/^invalid key ·/);
  const changes = sent.filter(({ call }) => call === 'POST /api/turnpike/channel/7/keys');
  expect(changes.map(({ body }) => body)).toEqual([
    { action: 'disable', names: ['name-2'], reason: 'invalid key' },
  ]);
  press('Test key 3');
  await waitFor(() => screen.getByRole('button', { name: 'Disable failed (0)' }));
});
