export type PlaygroundItemKind = 'prompt' | 'chat';

/** Of whom, and what. */
export interface PlaygroundShelf {
  readonly userId: number;
  readonly kind: PlaygroundItemKind;
}

/** A row of `playground_items`. */
export interface PlaygroundItem extends PlaygroundShelf {
  /** What the console calls it. */
  readonly itemId: string;
  /** Bytes of its content. */
  readonly size: number;
  /** Unix milliseconds. */
  readonly changedAt: number;
  /** Sealed by the repository. */
  readonly content: string;
}

export interface PlaygroundItemRepository {
  /** The last changed first. */
  list(shelf: PlaygroundShelf): Promise<readonly PlaygroundItem[]>;
  /** Replaces the item with the same id. */
  put(item: PlaygroundItem): Promise<void>;
  /** False: there is none. */
  delete(shelf: PlaygroundShelf, itemId: string): Promise<boolean>;
  deleteAll(shelf: PlaygroundShelf): Promise<void>;
  /** Number and bytes of all items but the one with this id. */
  sumWithout(
    shelf: PlaygroundShelf,
    itemId: string,
  ): Promise<{ readonly count: number; readonly size: number }>;
}
