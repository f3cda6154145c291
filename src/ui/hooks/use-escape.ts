/** Escape in a drawer or dialog that may open others above itself. */
import { useWindowEvent } from '@mantine/hooks';
import type { RefObject } from 'react';

/**
 * Calls `act` for Escape typed in the dialog that contains `inside`, or typed while nothing has the
 * focus. Mantine's own `closeOnEscape` closes all dialogs that lie upon each other with one key.
 */
export function useEscape(inside: RefObject<HTMLElement | null>, act: () => void): void {
  useWindowEvent(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || event.isComposing || !(event.target instanceof Element)) return;
      // A list of choices that is open closes first.
      if (event.target.getAttribute('data-mantine-stop-propagation') === 'true') return;
      const dialog = inside.current?.closest('[role="dialog"]');
      if (event.target === document.body || dialog?.contains(event.target)) act();
    },
    { capture: true },
  );
}
