/**
 * "This changed": services announce, the in-memory directories of the hot path listen and forget exactly that
 * (design, product 6: exact invalidation). With several nodes the same announcements travel through Redis.
 */
export interface Change {
  readonly kind: 'user' | 'token' | 'channels' | 'options';
  /** Id of the user or token; 0 where the kind stands for all. */
  readonly id: number;
}

export interface Changes {
  /** Resolves when every listener has taken the change in: await it before telling the caller that it is done. */
  announce(kind: Change['kind'], id?: number): Promise<void>;
  /** Returns a function that stops listening. A listener that must read first returns a promise. */
  listen(listener: (change: Change) => void | Promise<void>): () => void;
}

export function createChanges(): Changes {
  const listeners = new Set<(change: Change) => void | Promise<void>>();
  return {
    announce: async (kind, id = 0) => {
      await Promise.all([...listeners].map((listener) => listener({ kind, id })));
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
