/**
 * The conversations of the site's users (docs/rules/responses.md#conversations): found only by
 * their owner. One request at a time works on a conversation.
 */
import type { Leases } from '../../cluster/cluster.ts';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type {
  Conversation,
  ConversationItem,
  ConversationKey,
  ConversationRepository,
  ItemPage,
} from '../../storage/storage.ts';
import { packJson, unpackJson } from './response-content.ts';
import { mostContent, type ResponseStore } from './response-store.ts';

/** An item with its id. */
type NamedItem = JsonObject & { readonly id: string };

export interface ConversationStoreDeps {
  readonly repository: ConversationRepository;
  readonly responses: Pick<ResponseStore, 'takeRoom' | 'forgetRoom'>;
  readonly leases: Leases;
  readonly ids: Pick<Ids, 'hex' | 'alphanumeric'>;
  readonly clock: Clock;
  /** Days after its last change that a conversation is kept; 0: none is. */
  readonly days: () => number;
}

/** Items of one conversation. */
const mostItems = 10_000;
/** Milliseconds that a lock lasts without its holder, and between two renewals. */
const lockMs = 30_000;
const renewMs = 10_000;
const secondsPerDay = 86_400;

/** A conversation that nobody else changes. */
export class OpenConversation {
  readonly id: string;
  /** The oldest first. */
  readonly items: readonly JsonObject[];
  readonly #append: (items: readonly NamedItem[]) => Promise<void>;
  readonly #release: () => Promise<void>;

  constructor(
    id: string,
    items: readonly JsonObject[],
    append: (items: readonly NamedItem[]) => Promise<void>,
    release: () => Promise<void>,
  ) {
    this.id = id;
    this.items = items;
    this.#append = append;
    this.#release = release;
  }

  /**
   * Adds items at the end, all or none. Throws AppError conversation_not_stored,
   * conversation_locked where another process took it, conversation_not_found.
   */
  append(items: readonly NamedItem[]): Promise<void> {
    return this.#append(items);
  }

  /** Lets others have it. Safe to call twice. */
  close(): Promise<void> {
    return this.#release();
  }
}

export class ConversationStore {
  readonly #deps: ConversationStoreDeps;

  constructor(deps: ConversationStoreDeps) {
    this.#deps = deps;
  }

  /** Throws AppError conversation_not_stored. */
  async create(
    userId: number,
    metadata: JsonObject,
    items: readonly NamedItem[],
  ): Promise<Conversation> {
    const { repository, ids, clock } = this.#deps;
    const key = { userId, conversationId: `conv_${ids.hex(24)}` };
    const text = JSON.stringify(metadata);
    const expiresAt = this.#expiry();
    const row = { ...key, metadata: text, createdAt: nowSeconds(clock), expiresAt };
    await this.#keep(userId, text.length, () => repository.insert(row).then(() => true));
    const conversation = await this.find(key);
    try {
      if (items.length > 0) await this.#append(conversation, items);
    } catch (error) {
      await this.delete(key);
      throw error;
    }
    return conversation;
  }

  /** Throws AppError conversation_not_found. */
  async find(key: ConversationKey): Promise<Conversation> {
    const { repository, clock } = this.#deps;
    const found = await repository.find(key, nowSeconds(clock));
    if (found === null) throw notFound(key);
    return found;
  }

  /** Throws AppError conversation_not_found, conversation_not_stored. */
  async update(key: ConversationKey, metadata: JsonObject): Promise<Conversation> {
    await this.find(key);
    const change = { metadata: JSON.stringify(metadata), expiresAt: this.#expiry() };
    if (!(await this.#deps.repository.update(key, change))) throw notFound(key);
    return this.find(key);
  }

  /** Throws AppError conversation_not_found. */
  async delete(key: ConversationKey): Promise<void> {
    if (!(await this.#deps.repository.delete(key))) throw notFound(key);
    this.#deps.responses.forgetRoom();
  }

  /** Throws AppError as {@link open} and {@link OpenConversation.append}. */
  async add(key: ConversationKey, items: readonly NamedItem[]): Promise<void> {
    const release = await this.#lock(key);
    try {
      await this.#append(await this.find(key), items);
    } finally {
      await release();
    }
  }

  /** One page, and whether items follow. Throws AppError conversation_not_found, response_item_not_found. */
  async list(
    key: ConversationKey,
    page: ItemPage,
  ): Promise<{ readonly items: readonly JsonObject[]; readonly hasMore: boolean }> {
    await this.find(key);
    const found = await this.#deps.repository.listItems(key, { ...page, limit: page.limit + 1 });
    if (found === null) throw new AppError('response_item_not_found', { id: page.after ?? '' });
    const items = await Promise.all(found.slice(0, page.limit).map(unpacked));
    return { items, hasMore: found.length > page.limit };
  }

  /** Throws AppError conversation_not_found, response_item_not_found. */
  async readItem(key: ConversationKey, itemId: string): Promise<JsonObject> {
    await this.find(key);
    const item = await this.#deps.repository.findItem(key, itemId);
    if (item === null) throw new AppError('response_item_not_found', { id: itemId });
    return unpacked(item);
  }

  /** Throws AppError conversation_not_found, conversation_locked, response_item_not_found. */
  async deleteItem(key: ConversationKey, itemId: string): Promise<Conversation> {
    await this.find(key);
    const release = await this.#lock(key);
    try {
      if (!(await this.#deps.repository.deleteItem(key, itemId)))
        throw new AppError('response_item_not_found', { id: itemId });
    } finally {
      await release();
    }
    this.#deps.responses.forgetRoom();
    return this.find(key);
  }

  /** All items, to be read only. `claim` is called with their bytes before they are read. */
  async read(key: ConversationKey, claim: (bytes: number) => void): Promise<readonly JsonObject[]> {
    return this.#readItems(await this.find(key), claim);
  }

  /**
   * For one request alone. Throws AppError conversation_not_found, conversation_locked, and what
   * `claim` throws.
   */
  async open(key: ConversationKey, claim: (bytes: number) => void): Promise<OpenConversation> {
    await this.find(key);
    const release = await this.#lock(key);
    try {
      const conversation = await this.find(key);
      const items = await this.#readItems(conversation, claim);
      const append = (added: readonly NamedItem[]) => this.#append(conversation, added);
      return new OpenConversation(key.conversationId, items, append, release);
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** Deletes what has expired, in small steps. */
  async purge(signal: AbortSignal): Promise<void> {
    const { repository, clock } = this.#deps;
    while (!signal.aborted && (await repository.purge(nowSeconds(clock), 50)) > 0);
  }

  /** Returns what releases it. Throws AppError conversation_locked. */
  async #lock({ userId, conversationId }: ConversationKey): Promise<() => Promise<void>> {
    const { leases, ids } = this.#deps;
    const name = `conversation.${userId}.${conversationId}`;
    const owner = ids.hex(16);
    const acquire = () => leases.acquire(name, owner, lockMs);
    if (!(await acquire())) throw new AppError('conversation_locked');
    // One that is lost shows when the items are added: their version is another one then.
    const timer = setInterval(() => void acquire().catch(() => undefined), renewMs).unref();
    let released: Promise<unknown> | undefined;
    return async () => {
      clearInterval(timer);
      released ??= leases.release(name, owner);
      await released;
    };
  }

  async #readItems(
    conversation: Conversation,
    claim: (bytes: number) => void,
  ): Promise<readonly JsonObject[]> {
    claim(conversation.size);
    return Promise.all((await this.#deps.repository.readItems(conversation)).map(unpacked));
  }

  async #append(conversation: Conversation, items: readonly NamedItem[]): Promise<void> {
    const { repository } = this.#deps;
    if (conversation.items + items.length > mostItems)
      throw new AppError('conversation_not_stored');
    const rows = await Promise.all(
      items.map(async (item) => {
        const text = JSON.stringify(item);
        if (text.length > mostContent) throw new AppError('conversation_not_stored');
        return { itemId: item.id, size: Buffer.byteLength(text), item: await packJson(text) };
      }),
    );
    const expiresAt = this.#expiry();
    const { userId, version } = conversation;
    const size = rows.reduce((total, row) => total + row.size, 0);
    const isKept = await this.#keep(userId, size, () =>
      repository.append(conversation, version, { items: rows, expiresAt }),
    );
    if (isKept) return;
    await this.find(conversation);
    throw new AppError('conversation_locked');
  }

  /** Throws AppError conversation_not_stored where the site keeps nothing. */
  #expiry(): number {
    const days = this.#deps.days();
    if (days === 0) throw new AppError('conversation_not_stored');
    return nowSeconds(this.#deps.clock) + days * secondsPerDay;
  }

  /** Takes the room, and gives it back where `store` keeps nothing. */
  async #keep(userId: number, bytes: number, store: () => Promise<boolean>): Promise<boolean> {
    const { responses } = this.#deps;
    if (!(await responses.takeRoom(userId, bytes))) throw new AppError('conversation_not_stored');
    let isKept = false;
    try {
      isKept = await store();
    } finally {
      if (!isKept) responses.forgetRoom();
    }
    return isKept;
  }
}

const unpacked = async ({ item }: ConversationItem) => (await unpackJson(item)) as JsonObject;

function notFound({ conversationId }: ConversationKey): AppError {
  return new AppError('conversation_not_found', { id: conversationId });
}
