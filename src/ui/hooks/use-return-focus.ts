/**
 * Dialogs and drawers give the focus back to where it came from (docs/rules/console.md#keyboard).
 */
import { useEffect, useState } from 'react';

/**
 * Had the focus last: a menu may be gone, and a chunk may have to be loaded, before its dialog is
 * mounted.
 */
let last: EventTarget | null = null;
globalThis.document?.addEventListener('focusin', (event) => {
  last = event.target;
});

/** An entry of a menu stands for the menu's button. */
function opener(): HTMLElement | null {
  // Loaded with the first dialog: nothing was heard before.
  const from = last ?? document.activeElement;
  if (!(from instanceof HTMLElement)) return null;
  const menu = from.closest('[role="menu"]');
  return menu === null ? from : document.getElementById(menu.getAttribute('aria-labelledby') ?? '');
}

const isFree = () => document.activeElement === document.body;

/** To the first place that still takes it, or to a control in what stands around it. */
function focusFirst(places: readonly HTMLElement[]): void {
  for (const place of places) {
    place.focus({ preventScroll: true });
    // Not to a field: on a phone, its focus opens the keyboard.
    if (isFree()) place.querySelector<HTMLElement>('a, button, [tabindex="0"]')?.focus();
    if (!isFree()) return;
  }
}

/** The element and all that it stands in, within its screen. */
function placesOf(element: HTMLElement | null): readonly HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let at = element; at?.matches('main *'); at = at.parentElement) places.push(at);
  // Nothing had the focus where an address opens it.
  const isElsewhere = places.length === 0 && element !== null && element !== document.body;
  return isElsewhere ? [element] : places;
}

/**
 * What opened it may be gone with its row, or be switched off: what stands around that takes the
 * focus then.
 */
export function useReturnFocus(): void {
  // While rendering, before the dialog takes the focus.
  const [places] = useState(() => placesOf(opener()));
  useEffect(
    () => () => {
      setTimeout(() => {
        if (isFree()) focusFirst(places);
      });
    },
    [places],
  );
}
