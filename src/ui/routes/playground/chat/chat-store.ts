/**
 * The conversations of one user. They live outside React, so that an answer goes on while the
 * reader is on another screen of the console.
 */
import { type Charge, mayHaveCost, type SentRequest } from '../charges.ts';
import { PlaygroundError } from '../post.ts';
import { AnswerText } from './answer-text.ts';
import type { AnswerPiece, Ask } from './ask.ts';
import { filesOf } from './attached-files.ts';
import type { AttachedFile, Attachment } from './attachment.ts';
import { ChatBook, type ChatBookDeps, newChat } from './chat-book.ts';
import { type Chat, type ChatMessage, type ChatSettings, wireMessages } from './message.ts';
import { earlierVersions, everyMessage, showVersion } from './versions.ts';

export interface ChatStoreDeps extends ChatBookDeps {
  readonly ask: Ask;
  /** Undefined: it is not in this browser any more. */
  readonly findFile: (id: string) => Promise<AttachedFile | undefined>;
  /** Undefined: the log has no row for it. */
  readonly findCharge: (request: SentRequest) => Promise<Charge | undefined>;
  /** An answer is over, so the balance has changed. */
  readonly onCharged: () => void;
}

/** Milliseconds in which a charge is looked for that the page did not learn in time. */
const chargeAge = 24 * 3_600_000;

export class ChatStore {
  readonly #deps: ChatStoreDeps;
  readonly #book: ChatBook;
  #running: AbortController | null = null;
  /** Resolves when the last answer is over. */
  #over: Promise<void> = Promise.resolve();

  readonly subscribe: ChatBook['subscribe'];
  readonly state: ChatBook['state'];
  readonly settled: ChatBook['settled'];
  readonly merge: ChatBook['merge'];
  readonly markKept: ChatBook['markKept'];
  readonly follow: ChatBook['follow'];

  constructor(deps: ChatStoreDeps) {
    this.#deps = deps;
    this.#book = new ChatBook(deps);
    ({ subscribe: this.subscribe, state: this.state, settled: this.settled } = this.#book);
    ({ merge: this.merge, markKept: this.markKept, follow: this.follow } = this.#book);
    const { chats } = deps.history;
    const since = Date.now() - chargeAge;
    for (const chat of chats)
      for (const message of everyMessage(chat.messages))
        if (message.quota === undefined && message.createAt > since && mayHaveCost(message.error))
          void this.#charge(chat.id, message);
  }

  setSettings(settings: Partial<ChatSettings>): void {
    this.#book.set({ settings: { ...this.state().settings, ...settings } });
    this.#book.store({});
  }

  start(messages: readonly ChatMessage[] = []): void {
    this.stop();
    if (this.state().chat.messages.length > 0 || messages.length > 0)
      this.#book.set({ chat: { ...newChat(), messages } });
  }

  /** A conversation that was beside this one joins the earlier ones; it is stored already. */
  adopt(chat: Chat): void {
    const others = this.state().chats.filter(({ id }) => id !== chat.id);
    if (chat.messages.length > 0) this.#book.set({ chats: [...others, chat] });
  }

  open(id: string): void {
    const chat = this.state().chats.find((other) => other.id === id);
    if (chat === undefined) return;
    this.stop();
    this.#book.set({ chat });
  }

  /** Forgets the conversation that is shown. */
  clear(): void {
    const { id } = this.state().chat;
    this.stop();
    this.#book.set({ chats: this.state().chats.filter((chat) => chat.id !== id), chat: newChat() });
    this.#book.store({ removed: id });
  }

  send(text: string, attachments: readonly Attachment[] = []): void {
    if (this.state().isBusy || (text.trim() === '' && attachments.length === 0)) return;
    const message = {
      id: crypto.randomUUID(),
      role: 'user',
      content: text,
      reasoning: '',
      createAt: Date.now(),
      ...(attachments.length > 0 && { attachments }),
    } as const;
    void this.#answer([...this.state().chat.messages, { ...message, status: 'complete' }]);
  }

  /** Asks anew for an answer. The one before stays a version, with what came after it. */
  regenerate(id: string): void {
    this.#whenIdle(() => {
      const before = this.#before(id);
      if (before === undefined) return;
      void this.#answer(before, earlierVersions(this.state().chat.messages, id));
    });
  }

  /** Shows another version of an answer, with what followed that. `place` is from 1. */
  showVersion(id: string, place: number): void {
    this.#whenIdle(() => {
      const { id: chatId } = this.state().chat;
      this.#book.change(chatId, (chat) => showVersion(chat, id, place));
      this.#book.store({ changed: chatId });
    });
  }

  /** Sends another text in place of a message, with its files; what came after it is dropped. */
  resend(id: string, text: string): void {
    this.#whenIdle(() => {
      const before = this.#before(id);
      const attachments = this.state().chat.messages[before?.length ?? 0]?.attachments;
      if (before === undefined || (text.trim() === '' && attachments === undefined)) return;
      this.#book.change(this.state().chat.id, (chat) => ({ ...chat, messages: before }));
      this.send(text, attachments);
    });
  }

  remove(id: string): void {
    const { chat } = this.state();
    if (this.state().live?.id === id) this.stop();
    this.#book.change(chat.id, ({ messages, ...other }) => ({
      ...other,
      messages: messages.filter((message) => message.id !== id),
    }));
    this.#book.store({ changed: chat.id });
  }

  /** The page is left: what came of an answer so far is kept. */
  keep(): void {
    const { live, chat } = this.state();
    if (live === undefined) return;
    this.#book.edit(chat.id, live.id, live);
    this.#book.store({ changed: chat.id });
  }

  stop(): void {
    this.#running?.abort();
  }

  /**
   * Its user has signed out: the answer that is coming is stopped, and nothing is kept any more.
   */
  close(): void {
    this.#book.close();
    this.stop();
  }

  /** Acts at once, or when the answer that is coming was stopped. */
  #whenIdle(act: () => void): void {
    const chatId = this.state().chat.id;
    this.stop();
    void this.#over.then(() => {
      if (this.state().chat.id === chatId && !this.state().isBusy) act();
    });
  }

  #before(id: string): readonly ChatMessage[] | undefined {
    const { messages } = this.state().chat;
    const at = messages.findIndex((message) => message.id === id);
    return at === -1 ? undefined : messages.slice(0, at);
  }

  #answer(messages: readonly ChatMessage[], others: ChatMessage['others'] = []): Promise<void> {
    this.#over = this.#run(messages, others);
    return this.#over;
  }

  async #run(
    messages: readonly ChatMessage[],
    others: NonNullable<ChatMessage['others']>,
  ): Promise<void> {
    const { chat, settings } = this.state();
    const { model, group, system } = settings;
    const startedAt = Date.now();
    const id = crypto.randomUUID();
    const abort = new AbortController();
    this.#running = abort;
    let answer: ChatMessage = {
      id,
      role: 'assistant',
      content: '',
      reasoning: '',
      status: 'loading',
      createAt: startedAt,
      requestKey: id,
      model,
      group,
      ...(others.length > 0 && { others }),
    };
    this.#book.set({ isBusy: true, live: answer });
    this.#book.change(chat.id, (before) => ({
      ...before,
      messages: [...messages, answer],
      changedAt: startedAt,
    }));
    this.#book.store({ changed: chat.id });
    const edit = (fields: Partial<ChatMessage>) => {
      answer = { ...answer, ...fields };
      this.#book.set({ live: answer });
    };
    const text = new AnswerText(edit, startedAt);
    try {
      const sink = {
        started: (requestId: string | undefined) => {
          if (requestId !== undefined) edit({ requestId });
        },
        piece: (piece: AnswerPiece) => text.add(piece),
      };
      const hasFiles = messages.some(({ attachments }) => attachments !== undefined);
      const files = hasFiles ? await filesOf(messages, this.#deps.findFile) : undefined;
      abort.signal.throwIfAborted();
      const sent = wireMessages(system, messages, files);
      await this.#deps.ask({ ...settings, messages: sent, key: id }, sink, abort.signal);
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
    answer = { ...answer, totalMs: Date.now() - startedAt };
    this.#running = null;
    this.#book.edit(chat.id, id, answer);
    this.#book.set({ isBusy: false, live: undefined });
    this.#book.store({ changed: chat.id });
    if (mayHaveCost(answer.error)) void this.#charge(chat.id, answer);
    else this.#deps.onCharged();
  }

  /** Notes what an answer cost. */
  async #charge(chatId: string, message: ChatMessage): Promise<void> {
    const { id, role, requestId, requestKey: key = '', createAt: sentAt } = message;
    if (role === 'user' || (key === '' && requestId === undefined)) return;
    const charge = await this.#deps.findCharge({ key, requestId, sentAt });
    const known = [...everyMessage(this.#book.find(chatId)?.messages ?? [])];
    const isNoted = known.some((other) => other.id === id && other.quota !== undefined);
    if (charge !== undefined && !isNoted) {
      this.#book.change(chatId, (chat) => ({ ...chat, spent: chat.spent + charge.quota }));
      this.#book.edit(chatId, id, charge);
      this.#book.store({ changed: chatId });
    }
    this.#deps.onCharged();
  }
}

function detailsOf(error: unknown) {
  return error instanceof PlaygroundError
    ? error.details
    : { status: 0, code: '', type: '', text: '' };
}
