/**
 * Dialogs that code opens, such as a question before something is deleted. `DialogHost` draws them.
 */
import type { ReactNode } from 'react';

export interface DialogRequest {
  readonly title: string;
  /** alertdialog: a decision is needed before anything else. */
  readonly role: 'dialog' | 'alertdialog';
  /** Width in px. */
  readonly size: number;
  readonly withCloseButton: boolean;
  /** The title is only heard, and the dialog stands near the upper edge of the window. */
  readonly bare?: boolean;
  /** `retitle`: for a dialog whose title follows what is chosen in it. */
  readonly content: (close: () => void, retitle: (title: string) => void) => ReactNode;
  /** It was closed by Escape or by a click beside it. */
  readonly onDismiss?: (() => void) | undefined;
}

export interface OpenDialog extends DialogRequest {
  readonly id: number;
  close(): void;
  retitle(title: string): void;
}

let dialogs: readonly OpenDialog[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly OpenDialog[]): void {
  dialogs = next;
  for (const listener of listeners) listener();
}

export function openDialog(request: DialogRequest): void {
  lastId += 1;
  const id = lastId;
  set([
    ...dialogs,
    {
      ...request,
      id,
      close: () => set(dialogs.filter((dialog) => dialog.id !== id)),
      retitle: (title) =>
        set(dialogs.map((dialog) => (dialog.id === id ? { ...dialog, title } : dialog))),
    },
  ]);
}

export const openDialogs = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: () => dialogs,
};
