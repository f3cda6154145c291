import { toastFailure } from '../client/failures.ts';

/** The palette, or the list of keys: both are loaded with their first use. */
export function openLate(what: 'palette' | 'keys'): void {
  // What is typed until it is there must not get into the field in which it was requested.
  (document.activeElement as HTMLElement | null)?.blur();
  void import('./palette/open.tsx').then(({ open }) => open(what)).catch(toastFailure);
}
