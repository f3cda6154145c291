/** A conversation is named by its owner and its id. */
export interface ConversationKey {
  readonly userId: number;
  readonly conversationId: string;
}

/** A row of `conversations`. */
export interface Conversation extends ConversationKey {
  /** JSON, sealed by the repository. */
  readonly metadata: string;
  /** Counts the changes of its items. */
  readonly version: number;
  readonly items: number;
  /** Bytes of its items, and what each counts besides. */
  readonly size: number;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface ConversationItem {
  readonly itemId: string;
  /** Bytes that it counts. */
  readonly size: number;
  /** Sealed by the repository. */
  readonly item: string;
}

/** Which items of a conversation, in the order in which they are listed. */
export interface ItemPage {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  /** The list begins after the item with this id. */
  readonly after: string | undefined;
}

export interface ConversationRepository {
  insert(conversation: Omit<Conversation, 'version' | 'items' | 'size'>): Promise<void>;
  /** Null: unknown, of another user, or expired at `now`. */
  find(key: ConversationKey, now: number): Promise<Conversation | null>;
  /** False: there is none. */
  update(
    key: ConversationKey,
    change: Pick<Conversation, 'metadata' | 'expiresAt'>,
  ): Promise<boolean>;
  /**
   * Adds items behind the last one, in one transaction. False, with nothing added: there is no
   * conversation of this version any more. An item with the id of an earlier one is left out.
   */
  append(
    key: ConversationKey,
    version: number,
    change: { readonly items: readonly ConversationItem[]; readonly expiresAt: number },
  ): Promise<boolean>;
  /** All items, the oldest first. */
  readItems(key: ConversationKey): Promise<readonly ConversationItem[]>;
  /** Null: there is no item with the id `after`. */
  listItems(key: ConversationKey, page: ItemPage): Promise<readonly ConversationItem[] | null>;
  findItem(key: ConversationKey, itemId: string): Promise<ConversationItem | null>;
  /** False: there is none. */
  deleteItem(key: ConversationKey, itemId: string): Promise<boolean>;
  delete(key: ConversationKey): Promise<boolean>;
  /** Deletes at most `limit` that have expired at `now`, and returns their number. */
  purge(now: number, limit: number): Promise<number>;
}
