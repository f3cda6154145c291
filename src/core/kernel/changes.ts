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
  announce(kind: Change['kind'], id?: number): void;
  /** Returns a function that stops listening. */
  listen(listener: (change: Change) => void): () => void;
}

export function createChanges(): Changes {
  const listeners = new Set<(change: Change) => void>();
  return {
    announce: (kind, id = 0) => {
      for (const listener of listeners) listener({ kind, id });
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
