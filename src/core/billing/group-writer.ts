/**
 * Group commit (docs/rules/ledger.md#group-commit): the next transaction is whatever arrived while the last one was being written. Only
 * items for which nobody waits are gathered for a time.
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
  /** Decides what to do next; waits before it resolves where waiting helps. */
  readonly onFailure: (error: unknown, items: readonly Item[]) => Promise<AfterFailure>;
}

export interface GroupWriter<Item, Result> {
  /** Resolves once the item is committed; rejects with the error that its group was rejected with. */
  write(item: Item): Promise<Result>;
  /**
   * Nobody waits for the item: it waits for others, up to {@link longestDelay} milliseconds, unless something makes the group begin at
   * once.
   */
  add(item: Item): void;
  /** Items of the next transaction, without those that nobody waits for. */
  waiting(): number;
  /** Writes at once, and resolves when all that is queued by now is written or rejected; undefined: nothing is. */
  flush(): Promise<void> | undefined;
  /** Waits for everything that is queued, also meanwhile. */
  drain(): Promise<void>;
}

/** Milliseconds that items may wait for others: what they change together is written once then. */
const longestDelay = 2000;
/** Items that do not wait for more: with many, what they hold would outlive the young generation (docs/performance.md#request-memory). */
const enough = 64;

interface Entry<Item, Result> {
  readonly item: Item;
  /** Absent: nobody waits for it. */
  readonly caller?: PromiseWithResolvers<Result>;
}

export function createGroupWriter<Item, Result>({
  commit,
  onCommitted = () => {},
  onFailure,
}: GroupWriterDeps<Item, Result>): GroupWriter<Item, Result> {
  let queue: Entry<Item, Result>[] = [];
  /** Ends with the group that is in `queue` now. */
  let gathering = Promise.withResolvers<void>();
  /** Ends with the group that is being written. */
  let writing: Promise<void> | undefined;
  /** What is queued is to be written without waiting. */
  let due = false;
  let timer: NodeJS.Timeout | undefined;

  const writeGroup = async (group: readonly Entry<Item, Result>[]): Promise<void> => {
    const items = group.map((entry) => entry.item);
    for (;;) {
      const written = await commit(items).then(
        (results) => ({ results }),
        (error: unknown) => ({ error }),
      );
      if ('results' in written) {
        onCommitted(items, written.results);
        for (const [index, { caller }] of group.entries()) caller?.resolve(written.results[index] as Result);
        return;
      }
      const next = await onFailure(written.error, items);
      if (next === 'retry') continue;
      if (next === 'divide' && group.length > 1) {
        const middle = Math.ceil(group.length / 2);
        await writeGroup(group.slice(0, middle));
        await writeGroup(group.slice(middle));
      } else {
        for (const { caller } of group) caller?.reject(written.error);
      }
      return;
    }
  };

  const writeAll = async (): Promise<void> => {
    while (due) {
      due = false;
      const group = queue;
      const { promise, resolve } = gathering;
      queue = [];
      gathering = Promise.withResolvers();
      writing = promise;
      await writeGroup(group);
      resolve();
    }
    writing = undefined;
  };

  const begin = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (queue.length === 0) return; // what the timer was set for went with an earlier group
    due = true;
    if (writing !== undefined) return;
    writing = gathering.promise;
    queueMicrotask(() => void writeAll()); // so that what is queued in this moment comes along
  };

  const flush = (): Promise<void> | undefined => {
    if (queue.length === 0) return writing;
    begin();
    return gathering.promise;
  };

  return {
    write: (item) => {
      const caller = Promise.withResolvers<Result>();
      queue.push({ item, caller });
      begin();
      return caller.promise;
    },
    add: (item) => {
      queue.push({ item });
      if (queue.length >= enough) begin();
      else timer ??= setTimeout(begin, longestDelay).unref();
    },
    waiting: () => queue.filter(({ caller }) => caller !== undefined).length,
    flush,
    drain: async () => {
      for (let work = flush(); work !== undefined; work = flush()) await work;
    },
  };
}
