// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { confirmDanger } from '../../../src/ui/components/confirm-danger.tsx';
import { CopyButton } from '../../../src/ui/components/copy-button.tsx';
import { Dialog } from '../../../src/ui/components/dialog.tsx';
import { openDialog } from '../../../src/ui/components/dialogs.ts';
import { FilterSheet } from '../../../src/ui/list/filter-sheet.tsx';
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

describe('Escape', () => {
  const onClose = vi.fn();
  const lower = {
    'a dialog of a screen': () => (
      <Dialog opened onClose={onClose} title="Below">
        text
      </Dialog>
    ),
    'a sheet of filters': () => <FilterSheet onClose={onClose}>Below</FilterSheet>,
    'a dialog that code opened': () => null,
  };

  it.each(Object.entries(lower))('closes the question above %s, and then that', async (_, draw) => {
    onClose.mockClear();
    const onCancel = vi.fn();
    show(
      <>
        <button type="button">opener</button>
        {draw()}
      </>,
    );
    if (draw() === null)
      openDialog({
        title: 'Below',
        role: 'dialog',
        size: 300,
        withCloseButton: true,
        content: () => 'text',
        onDismiss: onClose,
      });
    const below = await screen.findByRole('dialog');
    // Before the focus has come to a dialog, keys go to what opened it.
    const opener = screen.getByText('opener');
    for (const target of ['inside', 'nowhere', 'opener'] as const) {
      confirmDanger({ ...question, onConfirm: vi.fn(), onCancel });
      const top = await screen.findByRole('alertdialog');
      const button = within(top).getByRole('button', { name: 'Cancel' });
      const focused = { inside: button, nowhere: document.body, opener }[target];
      fireEvent.keyDown(focused, { key: 'Escape' });
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
      expect(onClose).not.toHaveBeenCalled();
    }
    expect(onCancel).toHaveBeenCalledTimes(3);
    fireEvent.keyDown(below, { key: 'Escape' });
    expect(onClose).toHaveBeenCalledOnce();
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

describe('the focus', () => {
  function Page({ startsOpen = false }: { readonly startsOpen?: boolean }) {
    const [opened, setOpened] = useState(startsOpen);
    const [isThere, setThere] = useState(true);
    return (
      <main>
        <ul>
          {isThere && (
            <li>
              <button type="button" onClick={() => setOpened(true)}>
                Open
              </button>
            </li>
          )}
          <li>
            <button type="button">Next row</button>
          </li>
        </ul>
        {opened && (
          <Dialog opened onClose={() => setOpened(false)} title="A form">
            <button type="button" onClick={() => setThere(false)}>
              Delete the row
            </button>
          </Dialog>
        )}
      </main>
    );
  }
  const open = async () => {
    show(<Page />);
    const opener = await screen.findByRole('button', { name: 'Open' });
    opener.focus();
    fireEvent.click(opener);
    const dialog = await screen.findByRole('dialog');
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    return { opener, dialog };
  };
  const leave = async (dialog: HTMLElement) => {
    fireEvent.keyDown(dialog, { key: 'Escape' });
    await gone();
  };

  it('returns to what opened the dialog', async () => {
    const { opener, dialog } = await open();
    await leave(dialog);
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });

  it('goes nowhere from a dialog that an address opened: a skip link would cover the page', async () => {
    fireEvent.focusIn(document.body);
    show(
      <>
        <a href="#content">Skip to content</a>
        <Page startsOpen />
      </>,
    );
    const dialog = await screen.findByRole('dialog');
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    await leave(dialog);
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect(document.activeElement).toBe(document.body);
  });

  it('goes to what stands around it where that is gone', async () => {
    const { dialog } = await open();
    fireEvent.click(within(dialog).getByRole('button', { name: 'Delete the row' }));
    await leave(dialog);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Next row'));
  });
});
