/**
 * Change notifications: services announce what changed, and the in-memory caches of the hot path
 * invalidate exactly that (docs/rules/relay.md#hot-path).
 */
export const changeKinds = ['options', 'channels', 'models', 'user', 'token', 'budgets'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export interface Change {
  readonly kind: ChangeKind;
  /**
   * Ids of the rows that changed; empty: any of them may have, or the rows of this kind have none.
   */
  readonly ids: readonly number[];
}

/** One id, several, or none: any row may have changed. */
export type ChangedIds = number | readonly number[];

export interface Changes {
  /**
   * Resolves when every listener of every process has applied the change; await it before reporting
   * success to the caller. Rejects where a listener of this process failed. Services are given one
   * that never does (runtime/change-follower.ts).
   */
  announce(kind: ChangeKind, ids?: ChangedIds): Promise<void>;
  /** Returns a function that unsubscribes. A listener that has to load data returns a promise. */
  listen(listener: ChangeListener): () => void;
}

export type ChangeListener = (change: Change) => void | Promise<void>;

export function listIds(ids: ChangedIds = []): readonly number[] {
  return typeof ids === 'number' ? [ids] : ids;
}

export function createChanges(): Changes {
  const listeners = new Set<ChangeListener>();
  return {
    announce: (kind, ids) => callListeners(listeners, { kind, ids: listIds(ids) }),
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Rejects with the first failure, once all listeners have ended. */
export async function callListeners(
  listeners: Iterable<ChangeListener>,
  change: Change,
): Promise<void> {
  const results = await Promise.allSettled(
    [...listeners].map(async (listener) => listener(change)),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
