/**
 * Canonical messages → Anthropic's: alternating roles, results directly after their calls, no empty
 * text (docs/rules/providers.md#claude-requests).
 */

import type {
  AssistantPart,
  CacheControl,
  ChatMessage,
  FilePart,
  ImagePart,
  ToolMessage,
  UserPart,
} from '../../canonical/chat.ts';
import { append } from '../../canonical/kit/append.ts';
import { imageNote, withoutImages } from '../../canonical/kit/markdown-images.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { argumentsToObject } from '../../canonical/kit/tool-calls.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';

interface Turn {
  readonly role: 'user' | 'assistant';
  /** Results of the calls before, which stand before all else. */
  readonly results: JsonObject[];
  readonly content: JsonObject[];
  /** Calls of this assistant turn that no result came for yet. */
  readonly open: Set<string>;
}

/** Anthropic takes `[a-zA-Z0-9_-]+` only; call and result are spelled the same way. */
function callId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call';
}

function mark(cacheControl: CacheControl | undefined): JsonValue | undefined {
  return cacheControl === undefined ? undefined : { ...cacheControl };
}

function textBlocks(text: string, cacheControl?: CacheControl): JsonObject[] {
  return text.trim() === ''
    ? []
    : [compact({ type: 'text', text, cache_control: mark(cacheControl) })];
}

function source(part: ImagePart | FilePart, mediaType: string): JsonObject {
  if (part.data !== undefined)
    return { type: 'base64', media_type: part.mediaType ?? mediaType, data: part.data };
  if (part.fileId !== undefined) return { type: 'file', file_id: part.fileId };
  return { type: 'url', url: part.url ?? '' };
}

function imageBlock(part: ImagePart): JsonObject {
  return compact({
    type: 'image',
    source: source(part, 'image/png'),
    cache_control: mark(part.cacheControl),
  });
}

/** The text of a text document, decoded where it came as bytes. */
function documentText(part: FilePart): string | undefined {
  if (part.text !== undefined) return part.text;
  const readable =
    part.data !== undefined && /^(?:text\/|application\/json$)/.test(part.mediaType ?? '');
  return readable ? Buffer.from(part.data, 'base64').toString('utf8') : undefined;
}

/**
 * Documents are PDFs or text; images that came as files are images. Throws
 * AppError('unsupported_feature') for others.
 */
function documentBlock(part: FilePart): JsonObject {
  const data = documentText(part);
  const mediaType = part.mediaType ?? 'application/pdf';
  if (mediaType.startsWith('video/'))
    throw new AppError('unsupported_feature', { detail: 'video input' });
  if (data === undefined && part.data !== undefined && mediaType !== 'application/pdf') {
    if (!mediaType.startsWith('image/'))
      throw new AppError('unsupported_feature', { detail: `files of type ${mediaType}` });
    return imageBlock({ ...part, type: 'image' });
  }
  return compact({
    type: 'document',
    source:
      data === undefined
        ? source(part, mediaType)
        : { type: 'text', media_type: 'text/plain', data },
    title: part.filename,
    cache_control: mark(part.cacheControl),
  });
}

function userBlocks(part: UserPart): JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part.text, part.cacheControl);
    case 'image':
      return [imageBlock(part)];
    case 'file':
      return [documentBlock(part)];
    case 'audio':
      throw new AppError('unsupported_feature', { detail: 'audio input' });
  }
}

/**
 * Thinking of other providers, without a signature of Anthropic's, would be refused and is left
 * out.
 */
function assistantBlocks(part: AssistantPart): JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlocks(withoutImages(part.text), part.cacheControl);
    case 'image':
      return textBlocks(part.url ?? imageNote);
    case 'refusal':
      return textBlocks(part.text);
    case 'reasoning':
      if (part.origin !== 'anthropic-messages') return [];
      if (part.redacted !== undefined) return [{ type: 'redacted_thinking', data: part.redacted }];
      return part.signature === undefined
        ? []
        : [{ type: 'thinking', thinking: part.text, signature: part.signature }];
    case 'tool-call': {
      const { name, cacheControl } = part;
      const input = argumentsToObject(part.arguments);
      return [
        compact({
          type: 'tool_use',
          id: callId(part.id),
          name,
          input,
          cache_control: mark(cacheControl),
        }),
      ];
    }
    default:
      return [];
  }
}

function resultBlock(message: ToolMessage): JsonObject {
  const content = message.content.flatMap(userBlocks);
  return compact({
    type: 'tool_result',
    tool_use_id: callId(message.callId),
    content,
    is_error: message.isError === true ? true : undefined,
    cache_control: mark(message.cacheControl),
  });
}

class TurnList {
  readonly turns: Turn[] = [];

  #turn(role: Turn['role']): Turn {
    const last = this.turns.at(-1);
    if (last?.role === role) return last;
    const turn: Turn = { role, results: [], content: [], open: new Set() };
    this.turns.push(turn);
    return turn;
  }

  addUser(blocks: readonly JsonObject[]): void {
    if (blocks.length > 0) append(this.#turn('user').content, blocks);
  }

  addAssistant(blocks: readonly JsonObject[]): void {
    if (blocks.length === 0) return;
    const turn = this.#turn('assistant');
    append(turn.content, blocks);
    for (const block of blocks) if (block.type === 'tool_use') turn.open.add(String(block.id));
  }

  /**
   * Results stand first in the user turn that follows their calls. One without a call becomes text.
   */
  addResult(message: ToolMessage): void {
    const last = this.turns.at(-1);
    const caller = last?.role === 'assistant' ? last : this.turns.at(-2);
    const block = resultBlock(message);
    if (caller?.role !== 'assistant' || !caller.open.delete(callId(message.callId))) {
      this.addUser(message.content.flatMap(userBlocks));
      return;
    }
    this.#turn('user').results.push(block);
  }

  /** Every call gets a result: a missing one becomes an empty one. */
  closeOpenCalls(): void {
    for (const [position, turn] of [...this.turns.entries()].reverse()) {
      if (turn.open.size === 0) continue;
      const results = [...turn.open].map(
        (id): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: [] }),
      );
      const next = this.turns[position + 1];
      if (next === undefined)
        this.turns.push({ role: 'user', results, content: [], open: new Set() });
      else append(next.results, results);
    }
  }
}

function isThinking(block: JsonObject | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}

/** A prefilled answer may end neither in thinking nor in white space. */
function trimPrefill(turns: Turn[]): void {
  const turn = turns.at(-1);
  if (turn?.role !== 'assistant') return;
  while (isThinking(turn.content.at(-1))) turn.content.pop();
  if (turn.content.length === 0) turns.pop();
  const block = turn.content.at(-1);
  if (block?.type !== 'text') return;
  turn.content[turn.content.length - 1] = { ...block, text: String(block.text).trimEnd() };
}

export interface WrittenMessages {
  readonly system: readonly JsonObject[];
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly content: readonly JsonObject[];
  }[];
}

/**
 * Throws AppError('unsupported_feature') for audio and for files that are neither PDF, text nor
 * image.
 */
export function writeMessages(messages: readonly ChatMessage[]): WrittenMessages {
  const system: JsonObject[] = [];
  const list = new TurnList();
  for (const message of messages) {
    if (message.role === 'system')
      append(
        system,
        message.content.flatMap((part) => textBlocks(part.text, part.cacheControl)),
      );
    else if (message.role === 'user') list.addUser(message.content.flatMap(userBlocks));
    else if (message.role === 'assistant')
      list.addAssistant(message.content.flatMap(assistantBlocks));
    else list.addResult(message);
  }
  list.closeOpenCalls();
  trimPrefill(list.turns);
  const written = list.turns.map(({ role, results, content }) => ({
    role,
    content: [...results, ...content],
  }));
  const placeholder = { role: 'user' as const, content: [{ type: 'text', text: '...' }] };
  return { system, messages: written[0]?.role === 'user' ? written : [placeholder, ...written] };
}
