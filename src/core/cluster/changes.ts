/**
 * Change notifications: services announce what changed, and the in-memory caches of the hot path invalidate exactly
 * that (docs/rules/relay.md#hot-path).
 */
export interface Change {
  readonly kind: 'user' | 'token' | 'channels' | 'options' | 'models';
  /** Id of the user or token; 0 if the change concerns more than one. */
  readonly id: number;
  /** Announced by this process. */
  readonly own: boolean;
}

export interface Changes {
  /** Resolves when every listener of every process has applied the change. Await it before reporting success to the caller. */
  announce(kind: Change['kind'], id?: number): Promise<void>;
  /** Returns a function that unsubscribes. A listener that has to load data returns a promise. */
  listen(listener: (change: Change) => void | Promise<void>): () => void;
}

export function createChanges(): Changes {
  const listeners = new Set<(change: Change) => void | Promise<void>>();
  return {
    announce: async (kind, id = 0) => {
      await Promise.all([...listeners].map((listener) => listener({ kind, id, own: true })));
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
