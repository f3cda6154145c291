/**
 * Conversations of a user who keeps them on the server: brought from there when the playground is
 * opened, and sent there after each change (docs/rules/console.md#kept-items).
 */
import type { KeptChat } from '../../../../core/contract/playground.ts';
import type { ChatStore } from './chat-store.ts';
import { chatText, parseChat } from './history.ts';
import type { Chat } from './message.ts';

export interface ServerHistoryDeps {
  readonly store: Pick<ChatStore, 'state' | 'merge' | 'markKept'>;
  readonly list: () => Promise<readonly KeptChat[]>;
  readonly put: (id: string, content: string) => Promise<unknown>;
  readonly remove: (id: string) => Promise<unknown>;
  /** A conversation could not be sent: it is in this browser only. */
  readonly onFailure: (error: unknown) => void;
}

export interface ChangedChat {
  readonly changed?: Chat | undefined;
  /** An id. */
  readonly removed?: string | undefined;
}

/** What differs between this browser and the server. */
export function compare(
  here: readonly Chat[],
  there: readonly Chat[],
): {
  /** To be shown here, in place of what has the same id. */
  readonly found: readonly Chat[];
  /** Deleted in another browser. */
  readonly gone: ReadonlySet<string>;
  readonly unsent: readonly Chat[];
} {
  const local = new Map(here.map((chat) => [chat.id, chat]));
  const remote = new Map(there.map((chat) => [chat.id, chat]));
  // What was sent once is as the server has it, unless it was changed here since.
  const isNewer = (chat: Chat, other: Chat) =>
    chat.changedAt > other.changedAt || (chat.changedAt === other.changedAt && chat.kept !== true);
  return {
    found: there.filter(({ id, ...chat }) => {
      const own = local.get(id);
      return own === undefined || !isNewer(own, { id, ...chat });
    }),
    gone: new Set(
      here.filter(({ id, kept }) => kept === true && !remote.has(id)).map(({ id }) => id),
    ),
    unsent: here.filter((chat) => {
      const other = remote.get(chat.id);
      return other === undefined ? chat.kept !== true : isNewer(chat, other);
    }),
  };
}

export class ServerHistory {
  readonly #deps: ServerHistoryDeps;
  /** One request at a time, in the order of the changes. */
  #queue: Promise<void> = Promise.resolve();
  readonly #waiting = new Map<string, Chat | undefined>();
  #isFailing = false;

  constructor(deps: ServerHistoryDeps) {
    this.#deps = deps;
  }

  /** Brings what other browsers kept, and sends what is here only. Throws what `list` throws. */
  async pull(): Promise<void> {
    const { store, list } = this.#deps;
    const there = (await list()).flatMap(({ content }) => parseChat(content) ?? []);
    const { found, gone, unsent } = compare(store.state().chats, there);
    store.merge(
      found.map((chat) => ({ ...chat, kept: true })),
      gone,
    );
    for (const chat of unsent) this.push({ changed: chat });
  }

  /** Of several changes of a conversation that wait, the last one is sent. */
  push({ changed, removed }: ChangedChat): void {
    const id = changed?.id ?? removed;
    if (id === undefined) return;
    const isQueued = this.#waiting.has(id);
    this.#waiting.set(id, changed);
    if (!isQueued) this.#queue = this.#queue.then(() => this.#send(id));
  }

  /** Resolves when nothing waits. */
  settled(): Promise<void> {
    return this.#queue;
  }

  async #send(id: string): Promise<void> {
    const chat = this.#waiting.get(id);
    this.#waiting.delete(id);
    const { put, remove, onFailure, store } = this.#deps;
    try {
      if (chat === undefined) await remove(id);
      else {
        await put(id, chatText(chat));
        store.markKept(chat);
      }
      this.#isFailing = false;
    } catch (error) {
      // Reported once for a row of failures; the next visit sends what is left.
      if (!this.#isFailing) onFailure(error);
      this.#isFailing = true;
    }
  }
}
