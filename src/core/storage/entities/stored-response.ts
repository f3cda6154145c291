/**
 * A row of `stored_responses` without its contents. Unique per user: upstreams of different users
 * may choose the same id.
 */
export interface StoredResponse {
  readonly userId: number;
  readonly responseId: string;
  /** The response that it continues; '': none. */
  readonly previousId: string;
  /** The name of its conversation, as budgets know it; '': none. */
  readonly conversation: string;
  readonly channelId: number;
  /** Health key of the API key that made it. */
  readonly healthKey: string;
  /** The upstream keeps it, too. */
  readonly held: boolean;
  readonly model: string;
  /** `completed` or `incomplete`; in the background also `queued`, `failed`, `cancelled`. */
  readonly status: string;
  /** Tokens of the conversation up to and including it. */
  readonly tokens: number;
  /** Bytes of the contents, as they are when they are read; 0: they are not kept. */
  readonly inputSize: number;
  readonly responseSize: number;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface NewStoredResponse extends StoredResponse {
  /** The contents, sealed by the repository; '': not kept. */
  readonly input: string;
  readonly response: string;
  /** Ids of its output items. */
  readonly itemIds: readonly string[];
}

export interface StoredResponseRepository {
  /**
   * All in one transaction. A response with the id of an earlier one of the same user replaces it.
   */
  insertMany(responses: readonly NewStoredResponse[]): Promise<void>;
  /** Null: unknown, of another user, or expired at `now`. */
  find(userId: number, responseId: string, now: number): Promise<StoredResponse | null>;
  /**
   * The response and those it continues, the newest first, at most `limit`. Ends before one that
   * does not exist any more. Responses that have expired belong to it as long as their rows exist.
   */
  listChain(userId: number, responseId: string, limit: number): Promise<readonly StoredResponse[]>;
  /** Bytes of all contents of a user, events and conversations included. */
  sizeOf(userId: number): Promise<number>;
  /** Contents of one kind by response id; those that are not kept are left out. */
  readContents(
    userId: number,
    responseIds: readonly string[],
    kind: 'input' | 'response',
  ): Promise<ReadonlyMap<string, string>>;
  /** The responses, not expired at `now`, that the items belong to, by item id. */
  findByItems(
    userId: number,
    itemIds: readonly string[],
    now: number,
  ): Promise<ReadonlyMap<string, StoredResponse>>;
  /** False: there was none. */
  delete(userId: number, responseId: string): Promise<boolean>;
  /**
   * Deletes at most `limit` responses that have expired at `now`, and returns their number. One
   * that another response continues is deleted after that one.
   */
  purge(now: number, limit: number): Promise<number>;
}
