// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { removeDisabled } from '../../../../src/ui/routes/channel/remove-disabled.ts';
import { onCall, prepareConsole, sent, show } from '../../support/render.tsx';

prepareConsole();

it('says how many disabled channels are deleted, which, and what is lost, before any is', async () => {
  const deleted = (id: number, from: string) => ({
    matched: 1,
    changed: 1,
    more_groups: 0,
    refused: [],
    ids: [id],
    undo: [],
    groups: [
      {
        changes: [{ field: 'deleted', from, to: '', added: [], removed: [] }],
        count: 1,
        names: [`bulk #${id}`],
      },
    ],
    lost: { keys: 2, models: [] },
  });
  onCall('POST /api/turnpike/bulk/channels', (body) => {
    const { match } = body as { match?: { status: number } };
    return match?.status === 2 ? deleted(5, 'OpenAI') : deleted(9, 'Claude');
  });
  show(null, '/');
  let refreshed = 0;
  await removeDisabled({
    title: 'Delete all disabled channels?',
    refresh: async () => {
      refreshed += 1;
    },
  });
  const dialog = await screen.findByRole('dialog', { name: 'Delete all disabled channels?' });
  within(dialog).getByText('2 of 2 will be deleted');
  within(dialog).getByText('bulk #5');
  within(dialog).getByText('Claude');
  within(dialog).getByText(/4 keys are gone for good/);
  expect(sent.every(({ body }) => (body as { preview?: boolean }).preview)).toBe(true);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete 2 for good' }));
  await within(dialog).findByRole('status');
  expect(sent.at(-1)?.body).toEqual({ ids: [5, 9], change: { delete: true } });
  expect(refreshed).toBe(1);
});
