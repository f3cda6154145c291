// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { confirmDanger } from '../../../src/ui/components/confirm-danger.tsx';
import { CopyButton } from '../../../src/ui/components/copy-button.tsx';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

const question = { title: 'Delete 2 channels?', text: 'a, b', confirm: 'Delete 2 channels' };
const gone = () => waitFor(() => expect(document.querySelector('[role$="dialog"]')).toBeNull());

describe('a question before something dangerous', () => {
  it('is named by its title, and is gone from the document once it is confirmed', async () => {
    const onConfirm = vi.fn();
    show(<p>page</p>);
    confirmDanger({ ...question, onConfirm });
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete 2 channels?' });
    within(dialog).getByText('a, b');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Delete 2 channels' }));
    await gone();
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  it('is cancelled by its button and by Escape', async () => {
    const [onConfirm, onCancel] = [vi.fn(), vi.fn()];
    show(<p>page</p>);
    confirmDanger({ ...question, onConfirm, onCancel });
    fireEvent.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' }),
    );
    await gone();
    confirmDanger({ ...question, onConfirm, onCancel });
    fireEvent.keyDown(await screen.findByRole('alertdialog'), { key: 'Escape' });
    await gone();
    expect(onCancel).toHaveBeenCalledTimes(2);
    expect(onConfirm).not.toHaveBeenCalled();
  });
});

describe('a text that the browser does not copy', () => {
  it('is shown in a dialog with a name', async () => {
    vi.stubGlobal('navigator', {
      ...window.navigator,
      clipboard: { writeText: () => Promise.reject(new Error('denied')) },
    });
    show(<CopyButton text="sk-secret" />);
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
    const dialog = await screen.findByRole('dialog', {
      name: 'Cannot copy to clipboard, please copy manually',
    });
    expect(within(dialog).getByRole<HTMLTextAreaElement>('textbox').value).toBe('sk-secret');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
    await gone();
  });
});
