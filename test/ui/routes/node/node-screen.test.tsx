// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { NodeScreen } from '../../../../src/ui/routes/node/index.tsx';
import { onCall, prepareConsole, sent, show } from '../../support/render.tsx';

prepareConsole();

const node = {
  id: 'a',
  host: 'web-1',
  address: 'http://10.0.0.1:3000',
  data_dir: '/data',
  version: '1.2.0',
  started_at: 1_700_000_000,
  seen_at: 1_700_000_100,
  this: true,
  shared: true,
  state: 'serving',
  stopping: false,
  under_way: 1234,
};
const other = { ...node, id: 'b', host: 'web-2', address: 'http://10.0.0.2:3000', this: false };

const rowOf = (address: string) => screen.findByRole('row', { name: new RegExp(address) });
async function ask(address: string, action: string): Promise<HTMLElement> {
  const menu = within(await rowOf(address)).queryByRole('button', { name: new RegExp(action) });
  if (menu !== null) fireEvent.click(menu);
  else {
    fireEvent.click(screen.getByRole('button', { name: `More actions for ${address}` }));
    fireEvent.click(await screen.findByRole('menuitem', { name: action }));
  }
  return screen.findByRole('alertdialog');
}

it('shows what each does, and drains one after a question', async () => {
  let state = 'serving';
  onCall('GET /api/turnpike/nodes', () => [node, { ...other, state }]);
  onCall('POST /api/turnpike/nodes/drain', () => {
    state = 'draining';
    return [{ ...other, state }];
  });
  show(<NodeScreen />);
  expect((await rowOf(node.address)).textContent).toMatch(/web-1 \(this one\)Serving1,2341\.2\.0/);
  const question = await ask(other.address, 'Drain');
  expect(question.textContent).toContain(`Drain ${other.address}?`);
  expect(question.textContent).not.toContain('No other gateway');
  expect(sent.map(({ call }) => call)).not.toContain('POST /api/turnpike/nodes/drain');
  fireEvent.click(within(question).getByRole('button', { name: 'Drain' }));
  await waitFor(async () => expect((await rowOf(other.address)).textContent).toContain('Draining'));
  expect(sent).toContainEqual({
    call: 'POST /api/turnpike/nodes/drain',
    body: { node: 'b', stop: false },
  });

  // Now it is the only one that serves.
  const last = await ask(node.address, 'Stop when empty');
  expect(last.textContent).toContain('No other gateway takes requests at present.');
  fireEvent.click(within(last).getByRole('button', { name: 'Stop when empty' }));
  await waitFor(() =>
    expect(sent).toContainEqual({
      call: 'POST /api/turnpike/nodes/drain',
      body: { node: 'a', stop: true },
    }),
  );
});

it('resumes one at once', async () => {
  onCall('GET /api/turnpike/nodes', () => [{ ...other, state: 'empty', under_way: 0 }]);
  onCall('POST /api/turnpike/nodes/resume', () => [other]);
  show(<NodeScreen />);
  const row = await rowOf(other.address);
  expect(row.textContent).toContain('Empty');
  fireEvent.click(within(row).getByRole('button', { name: /^Resume/ }));
  await screen.findByText(`${other.address} takes requests again`);
  expect(sent).toContainEqual({ call: 'POST /api/turnpike/nodes/resume', body: { node: 'b' } });
});
