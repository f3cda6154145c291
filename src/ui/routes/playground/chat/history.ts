/**
 * Conversations in this browser: bounded, of one user, forgotten at sign-out
 * (docs/rules/console.md#chat-playground).
 */
import { isObject, parseObject } from '../../../../core/kernel/json.ts';
import {
  readStored,
  readStoredJson,
  storageKeys,
  writeStored,
} from '../../../browser/local-storage.ts';
import { readAttachments } from './attachment.ts';
import {
  type AnswerVersion,
  bounds,
  type Chat,
  type ChatMessage,
  type ChatSettings,
  isOpen,
} from './message.ts';

export interface History {
  readonly chats: readonly Chat[];
  readonly settings: Partial<ChatSettings>;
}

/**
 * Conversations and characters kept. The oldest are dropped first; of one that is too long itself,
 * its oldest messages.
 */
const mostChats = 20;
const mostCharacters = 1_000_000;

const sizes = new WeakMap<ChatMessage, number>();

/** Messages never change: what is known of one is kept, so that a long chat costs no more. */
function sizeOf(message: ChatMessage): number {
  const known = sizes.get(message);
  if (known !== undefined) return known;
  const { content, reasoning, others = [], attachments = [] } = message;
  const size = others.reduce(
    (sum, { answer, after }) =>
      [answer, ...after].reduce((inner, each) => inner + sizeOf(each), sum),
    content.length + reasoning.length + 400 + 200 * attachments.length,
  );
  sizes.set(message, size);
  return size;
}

/** Newest first. */
export function bounded(chats: readonly Chat[]): readonly Chat[] {
  const sorted = [...chats]
    .filter(({ messages }) => messages.length > 0)
    .sort((a, b) => b.changedAt - a.changedAt);
  let left = mostCharacters;
  const kept: Chat[] = [];
  for (const chat of sorted.slice(0, mostChats)) {
    const messages = newest(chat.messages, left);
    if (messages.length === 0) break;
    left -= messages.reduce((sum, message) => sum + sizeOf(message), 0);
    kept.push({ ...chat, messages });
  }
  return kept;
}

function newest(messages: readonly ChatMessage[], most: number): readonly ChatMessage[] {
  let size = 0;
  let first = messages.length;
  for (const message of [...messages].reverse()) {
    size += sizeOf(message);
    if (size > most) break;
    first -= 1;
  }
  return messages.slice(first);
}

const texts = new WeakMap<ChatMessage, string>();

function textOf(message: ChatMessage): string {
  const text = texts.get(message) ?? JSON.stringify(message);
  texts.set(message, text);
  return text;
}

/** What is kept on the server: no more of a conversation than is kept here. */
export function chatText(chat: Chat): string {
  const { kept: _, ...whole } = bounded([chat])[0] ?? chat;
  return writeChat(whole);
}

export function parseChat(text: string): Chat | undefined {
  return readChat(parseObject(text))[0];
}

const writeChat = ({ messages, ...chat }: Chat) =>
  `${JSON.stringify(chat).slice(0, -1)},"messages":[${messages.map(textOf).join()}]}`;

/** What this tab wrote last, and the conversations that it wrote. */
let written:
  | { readonly userId: number; readonly text: string; readonly chats: readonly Chat[] }
  | undefined;

/** The stored conversations. They are only read again where another tab has changed them. */
export function storedChats(userId: number): readonly Chat[] {
  return written?.userId === userId && readStored(storageKeys.playgroundChats) === written.text
    ? written.chats
    : readHistory(userId).chats;
}

export function readHistory(userId: number): History {
  const value = readStoredJson(storageKeys.playgroundChats);
  if (!isObject(value) || value['user'] !== userId) return { chats: [], settings: {} };
  const chats = Array.isArray(value['chats']) ? value['chats'].flatMap(readChat) : [];
  return { chats, settings: isObject(value['settings']) ? readSettings(value['settings']) : {} };
}

/**
 * Another tab may have conversations of its own: only `changed` replaces what is stored. `removed`:
 * an id.
 */
export function storeHistory(
  userId: number,
  {
    changed,
    removed,
    settings,
  }: {
    changed?: Chat | undefined;
    removed?: string | undefined;
    /** Undefined: the stored ones stay. */
    settings: ChatSettings | undefined;
  },
): void {
  const others = storedChats(userId).filter(({ id }) => id !== changed?.id && id !== removed);
  write(userId, changed === undefined ? others : [changed, ...others], settings);
}

/** Takes over several conversations; the others that are stored stay, unless they are `gone`. */
export function storeChats(
  userId: number,
  chats: readonly Chat[],
  gone: ReadonlySet<string> = new Set(),
): void {
  const others = storedChats(userId).filter(
    ({ id }) => !gone.has(id) && chats.every((chat) => chat.id !== id),
  );
  write(userId, [...chats, ...others], undefined);
}

function write(userId: number, all: readonly Chat[], settings: ChatSettings | undefined): void {
  const chats = bounded(all);
  const head = JSON.stringify({
    user: userId,
    settings: settings ?? readHistory(userId).settings,
  }).slice(0, -1);
  const text = `${head},"chats":[${chats.map(writeChat).join()}]}`;
  written = { userId, text, chats };
  writeStored(storageKeys.playgroundChats, text);
}

function readSettings(value: Record<string, unknown>): Partial<ChatSettings> {
  const { group, model, temperature, maxTokens, system } = value;
  const isWithin = (number: unknown, most: number): number is number =>
    typeof number === 'number' && number >= 0 && number <= most;
  return {
    ...(typeof group === 'string' && { group }),
    ...(typeof model === 'string' && { model }),
    ...(isWithin(temperature, bounds.temperature.max) && { temperature }),
    ...(isWithin(maxTokens, bounds.maxTokens.most) && { maxTokens }),
    ...(typeof system === 'string' && { system }),
  };
}

function readChat(value: unknown): readonly Chat[] {
  if (!isObject(value) || typeof value['id'] !== 'string' || !Array.isArray(value['messages']))
    return [];
  const { id, changedAt, spent, kept } = value;
  const messages = value['messages'].flatMap(readMessage);
  return [
    {
      id,
      messages,
      changedAt: Number(changedAt) || 0,
      spent: Number(spent) || 0,
      ...(kept === true && { kept }),
    },
  ];
}

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => Number.isFinite(value);
const isOneOf =
  (...values: readonly string[]) =>
  (value: unknown) =>
    values.some((one) => one === value);
const isError = (value: unknown) =>
  isObject(value) &&
  isNumber(value['status']) &&
  [value['code'], value['type'], value['text']].every(isText);

/**
 * What the fields of a message must be. Others than that, as another version of the console or a
 * script may have written them, are left out: the message would stop the page.
 */
const rules: Readonly<Record<string, (value: unknown) => boolean>> = {
  reasoning: isText,
  createAt: isNumber,
  status: isOneOf('loading', 'incomplete', 'complete', 'error'),
  ended: isOneOf('stopped', 'left'),
  error: isError,
  model: isText,
  group: isText,
  requestKey: isText,
  requestId: isText,
  firstMs: isNumber,
  totalMs: isNumber,
  outputTokens: isNumber,
  quota: isNumber,
};

/** What was still coming when the page was left ended there. */
function readMessage(value: unknown): readonly ChatMessage[] {
  if (!isObject(value) || typeof value['id'] !== 'string' || typeof value['content'] !== 'string')
    return [];
  if (value['role'] !== 'user' && value['role'] !== 'assistant') return [];
  const { others, attachments, ...stored } = value;
  const fields = Object.fromEntries(
    Object.entries(stored).filter(([name, field]) => rules[name]?.(field) ?? true),
  );
  const versions = Array.isArray(others) ? others.flatMap(readVersion) : [];
  const files = readAttachments(attachments);
  const message = {
    reasoning: '',
    createAt: 0,
    status: 'complete',
    ...fields,
    ...(versions.length > 0 && { others: versions }),
    ...(files.length > 0 && { attachments: files }),
  } as ChatMessage;
  return [isOpen(message) ? { ...message, status: 'complete', ended: 'left' } : message];
}

function readVersion(value: unknown): readonly AnswerVersion[] {
  if (!isObject(value) || !Array.isArray(value['after'])) return [];
  const [answer] = readMessage(value['answer']);
  return answer === undefined ? [] : [{ answer, after: value['after'].flatMap(readMessage) }];
}
