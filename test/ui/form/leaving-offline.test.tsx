// @vitest-environment happy-dom
// Covers src/ui/hooks/use-late.ts.
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { client } from '../../../src/ui/client/api.ts';
import { FormDrawer } from '../../../src/ui/form/form-drawer.tsx';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

it('what is unsaved is asked about while the server is away, by the first question of a visit', async () => {
  const onClose = vi.fn();
  show(
    <FormDrawer
      {...{ opened: true, title: 'A thing', changes: ['Name'], submitLabel: 'Save' }}
      {...{ creating: false, submitting: false, onClose, onSubmit: () => undefined }}
    >
      text
    </FormDrawer>,
  );
  await screen.findByRole('dialog');
  // The part has come by now.
  await act(async () => void (await import('../../../src/ui/components/dialog-frame.tsx')));
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await act(async () => void (await client.system.status().catch(() => undefined)));
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  const question = await screen.findByRole('alertdialog', { name: 'Discard changes?' });
  expect(question.textContent).toContain('Name');
  expect(onClose).not.toHaveBeenCalled();
});
