/**
 * The conversations of one user. They live outside React, so that an answer goes on while the
 * reader is on another screen of the console.
 */
import type { Charge } from '../charges.ts';
import { PlaygroundError } from '../post.ts';
import type { AnswerPiece, Ask } from './ask.ts';
import { type History, storeHistory } from './history.ts';
import {
  bounds,
  type Chat,
  type ChatMessage,
  type ChatSettings,
  isOpen,
  wireMessages,
} from './message.ts';

export interface ChatState {
  readonly chats: readonly Chat[];
  /** The one that is shown. */
  readonly chat: Chat;
  readonly settings: ChatSettings;
  /** Whether an answer is coming. */
  readonly isBusy: boolean;
}

export interface ChatStoreDeps {
  readonly userId: number;
  readonly history: History;
  readonly defaultSystem: string;
  readonly ask: Ask;
  /** Undefined: the log has no row for it. */
  readonly findCharge: (requestId: string) => Promise<Charge | undefined>;
  /** An answer is over, so the balance has changed. */
  readonly onCharged: () => void;
}

/** Milliseconds between two updates of what is drawn while text comes. */
const drawEvery = 50;
function newChat(): Chat {
  return { id: crypto.randomUUID(), messages: [], changedAt: Date.now(), spent: 0 };
}

export class ChatStore {
  readonly #deps: ChatStoreDeps;
  readonly #listeners = new Set<() => void>();
  #state: ChatState;
  #running: { readonly abort: AbortController; readonly chatId: string } | null = null;

  constructor(deps: ChatStoreDeps) {
    this.#deps = deps;
    const { chats, settings } = deps.history;
    const defaults = {
      group: '',
      model: '',
      temperature: bounds.temperature.default,
      maxTokens: bounds.maxTokens.default,
      system: deps.defaultSystem,
    };
    this.#state = {
      chats,
      chat: chats[0] ?? newChat(),
      settings: { ...defaults, ...settings },
      isBusy: false,
    };
    for (const chat of chats)
      for (const { id, requestId, quota, ended } of chat.messages)
        if (requestId !== undefined && quota === undefined && ended === 'left')
          void this.#charge(chat.id, id, requestId);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): ChatState => this.#state;

  setSettings(settings: Partial<ChatSettings>): void {
    this.#set({ settings: { ...this.#state.settings, ...settings } });
    this.#store({});
  }

  start(): void {
    this.stop();
    if (this.#state.chat.messages.length > 0) this.#set({ chat: newChat() });
  }

  open(id: string): void {
    const chat = this.#state.chats.find((other) => other.id === id);
    if (chat === undefined) return;
    this.stop();
    this.#set({ chat });
  }

  /** Forgets the conversation that is shown. */
  clear(): void {
    const { id } = this.#state.chat;
    this.stop();
    this.#set({ chats: this.#state.chats.filter((chat) => chat.id !== id), chat: newChat() });
    this.#store({ removed: id });
  }

  send(text: string): void {
    if (this.#state.isBusy || text.trim() === '') return;
    const message = {
      id: crypto.randomUUID(),
      role: 'user',
      content: text,
      reasoning: '',
      createAt: Date.now(),
    } as const;
    void this.#answer([...this.#state.chat.messages, { ...message, status: 'complete' }]);
  }

  /** Asks anew for an answer; what came after it is dropped. */
  regenerate(id: string): void {
    const before = this.#before(id);
    if (!this.#state.isBusy && before !== undefined) void this.#answer(before);
  }

  /** Sends another text in place of a message; what came after it is dropped. */
  resend(id: string, text: string): void {
    const before = this.#before(id);
    if (this.#state.isBusy || before === undefined || text.trim() === '') return;
    this.#change(this.#state.chat.id, (chat) => ({ ...chat, messages: before }));
    this.send(text);
  }

  remove(id: string): void {
    const { chat } = this.#state;
    if (chat.messages.some((message) => message.id === id && isOpen(message))) this.stop();
    this.#change(chat.id, ({ messages, ...other }) => ({
      ...other,
      messages: messages.filter((message) => message.id !== id),
    }));
    this.#store({ changed: this.#find(chat.id), removed: chat.id });
  }

  stop(): void {
    this.#running?.abort.abort();
  }

  #before(id: string): readonly ChatMessage[] | undefined {
    const { messages } = this.#state.chat;
    const at = messages.findIndex((message) => message.id === id);
    return at === -1 ? undefined : messages.slice(0, at);
  }

  async #answer(messages: readonly ChatMessage[]): Promise<void> {
    const { chat, settings } = this.#state;
    const { model, group, system } = settings;
    const startedAt = Date.now();
    const id = crypto.randomUUID();
    const abort = new AbortController();
    this.#running = { abort, chatId: chat.id };
    const answer: ChatMessage = {
      ...{
        id,
        role: 'assistant',
        content: '',
        reasoning: '',
        createAt: startedAt,
        status: 'loading',
      },
      model,
      group,
    };
    this.#set({ isBusy: true });
    this.#change(chat.id, (before) => ({
      ...before,
      messages: [...messages, answer],
      changedAt: startedAt,
    }));
    this.#store({ changed: this.#find(chat.id) });
    const edit = (fields: Partial<ChatMessage>) => this.#edit(chat.id, id, fields);
    const text = new AnswerText(edit, startedAt);
    let requestId: string | undefined;
    try {
      const sink = {
        started: (known: string | undefined) => {
          requestId = known;
          if (known !== undefined) edit({ requestId: known });
        },
        piece: (piece: AnswerPiece) => text.add(piece),
      };
      await this.#deps.ask(
        { ...settings, messages: wireMessages(system, messages) },
        sink,
        abort.signal,
      );
      text.draw();
      edit({ status: 'complete' });
    } catch (error) {
      text.draw();
      edit(
        abort.signal.aborted
          ? { status: 'complete', ended: 'stopped' }
          : { status: 'error', error: detailsOf(error) },
      );
    }
    edit({ totalMs: Date.now() - startedAt });
    this.#running = null;
    this.#set({ isBusy: false });
    this.#store({ changed: this.#find(chat.id) });
    if (requestId !== undefined) await this.#charge(chat.id, id, requestId);
  }

  /** Notes what an answer cost. An answer that failed may have cost nothing. */
  async #charge(chatId: string, id: string, requestId: string): Promise<void> {
    const charge = await this.#deps.findCharge(requestId);
    if (charge !== undefined) {
      this.#change(chatId, (chat) => ({ ...chat, spent: chat.spent + charge.quota }));
      this.#edit(chatId, id, charge);
      this.#store({ changed: this.#find(chatId) });
    }
    this.#deps.onCharged();
  }

  #find(id: string): Chat | undefined {
    return this.#state.chats.find((chat) => chat.id === id);
  }

  #edit(chatId: string, id: string, fields: Partial<ChatMessage>): void {
    this.#change(chatId, (chat) => ({
      ...chat,
      messages: chat.messages.map((message) =>
        message.id === id ? { ...message, ...fields } : message,
      ),
    }));
  }

  #change(id: string, change: (chat: Chat) => Chat): void {
    const { chats, chat } = this.#state;
    const before = chat.id === id ? chat : this.#find(id);
    if (before === undefined) return;
    const next = change(before);
    const others = chats.filter((other) => other.id !== id);
    this.#set({
      chats: next.messages.length === 0 ? others : [next, ...others],
      ...(chat.id === id && { chat: next }),
    });
  }

  #set(state: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...state };
    for (const listener of this.#listeners) listener();
  }

  #store(what: { readonly changed?: Chat | undefined; readonly removed?: string }): void {
    storeHistory(this.#deps.userId, { ...what, settings: this.#state.settings });
  }
}

function detailsOf(error: unknown) {
  return error instanceof PlaygroundError
    ? error.details
    : { status: 0, code: '', type: '', text: '' };
}

/** Collects what comes, and draws it every few milliseconds. */
class AnswerText {
  readonly #edit: (fields: Partial<ChatMessage>) => void;
  readonly #startedAt: number;
  #content = '';
  #reasoning = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #fields: Partial<ChatMessage> = {};

  constructor(edit: (fields: Partial<ChatMessage>) => void, startedAt: number) {
    this.#edit = edit;
    this.#startedAt = startedAt;
  }

  add({ text = '', reasoning = '', outputTokens }: AnswerPiece): void {
    if (outputTokens !== undefined) this.#fields = { ...this.#fields, outputTokens };
    if (text === '' && reasoning === '') return;
    const { firstMs = Date.now() - this.#startedAt } = this.#fields;
    this.#fields = { ...this.#fields, firstMs, status: 'incomplete' };
    this.#content += text;
    this.#reasoning += reasoning;
    this.#timer ??= setTimeout(() => this.draw(), drawEvery);
  }

  draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#edit({ ...this.#fields, content: this.#content, reasoning: this.#reasoning });
  }
}
