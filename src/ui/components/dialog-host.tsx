/**
 * Draws the dialogs that code opened; a closed one is gone from the document at once
 * (docs/rules/console.md#drawers).
 */
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { openDialogs } from './dialogs.ts';

const DialogFrame = lazy(async () => ({
  default: (await import('./dialog-frame.tsx')).DialogFrame,
}));

export function DialogHost() {
  const dialogs = useSyncExternalStore(openDialogs.subscribe, openDialogs.current);
  return (
    <Suspense fallback={null}>
      {dialogs.map((dialog) => (
        <DialogFrame key={dialog.id} dialog={dialog} />
      ))}
    </Suspense>
  );
}
