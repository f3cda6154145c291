/**
 * Group commit (docs/rules/ledger.md#group-commit): the next transaction is whatever arrived while
 * the last one was being written. Only items for which nobody waits are gathered for a time. Nobody
 * waits for ever (docs/rules/ledger.md#waiting).
 */
import type { Clock } from '../kernel/clock.ts';

/**
 * What to do with a group that could not be written: `retry` writes it once more, `repeat` does,
 * too, but nobody knows yet whether it was written, so it stays as it is; `divide` writes its
 * halves one after the other (and rejects a single item), `reject` rejects all items.
 */
export type AfterFailure = 'retry' | 'repeat' | 'divide' | 'reject';

/** How long somebody waits for an item. */
export interface Patience<Item> {
  readonly clock: Pick<Clock, 'now'>;
  /**
   * ms, between attempts: the item is dropped then, and it is certain that nothing of it was
   * written.
   */
  readonly limit: number;
  /** Further ms that an attempt may take that does not end. The item stays. */
  readonly grace: number;
  /** The error for the caller. `isDropped`: whether the item will not be written. */
  readonly onLate: (item: Item, isDropped: boolean) => unknown;
}

export interface GroupWriterDeps<Item, Result> {
  /**
   * Writes the items in one transaction, in their order; rejects when nothing of it was written, or
   * with an unknown outcome (`repeat`).
   */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  /**
   * Called with the results of a group that is committed, before its callers are. It must not
   * throw.
   */
  readonly onCommitted?: (items: readonly Item[], results: readonly Result[]) => void;
  /** Decides what to do next; waits before it resolves where waiting helps. */
  readonly onFailure: (error: unknown, items: readonly Item[]) => Promise<AfterFailure>;
  /** Absent: the writer of an item waits for as long as it takes. */
  readonly patience?: Patience<Item>;
}

export interface GroupWriter<Item, Result> {
  /**
   * Resolves once the item is committed; rejects with the error that its group was rejected with,
   * or where it took too long.
   */
  write(item: Item): Promise<Result>;
  /**
   * Nobody waits for the item: it waits for others, up to {@link longestDelay} milliseconds, unless
   * something makes the group begin at once.
   */
  add(item: Item): void;
  /** Items of the next transaction, without those that nobody waits for. */
  waiting(): number;
  /** All items that are not committed. */
  unwritten(): readonly Item[];
  /** From now on nobody waits longer than these milliseconds. */
  hurry(limit: number): void;
  /**
   * Writes at once, and resolves when all that is queued by now is written or rejected; undefined:
   * nothing is.
   */
  flush(): Promise<void> | undefined;
  /** Waits for everything that is queued, also meanwhile. */
  drain(): Promise<void>;
}

/** Milliseconds that items may wait for others: what they change together is written once then. */
const longestDelay = 2000;
/**
 * Items that do not wait for more: with many, what they hold would outlive the young generation
 * (docs/performance.md#request-memory).
 */
const enough = 64;
/** Milliseconds between looks for those who wait too long. */
const lookInterval = 1000;

interface Entry<Item, Result> {
  readonly item: Item;
  /** Absent: nobody waits for it. */
  readonly caller?: PromiseWithResolvers<Result>;
  /** The clock's ms until which the caller waits. */
  readonly until: number;
}

export function createGroupWriter<Item, Result>({
  commit,
  onCommitted = () => {},
  onFailure,
  patience,
}: GroupWriterDeps<Item, Result>): GroupWriter<Item, Result> {
  let queue: Entry<Item, Result>[] = [];
  /** What is being written, without what is done. */
  let current: readonly Entry<Item, Result>[] = [];
  /** Ends with the group that is in `queue` now. */
  let gathering = Promise.withResolvers<void>();
  /** Ends with the group that is being written. */
  let writing: Promise<void> | undefined;
  /** What is queued is to be written without waiting. */
  let due = false;
  let timer: NodeJS.Timeout | undefined;
  let looks: NodeJS.Timeout | undefined;
  /** The latest time until which anybody waits. */
  let latest = Number.POSITIVE_INFINITY;
  /** Callers that have got an error because the outcome is unknown. */
  const left = new WeakSet<Entry<Item, Result>>();

  const isLate = ({ caller, until }: Entry<Item, Result>, grace = 0): boolean =>
    caller !== undefined &&
    patience !== undefined &&
    patience.clock.now() >= Math.min(until, latest) + grace;

  const refuseLate = ({ item, caller }: Entry<Item, Result>, isDropped: boolean): void =>
    caller?.reject(patience?.onLate(item, isDropped));

  /** The entries without those whose callers have waited too long; nothing of these was written. */
  const dropLate = (entries: readonly Entry<Item, Result>[]): Entry<Item, Result>[] =>
    entries.filter((entry) => {
      if (left.has(entry) || !isLate(entry)) return true;
      refuseLate(entry, true);
      return false;
    });

  /** Takes entries that are written, dropped or rejected out of what is left. */
  const finish = (entries: readonly Entry<Item, Result>[]): void => {
    const done = new Set(entries);
    current = current.filter((entry) => !done.has(entry));
  };

  /** Also while an attempt does not end. */
  const look = (): void => {
    queue = dropLate(queue);
    for (const entry of current) {
      if (left.has(entry) || !isLate(entry, patience?.grace)) continue;
      left.add(entry);
      refuseLate(entry, false);
    }
  };

  const writeGroup = async (entries: readonly Entry<Item, Result>[]): Promise<void> => {
    let group = entries;
    let items = group.map((entry) => entry.item);
    while (group.length > 0) {
      const written = await commit(items).then(
        (results) => ({ results }),
        (error: unknown) => ({ error }),
      );
      if ('results' in written) {
        onCommitted(items, written.results);
        for (const [index, { caller }] of group.entries())
          caller?.resolve(written.results[index] as Result);
        finish(group);
        return;
      }
      const next = await onFailure(written.error, items);
      if (next === 'repeat') continue;
      if (next === 'retry') {
        const patient = new Set(dropLate(group));
        finish(group.filter((entry) => !patient.has(entry)));
        group = [...patient];
        items = group.map((entry) => entry.item);
        continue;
      }
      if (next === 'divide' && group.length > 1) {
        const middle = Math.ceil(group.length / 2);
        await writeGroup(group.slice(0, middle));
        await writeGroup(group.slice(middle));
      } else {
        for (const { caller } of group) caller?.reject(written.error);
        finish(group);
      }
      return;
    }
  };

  const writeAll = async (): Promise<void> => {
    if (patience !== undefined) looks = setInterval(look, lookInterval).unref();
    while (due) {
      due = false;
      current = queue;
      const { promise, resolve } = gathering;
      queue = [];
      gathering = Promise.withResolvers();
      writing = promise;
      try {
        await writeGroup(current);
      } catch (error) {
        // The report of a group failed: its callers get the error, and the next group is written.
        for (const { caller } of current) caller?.reject(error);
      }
      current = [];
      resolve();
    }
    clearInterval(looks);
    writing = undefined;
  };

  const begin = (): void => {
    clearTimeout(timer);
    timer = undefined;
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
      const until =
        patience === undefined ? Number.POSITIVE_INFINITY : patience.clock.now() + patience.limit;
      queue.push({ item, caller, until });
      begin();
      return caller.promise;
    },
    add: (item) => {
      queue.push({ item, until: Number.POSITIVE_INFINITY });
      if (queue.length >= enough) begin();
      else timer ??= setTimeout(begin, longestDelay).unref();
    },
    waiting: () => queue.filter(({ caller }) => caller !== undefined).length,
    unwritten: () => [...current, ...queue].map(({ item }) => item),
    hurry: (limit) => {
      if (patience !== undefined) latest = Math.min(latest, patience.clock.now() + limit);
    },
    flush,
    drain: async () => {
      for (let work = flush(); work !== undefined; work = flush()) await work;
    },
  };
}
