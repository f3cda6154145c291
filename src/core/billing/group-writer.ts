/**
 * Group commit without a timer (design, product 3): the next transaction is whatever arrived while the last one was
 * being written.
 */

/**
 * What becomes of a group that could not be written: `again` writes it once more, `apart` writes each item by itself
 * (a single one is refused), `refuse` rejects all of them.
 */
export type AfterFailure = 'again' | 'apart' | 'refuse';

export interface GroupWriterParts<Item, Result> {
  /** Writes the items in one transaction, in their order; rejects when nothing of it was written. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** How many items may come soon; absent: nobody knows, nothing is waited for. */
  readonly expected?: () => number;
  /** Decides, and waits where waiting helps. */
  readonly onFailure: (error: unknown, items: readonly Item[]) => Promise<AfterFailure>;
}

export interface GroupWriter<Item, Result> {
  /** Resolves once the item is committed; rejects with the error of its group when that was refused. */
  write(item: Item): Promise<Result>;
  /** Items that wait for the next transaction. */
  waiting(): number;
  /** Waits for what is being written. */
  drain(): Promise<void>;
}

/**
 * Turns of the event loop that a group may grow for while others are under way. Waking the writing thread costs more CPU
 * than writing a row (docs/performance.md), so under load one message should carry many; alone a request waits for none.
 */
const gatheringTurns = 16;

interface Entry<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export function createGroupWriter<Item, Result>({
  commit,
  onFailure,
  expected = () => 0,
}: GroupWriterParts<Item, Result>): GroupWriter<Item, Result> {
  let queue: Entry<Item, Result>[] = [];
  let writing: Promise<void> | null = null;

  const writeGroup = async (group: readonly Entry<Item, Result>[]): Promise<void> => {
    const items = group.map((entry) => entry.item);
    for (;;) {
      try {
        const results = await commit(items);
        for (const [index, entry] of group.entries()) entry.resolve(results[index] as Result);
        return;
      } catch (error) {
        const next = await onFailure(error, items);
        if (next === 'again') continue;
        if (next === 'apart' && group.length > 1) {
          for (const entry of group) await writeGroup([entry]);
        } else {
          for (const entry of group) entry.reject(error);
        }
        return;
      }
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
