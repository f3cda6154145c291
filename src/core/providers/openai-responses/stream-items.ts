import type { Phase } from '../../canonical/chat.ts';
import { countOf, type Loose, recordOf, textOf } from '../../canonical/kit/read-json.ts';

/** An item of a streamed response, as far as it came. */
export interface Item {
  readonly id: string | undefined;
  /** Characters of the answer before it. */
  readonly from: number;
  /** Emitted so far: text, thinking, or a call's arguments as the server sends them. */
  reported: string;
  /** Number of the call; undefined for other items. */
  readonly call: number | undefined;
  readonly freeform: boolean;
  readonly phase: Phase | undefined;
  /** Paragraph of a summary that the last delta belonged to. */
  paragraph: number;
  done: boolean;
}

/** The items of a response, found by what an event says of them: an index, an id, or nothing. */
export class StreamItems {
  readonly #items = new Map<number, Item>();
  /** Of items by their ids. */
  readonly #places = new Map<string, number>();

  get(index: number): Item | undefined {
    return this.#items.get(index);
  }

  all(): Iterable<Item> {
    return this.#items.values();
  }

  add(index: number, item: Item): void {
    this.#items.set(index, item);
    if (item.id !== undefined && !this.#places.has(item.id)) this.#places.set(item.id, index);
  }

  /** The item's index: as given, else by its id, else that of the last one opened. */
  indexOf(event: Loose): number {
    const reported =
      countOf(event.output_index) ??
      this.indexOfId(textOf(event.item_id) ?? textOf(recordOf(event.item)?.id));
    if (reported !== undefined) return reported;
    return recordOf(event.item) === undefined
      ? Math.max(0, this.#items.size - 1)
      : this.#items.size;
  }

  indexOfId(id: string | undefined): number | undefined {
    return id === undefined ? undefined : this.#places.get(id);
  }
}
