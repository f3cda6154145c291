/** What a conversation of the playground is made of (docs/rules/console.md#chat-playground). */
import { type AttachedFile, type Attachment, partOf, type WirePart } from './attachment.ts';

/** loading: nothing has come yet. incomplete: text is coming. complete, error: over. */
export type MessageStatus = 'loading' | 'incomplete' | 'complete' | 'error';

export interface MessageError {
  /** HTTP status; 0: no reply, or an error inside a stream. */
  readonly status: number;
  readonly code: string;
  readonly type: string;
  /** The server's words. */
  readonly text: string;
}

export interface ChatMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** What the model thought before it answered. */
  readonly reasoning: string;
  /** Milliseconds. */
  readonly createAt: number;
  readonly status: MessageStatus;
  /** Why a complete answer is not whole: the reader stopped it, or the page was left. */
  readonly ended?: 'stopped' | 'left';
  readonly error?: MessageError;
  /** Of a message of the reader. */
  readonly attachments?: readonly Attachment[];
  /** The following fields are those of answers. */
  readonly model?: string;
  readonly group?: string;
  /** What the page called the request: its charge is found by it, also without the id. */
  readonly requestKey?: string;
  readonly requestId?: string;
  /** Milliseconds to the first text, and to the end. */
  readonly firstMs?: number;
  readonly totalMs?: number;
  /** As charged; until then as the stream reported them. */
  readonly outputTokens?: number;
  /** The charge in quota, once it is known. */
  readonly quota?: number;
  /** Other answers to the same, the oldest first. */
  readonly others?: readonly AnswerVersion[];
}

/** An answer that is not shown, and what followed it. */
export interface AnswerVersion {
  readonly answer: ChatMessage;
  readonly after: readonly ChatMessage[];
}

export interface ChatSettings {
  /** '': the own group. */
  readonly group: string;
  /** '': none is chosen. */
  readonly model: string;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly system: string;
}

export interface Chat {
  readonly id: string;
  readonly messages: readonly ChatMessage[];
  /** Milliseconds of the last change. */
  readonly changedAt: number;
  /** Quota charged for all its answers, those included that were made again or deleted. */
  readonly spent: number;
  /** The server has it as it is here. */
  readonly kept?: true;
}

/** Limits of the settings. */
export const bounds = {
  temperature: { min: 0.1, max: 1, step: 0.1, default: 0 },
  /** `max`: of models whose own limit is not known; `most`: of any. */
  maxTokens: { min: 1, max: 163_840, most: 9_999_999, default: 8192 },
} as const;

export function isOpen({ status }: ChatMessage): boolean {
  return status === 'loading' || status === 'incomplete';
}

export interface WireMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly WirePart[];
}

/**
 * What is sent: the system prompt and the conversation, without answers that have no text. `files`:
 * the contents of attachments by their ids.
 */
export function wireMessages(
  system: string,
  messages: readonly ChatMessage[],
  files: ReadonlyMap<string, AttachedFile> = new Map(),
): readonly WireMessage[] {
  const said = messages.flatMap((message): readonly WireMessage[] => {
    const { role, content, attachments = [] } = message;
    const parts = attachments.flatMap(({ id }) => files.get(id) ?? []).map(partOf);
    const hasText = content.trim() !== '';
    if (parts.length === 0) return hasText ? [{ role, content }] : [];
    return [{ role, content: hasText ? [...parts, { type: 'text', text: content }] : parts }];
  });
  return system.trim() === '' ? said : [{ role: 'system', content: system }, ...said];
}

/** The first line of a conversation, or its first file, which names it. */
export function titleOf({ messages }: Chat): string {
  const first = messages.find(({ role }) => role === 'user');
  const [line = ''] = (first?.content.trim() || first?.attachments?.[0]?.name || '').split('\n');
  return line.slice(0, 60);
}

const wideCharacter = /[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]/g;

/** A rough number of tokens, shown with ≈ until the charge is known. */
export function roughTokens(text: string): number {
  const wide = text.match(wideCharacter)?.length ?? 0;
  return Math.ceil(wide * 0.75 + (text.length - wide) / 4);
}

const openTag = '<think>';
const closeTag = '</think>';

/** Some models write their thoughts into the text, in a leading `<think>` block. */
export function splitThinking(text: string): {
  readonly thinking: string;
  readonly answer: string;
} {
  const trimmed = text.trimStart();
  if (!trimmed.startsWith(openTag)) return { thinking: '', answer: text };
  const end = trimmed.indexOf(closeTag);
  if (end === -1) return { thinking: trimmed.slice(openTag.length), answer: '' };
  return {
    thinking: trimmed.slice(openTag.length, end).trim(),
    answer: trimmed.slice(end + closeTag.length).trimStart(),
  };
}
