/**
 * Dialogs that are mounted to be open give the focus back to where it came from
 * (docs/rules/console.md#keyboard).
 */
import { useEffect, useState } from 'react';

/**
 * Had the focus last: a menu may be gone, and a chunk may have to be loaded, before its dialog is
 * mounted.
 */
let last: EventTarget | null = null;
document.addEventListener('focusin', (event) => {
  last = event.target;
});

/** An entry of a menu stands for the menu's button. */
function opener(): HTMLElement | null {
  if (!(last instanceof HTMLElement)) return null;
  const menu = last.closest('[role="menu"]');
  return menu === null ? last : document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
}

export function useReturnFocus(): void {
  // While rendering, before the dialog takes the focus.
  const [from] = useState(opener);
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement === document.body) from?.focus({ preventScroll: true });
      });
    },
    [from],
  );
}
