/**
 * Draws the dialogs that code opened; a closed one is gone from the document at once
 * (docs/rules/console.md#drawers).
 */
import { Suspense, useSyncExternalStore } from 'react';
import { loadAhead, useLate } from '../hooks/use-late.ts';
import { openDialogs } from './dialogs.ts';

const load = async () => (await import('./dialog-frame.tsx')).DialogFrame;

/** For what may have to ask while the server is away. */
export const loadDialogsAhead = (): void => loadAhead(load);

/** A question that cannot be shown is left unanswered. */
function dismissAll(): void {
  for (const { onDismiss, close } of openDialogs.current()) {
    close();
    onDismiss?.();
  }
}

export function DialogHost() {
  const dialogs = useSyncExternalStore(openDialogs.subscribe, openDialogs.current);
  const DialogFrame = useLate(load, { wish: dialogs.length, onFailure: dismissAll });
  if (DialogFrame === undefined) return null;
  return (
    <Suspense fallback={null}>
      {dialogs.map((dialog) => (
        <DialogFrame key={dialog.id} dialog={dialog} />
      ))}
    </Suspense>
  );
}
