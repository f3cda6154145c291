/**
 * Whether the server can be reached: learned from every call, shown in a banner
 * (docs/rules/console.md#states).
 */
import { useSyncExternalStore } from 'react';

let isLost = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  if (next === isLost) return;
  isLost = next;
  for (const listener of listeners) listener();
}

/**
 * A call got a reply, or got none. A page that is left aborts its calls, which says nothing about
 * the server.
 */
export const reportConnection = (reached: boolean) => set(!reached);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useConnectionLost(): boolean {
  return useSyncExternalStore(subscribe, () => isLost);
}
