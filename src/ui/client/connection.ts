/**
 * Whether the server can be reached, and whether it serves another build than this page is of:
 * learned from every call, shown in a banner (docs/rules/console.md#states).
 */
import { useSyncExternalStore } from 'react';

export type Connection = 'lost' | 'other-build' | 'good';

let isLost = false;
/** The build of the first reply, and whether a later one was of another. */
let first: string | null = null;
let isOther = false;
const listeners = new Set<() => void>();

const connection = (): Connection => {
  if (isLost) return 'lost';
  return isOther ? 'other-build' : 'good';
};

/**
 * A call got a reply, with the build that it names, or got none. A page that is left aborts its
 * calls, which says nothing about the server.
 */
export function reportConnection(reached: boolean, build: string | null = null): void {
  const before = connection();
  isLost = !reached;
  first ??= build;
  if (build !== null) isOther = build !== first;
  if (connection() !== before) for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Settles once the server can be reached. */
export async function whenReached(): Promise<void> {
  if (!isLost) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = subscribe(() => isLost || resolve());
  await promise;
  stop();
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, connection);
}
