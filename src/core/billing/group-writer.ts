/**
 * Group commit without a timer (docs/rules/ledger.md#group-commit): the next transaction is whatever arrived while the last
 * one was being written.
 */

/**
 * What to do with a group that could not be written: `retry` writes it once more, `divide` writes its halves one after the
 * other (and rejects a single item), `reject` rejects all items.
 */
export type AfterFailure = 'retry' | 'divide' | 'reject';

export interface GroupWriterDeps<Item, Result> {
  /** Writes the items in one transaction, in their order; rejects when nothing of it was written. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Called with the results of a group that is committed, before its callers are. It must not throw. */
  readonly onCommitted?: (items: readonly Item[], results: readonly Result[]) => void;
  /** How many items may come soon; absent: not known, nothing is waited for. */
  readonly expected?: () => number;
  /** Decides what to do next; waits before it resolves where waiting helps. */
  readonly onFailure: (error: unknown, items: readonly Item[]) => Promise<AfterFailure>;
}

export interface GroupWriter<Item, Result> {
  /** Resolves once the item is committed; rejects with the error that its group was rejected with. */
  write(item: Item): Promise<Result>;
  /** Items that wait for the next transaction. */
  waiting(): number;
  /** Waits for everything that is queued. */
  drain(): Promise<void>;
}

/**
 * Turns of the event loop that a group may wait for more items. Waking the writing thread costs more CPU than writing a
 * row (docs/performance.md), so under load one message should carry many items; a request that is alone waits for none.
 */
const gatheringTurns = 16;

interface Entry<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export function createGroupWriter<Item, Result>({
  commit,
  onCommitted = () => {},
  onFailure,
  expected = () => 0,
}: GroupWriterDeps<Item, Result>): GroupWriter<Item, Result> {
  let queue: Entry<Item, Result>[] = [];
  let writing: Promise<void> | null = null;

  const writeGroup = async (group: readonly Entry<Item, Result>[]): Promise<void> => {
    const items = group.map((entry) => entry.item);
    for (;;) {
      const written = await commit(items).then(
        (results) => ({ results }),
        (error: unknown) => ({ error }),
      );
      if ('results' in written) {
        onCommitted(items, written.results);
        for (const [index, entry] of group.entries()) entry.resolve(written.results[index] as Result);
        return;
      }
      const next = await onFailure(written.error, items);
      if (next === 'retry') continue;
      if (next === 'divide' && group.length > 1) {
        const middle = Math.ceil(group.length / 2);
        await writeGroup(group.slice(0, middle));
        await writeGroup(group.slice(middle));
      } else {
        for (const entry of group) entry.reject(written.error);
      }
      return;
    }
  };

  const gather = async (): Promise<void> => {
    for (let turn = 0; turn < gatheringTurns && queue.length < expected(); turn += 1) {
      await new Promise<void>((next) => setImmediate(next));
    }
  };

  const writeAll = async (): Promise<void> => {
    while (queue.length > 0) {
      await gather();
      const group = queue;
      queue = [];
      await writeGroup(group);
    }
    writing = null;
  };

  return {
    write: (item) =>
      new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        writing ??= writeAll();
      }),
    waiting: () => queue.length,
    drain: async () => {
      while (writing !== null) await writing;
    },
  };
}
