/** Escape in a drawer or dialog, above which others may be opened. */
import { useWindowEvent } from '@mantine/hooks';
import type { RefObject } from 'react';

const anyDialog = '[role="dialog"], [role="alertdialog"]';

/**
 * The dialog that a key goes to: that of its target, or the topmost one while the focus is in none,
 * as before it has come to a dialog that just opened.
 */
function dialogOf(target: Element): Element | undefined {
  return target.closest(anyDialog) ?? [...document.querySelectorAll(anyDialog)].at(-1);
}

/**
 * Calls `act` for Escape typed in the dialog that contains `inside`. Mantine's own `closeOnEscape`
 * closes all dialogs that lie upon each other with one key.
 */
export function useEscape(inside: RefObject<HTMLElement | null>, act: () => void): void {
  useWindowEvent(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.isComposing || !(event.target instanceof Element)) return;
      // A list of choices that is open closes first.
      if (event.target.getAttribute('data-mantine-stop-propagation') === 'true') return;
      const dialog = inside.current?.closest(anyDialog);
      if (dialog && dialog === dialogOf(event.target)) act();
    },
    { capture: true },
  );
}
