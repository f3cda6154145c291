/**
 * What is under way, where much begins and ends all the time. Not a `Set`: it makes a new table
 * every few additions, and each old table refers to the next one. Once the collector has moved one
 * of them to old space, it moves all that follow and what is in them, every request that is added
 * among them, instead of dropping it (docs/performance.md#request-memory).
 */
export class ActiveList<Item> {
  readonly #entries: ActiveEntry<Item>[] = [];

  /** The entry is to be removed when it is over. */
  add(item: Item): ActiveEntry<Item> {
    const entry = { item, index: this.#entries.length };
    this.#entries.push(entry);
    return entry;
  }

  /** Does nothing if the entry was removed before. */
  remove(entry: ActiveEntry<Item>): void {
    const { index } = entry;
    if (this.#entries[index] !== entry) return;
    const last = this.#entries.pop();
    if (last === undefined || last === entry) return;
    last.index = index;
    this.#entries[index] = last;
  }

  /** A copy: what is done with the items may remove them. */
  items(): readonly Item[] {
    return this.#entries.map(({ item }) => item);
  }
}

export interface ActiveEntry<Item> {
  readonly item: Item;
  /** Place in the list; owned by the list. */
  index: number;
}
