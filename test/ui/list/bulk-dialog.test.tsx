// @vitest-environment happy-dom
/** One change of many rows: shown, made in pieces with progress, and taken back. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { BulkOutput } from '../../../src/core/contract/bulk.ts';
import type { BulkSubject } from '../../../src/ui/list/bulk.ts';
import { openBulk } from '../../../src/ui/list/bulk-dialog.tsx';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

const nothing: BulkOutput = {
  matched: 0,
  changed: 0,
  groups: [],
  more_groups: 0,
  refused: [],
  ids: [],
  undo: [],
  lost: { keys: 0, models: [] },
};
const step = (ids: number[]) => ({ ids, from: { weight: 1 }, to: { weight: 0 } });
const ids = Array.from({ length: 417 }, (_, index) => index + 1);

/** Opens a change of 417 rows; `call` answers each piece of it. */
async function open(call: BulkSubject['call']) {
  show(null, '/');
  await openBulk(
    {
      title: 'Change 417 channels',
      acts: [
        {
          key: 'weight',
          label: 'Weight',
          control: { kind: 'number' },
          change: (entry) => ({ weight: entry }),
        },
      ],
      call: async (input) =>
        input.preview ? { ...nothing, matched: 417, changed: 417, ids } : call(input),
      refresh: async () => undefined,
      valueText: () => undefined,
      onDone: () => undefined,
    },
    { match: { tag: 'east' } },
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Change 417 channels' }));
  fireEvent.change(dialog.getByLabelText('New value'), { target: { value: '1' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Show what changes' }));
  await dialog.findByText('417 of 417 will change');
  fireEvent.click(dialog.getByRole('button', { name: 'Change 417' }));
  return dialog;
}

/** Dialogs outlast a test. */
async function close(dialog: Awaited<ReturnType<typeof open>>) {
  fireEvent.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

it('says how far it is, and takes all of it back in pieces', async () => {
  let goOn = () => undefined as undefined;
  const calls: (readonly number[])[] = [];
  const undone: unknown[] = [];
  const dialog = await open(async ({ ids: piece = [], undo }) => {
    if (undo !== undefined) {
      undone.push(...undo);
      return { ...nothing, changed: 417 };
    }
    calls.push(piece);
    if (calls.length === 2)
      await new Promise<void>((resolve) => {
        goOn = () => void resolve();
      });
    return { ...nothing, changed: piece.length, undo: [step(piece)] };
  });
  const bar = await dialog.findByRole('progressbar', { name: '200 of 417 done' });
  expect(Math.round(Number(bar.getAttribute('aria-valuenow')))).toBe(48);
  goOn();
  await dialog.findByText('417 changed');
  expect(calls.map((piece) => piece.length)).toEqual([200, 200, 17]);
  expect(calls.flat()).toEqual(ids);
  fireEvent.click(dialog.getByRole('button', { name: 'Undo' }));
  await dialog.findByText('417 changed back');
  expect(undone).toEqual(calls.map((piece) => step([...piece])));
  await close(dialog);
});

it('that stops half way says how far it came and why; what was done can be taken back', async () => {
  let pieces = 0;
  const dialog = await open(async ({ ids: piece = [] }) => {
    pieces += 1;
    if (pieces === 2) throw new Error('the gateway is away');
    return { ...nothing, changed: piece.length, undo: [step(piece)] };
  });
  await dialog.findByText('200 changed');
  await dialog.findByText(/^Stopped after 200 of 417: /);
  dialog.getByRole('button', { name: 'Undo' });
  await close(dialog);
});

it.each([
  ['it is done', async () => ({ ...nothing, changed: 17 }), /^417 changed$/],
  [
    'it stops half way',
    () => Promise.reject(new Error('the gateway is away')),
    /^400 changed.*Stopped after 400 of 417: /,
  ],
  [
    'rows refuse',
    async () => ({
      ...nothing,
      changed: 16,
      refused: [{ message: 'Not yours', count: 1, names: ['b'] }],
    }),
    /^416 changed.*Not yours \(1\)/,
  ],
] as const)('goes on when its dialog is closed, and says so when %s', async (_, last, said) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const dialog = await open(async ({ ids: piece = [] }) => {
    if (piece.length === 17) {
      await promise;
      return last();
    }
    return { ...nothing, changed: piece.length };
  });
  await dialog.findByRole('progressbar', { name: '400 of 417 done' });
  await close(dialog);
  resolve();
  expect(await screen.findByText(said)).toBeTruthy();
});

it('counts rows that are refused for one reason together', async () => {
  const refusal = (count: number, name: string) => [{ message: 'Not yours', count, names: [name] }];
  const dialog = await open(async ({ ids: [first = 0] = [] }) => ({
    ...nothing,
    changed: 10,
    refused: refusal(first, `c${first}`),
  }));
  await dialog.findByText('30 changed');
  expect(dialog.getAllByText(/Not yours/).map(({ textContent }) => textContent)).toEqual([
    'Not yours (603): c1',
  ]);
  await close(dialog);
});

it('names a deletion in its title, its button and what was done', async () => {
  const channels = { title: 'Change 3 channels', deleteTitle: 'Delete 3 channels' };
  const act = (key: string, change: object) =>
    ({ key, label: key, control: { kind: 'none' }, change: () => change }) as const;
  show(null, '/');
  await openBulk(
    {
      ...channels,
      acts: [act('Enable', { status: 1 }), { ...act('Delete', { delete: true }), danger: true }],
      call: async ({ preview }) => ({
        ...nothing,
        matched: 3,
        changed: 3,
        ids: preview ? [1, 2, 3] : [],
      }),
      refresh: async () => undefined,
      valueText: () => undefined,
      onDone: () => undefined,
    },
    { ids: [1, 2, 3] },
  );
  const first = within(await screen.findByRole('dialog', { name: channels.title }));
  first.getByRole('button', { name: 'Show what changes' });
  const choose = async (name: string) => {
    fireEvent.click(first.getByRole('combobox', { name: 'What to change' }));
    fireEvent.click(await screen.findByRole('option', { name }));
  };
  await choose('Delete');
  await screen.findByRole('dialog', { name: channels.deleteTitle });
  await choose('Enable');
  await screen.findByRole('dialog', { name: channels.title });
  await choose('Delete');
  const dialog = within(await screen.findByRole('dialog', { name: channels.deleteTitle }));
  fireEvent.click(dialog.getByRole('button', { name: 'Show what is deleted' }));
  fireEvent.click(await dialog.findByRole('button', { name: 'Delete 3 for good' }));
  await dialog.findByText('3 deleted');
  await close(dialog);
});
