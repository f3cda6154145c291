/** The conversations of a user as one value that changes, kept in the browser's storage. */
import { type History, storeChats, storedChats, storeHistory } from './history.ts';
import { joinChats } from './joined-chat.ts';
import { bounds, type Chat, type ChatMessage, type ChatSettings } from './message.ts';
import { editMessages, everyMessage } from './versions.ts';

export interface ChatState {
  readonly chats: readonly Chat[];
  /** The one that is shown. */
  readonly chat: Chat;
  readonly settings: ChatSettings;
  /**
   * The answer that is coming, as it is now: the conversation itself changes only at its beginning
   * and its end, so that text costs the same in a long one.
   */
  readonly live: ChatMessage | undefined;
  /** Whether an answer is coming. */
  readonly isBusy: boolean;
}

export function newChat(): Chat {
  return { id: crypto.randomUUID(), messages: [], changedAt: Date.now(), spent: 0 };
}

export interface ChatBookDeps {
  readonly userId: number;
  readonly history: History;
  readonly defaultSystem: string;
  /** Its settings are those of the conversation beside it, and not stored. */
  readonly isBeside?: boolean;
  /** A conversation was changed, or the one with the id `removed` deleted. */
  readonly onStored?: (what: {
    readonly changed?: Chat | undefined;
    readonly removed?: string | undefined;
  }) => void;
}

export class ChatBook {
  readonly #userId: number;
  readonly #isBeside: boolean;
  readonly #onStored: ChatBookDeps['onStored'];
  readonly #listeners = new Set<() => void>();
  /** Messages that this tab has known, by their conversation. */
  readonly #seen = new Map<string, Set<string>>();
  #isClosed = false;
  #state: ChatState;
  #settled: Omit<ChatState, 'live'>;

  constructor({ userId, history, defaultSystem, isBeside = false, onStored }: ChatBookDeps) {
    this.#onStored = onStored;
    this.#userId = userId;
    this.#isBeside = isBeside;
    const { chats, settings } = history;
    const defaults = {
      group: '',
      model: '',
      system: defaultSystem,
      temperature: bounds.temperature.default,
      maxTokens: bounds.maxTokens.default,
    };
    this.#state = {
      chats,
      chat: chats[0] ?? newChat(),
      settings: { ...defaults, ...settings },
      live: undefined,
      isBusy: false,
    };
    this.#settled = this.#state;
    for (const chat of chats) this.#see(chat);
  }

  #see({ id, messages }: Chat): void {
    const seen = this.#seen.get(id) ?? new Set();
    for (const message of everyMessage(messages)) seen.add(message.id);
    this.#seen.set(id, seen);
  }

  /** `own`, with what another tab has written to the same conversation. */
  #join(own: Chat, stored: readonly Chat[]): Chat {
    const other = stored.find(({ id }) => id === own.id);
    if (other === undefined) return own;
    const joined = joinChats(own, other, this.#seen.get(own.id) ?? new Set(), this.#state.live?.id);
    this.#see(joined);
    return joined;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): ChatState => this.#state;

  /** The same object while only the text of the answer that is coming changes. */
  readonly settled = (): Omit<ChatState, 'live'> => this.#settled;

  find(id: string): Chat | undefined {
    return this.#state.chats.find((chat) => chat.id === id);
  }

  /** Changes fields of a message, of whichever version. */
  edit(chatId: string, id: string, fields: Partial<ChatMessage>): void {
    this.change(chatId, (chat) => ({
      ...chat,
      messages: editMessages(chat.messages, id, fields),
    }));
  }

  change(id: string, change: (chat: Chat) => Chat): void {
    const { chats, chat } = this.#state;
    const before = chat.id === id ? chat : this.find(id);
    if (before === undefined) return;
    const { kept: _, ...next } = change(before);
    this.#see(next);
    const others = chats.filter((other) => other.id !== id);
    this.set({
      chats: next.messages.length === 0 ? others : [next, ...others],
      ...(chat.id === id && { chat: next }),
    });
  }

  set(state: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...state };
    if (Object.keys(state).some((name) => name !== 'live')) this.#settled = this.#state;
    for (const listener of this.#listeners) listener();
  }

  /**
   * What another browser of the user has kept replaces what is here; the conversation to which an
   * answer is coming stays as it is.
   */
  readonly merge = (found: readonly Chat[], gone: ReadonlySet<string>): void => {
    const { chats, chat, isBusy } = this.#state;
    const isFixed = (id: string) => isBusy && id === chat.id;
    const news = found.filter(({ id }) => !isFixed(id));
    for (const each of news) this.#see(each);
    const stays = ({ id }: Chat) =>
      isFixed(id) || (!gone.has(id) && news.every((other) => other.id !== id));
    const isGone = gone.has(chat.id) && !isFixed(chat.id);
    this.set({
      chats: [...chats.filter(stays), ...news].sort((a, b) => b.changedAt - a.changedAt),
      chat: news.find(({ id }) => id === chat.id) ?? (isGone ? newChat() : chat),
    });
    if (!this.#isClosed) storeChats(this.#userId, news, gone);
  };

  /** The server has this conversation as it is here. Without one: it has none any more. */
  readonly markKept = (sent?: Chat): void => {
    const mark = (chat: Chat): Chat => {
      if (sent !== undefined) return chat === sent ? { ...chat, kept: true } : chat;
      const { kept, ...other } = chat;
      return kept === undefined ? chat : other;
    };
    const { chats, chat } = this.#state;
    const marked = chats.map(mark);
    const changed = marked.filter((next, index) => next !== chats[index]);
    if (changed.length === 0) return;
    this.set({ chats: marked, chat: changed.find(({ id }) => id === chat.id) ?? chat });
    if (!this.#isClosed) storeChats(this.#userId, changed);
  };

  /**
   * Another tab has stored these conversations: they are shown here, too. Of the one to which an
   * answer is coming nothing is taken away; what the other tab wrote to it is added.
   */
  readonly follow = (stored: readonly Chat[]): void => {
    const { chats, chat, isBusy } = this.#state;
    const fixed = chats
      .filter(({ id }) => isBusy && id === chat.id)
      .map((own) => this.#join(own, stored));
    for (const each of stored) this.#see(each);
    const all = [...fixed, ...stored.filter(({ id }) => fixed.every((other) => other.id !== id))];
    const isNew = chat.messages.length === 0;
    this.set({
      chats: all,
      chat: all.find(({ id }) => id === chat.id) ?? (isNew ? chat : newChat()),
    });
  };

  #replace(next: Chat): void {
    const { chats, chat } = this.#state;
    this.set({
      chats: chats.map((one) => (one.id === next.id ? next : one)),
      ...(chat.id === next.id && { chat: next }),
    });
  }

  /** Its user has signed out: nothing is kept from now on. */
  readonly close = (): void => {
    this.#isClosed = true;
  };

  /** Keeps the settings, and what changed; `removed` is an id. */
  store(what: { readonly changed?: string; readonly removed?: string }): void {
    if (this.#isClosed) return;
    const own = what.changed === undefined ? undefined : this.find(what.changed);
    const changed = own && this.#join(own, storedChats(this.#userId));
    if (changed !== undefined && changed !== own) this.#replace(changed);
    const removed = what.removed ?? what.changed;
    if (removed !== undefined) this.#onStored?.({ changed, removed });
    storeHistory(this.#userId, {
      changed,
      removed,
      settings: this.#isBeside ? undefined : this.#state.settings,
    });
  }
}
