/** The conversations of a user as one value that changes, kept in the browser's storage. */
import { type History, storeHistory } from './history.ts';
import { bounds, type Chat, type ChatMessage, type ChatSettings } from './message.ts';
import { editMessages } from './versions.ts';

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

interface ChatBookDeps {
  readonly userId: number;
  readonly history: History;
  readonly defaultSystem: string;
  readonly isBeside?: boolean;
}

export class ChatBook {
  readonly #userId: number;
  readonly #isBeside: boolean;
  readonly #listeners = new Set<() => void>();
  #state: ChatState;

  constructor({ userId, history, defaultSystem, isBeside = false }: ChatBookDeps) {
    this.#userId = userId;
    this.#isBeside = isBeside;
    const { chats, settings } = history;
    const defaults = {
      ...{ group: '', model: '', system: defaultSystem },
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
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): ChatState => this.#state;

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
    const next = change(before);
    const others = chats.filter((other) => other.id !== id);
    this.set({
      chats: next.messages.length === 0 ? others : [next, ...others],
      ...(chat.id === id && { chat: next }),
    });
  }

  set(state: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...state };
    for (const listener of this.#listeners) listener();
  }

  /** Keeps the settings, and what changed; `removed` is an id. */
  store(what: { readonly changed?: string; readonly removed?: string }): void {
    const { changed, removed } = what;
    storeHistory(this.#userId, {
      ...(changed !== undefined && { changed: this.find(changed) }),
      removed: removed ?? changed,
      settings: this.#isBeside ? undefined : this.#state.settings,
    });
  }
}
