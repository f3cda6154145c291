/** Canonical messages → instructions and input items (docs/rules/providers.md#openai-responses). */

import type {
  AssistantMessage,
  AssistantPart,
  CacheControl,
  ChatMessage,
  ChatRequest,
  FilePart,
  ImagePart,
  Phase,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolMessage,
  ToolSource,
  UserPart,
} from '../../canonical/chat.ts';
import { imageNote, withoutImages } from '../../canonical/kit/markdown-images.ts';
import { writeDataUri } from '../../canonical/kit/media.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { withBreakpoint } from '../../canonical/wires/openai/cache-marks.ts';
import { freeformInput, toolSources } from '../../canonical/wires/openai-responses/tools.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';

function inputText(text: string): JsonObject {
  return { type: 'input_text', text };
}

function writeImage({ url, data, mediaType, fileId, detail }: ImagePart): JsonObject {
  const image_url =
    url ?? (data === undefined ? undefined : writeDataUri(mediaType ?? 'image/png', data));
  return compact({
    type: 'input_image',
    image_url,
    file_id: image_url === undefined ? fileId : undefined,
    detail,
  });
}

function writeFile({ text, url, data, mediaType, fileId, filename }: FilePart): JsonObject {
  if (text !== undefined) return inputText(text);
  if (data === undefined)
    return compact({
      type: 'input_file',
      file_url: url,
      file_id: url === undefined ? fileId : undefined,
    });
  const file_data = writeDataUri(mediaType ?? 'application/pdf', data);
  return { type: 'input_file', filename: filename ?? 'document.pdf', file_data };
}

/** `marks`: the model takes marks for its cache. */
function writeUserPart(part: UserPart, marks: boolean): JsonObject {
  const mark = marks && part.type !== 'audio' ? part.cacheControl : undefined;
  switch (part.type) {
    case 'text':
      return withBreakpoint(inputText(part.text), mark);
    case 'image':
      return withBreakpoint(writeImage(part), mark);
    case 'file':
      return withBreakpoint(writeFile(part), mark);
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } };
  }
}

/**
 * Encrypted thinking goes back to this wire only, under the id it is bound to; all other thinking
 * stays out.
 */
function writeReasoning({ origin, text, signature, redacted, id }: ReasoningPart): JsonObject[] {
  const encrypted_content = signature ?? redacted;
  if (origin !== 'openai-responses' || encrypted_content === undefined) return [];
  return [
    compact({
      type: 'reasoning',
      id,
      summary: text === '' ? [] : [{ type: 'summary_text', text }],
      encrypted_content,
    }),
  ];
}

function textOf(parts: readonly TextPart[]): string {
  return parts.map((part) => part.text).join('\n');
}

function isMarked(parts: readonly { readonly cacheControl?: CacheControl }[]): boolean {
  return parts.some(({ cacheControl }) => cacheControl !== undefined);
}

/** Ids of results that belong to a call of the request; other results become user messages. */
class InputWriter {
  readonly items: JsonValue[] = [];
  readonly #sources: ReadonlyMap<string, ToolSource>;
  readonly #answered: ReadonlySet<string>;
  readonly #calls = new Map<string, ToolSource | undefined>();
  readonly #marks: boolean;

  /** `marks`: the model takes marks for its cache. */
  constructor(request: ChatRequest, marks: boolean) {
    this.#marks = marks;
    this.#sources = toolSources(request);
    this.#answered = new Set(
      request.messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : [])),
    );
  }

  add(message: ChatMessage): void {
    switch (message.role) {
      case 'system':
        this.items.push({ role: 'developer', content: this.#texts(message.content) });
        break;
      case 'user':
        if (message.content.length > 0)
          this.items.push({ role: 'user', content: this.#parts(message.content) });
        break;
      case 'assistant':
        this.#addAssistant(message);
        break;
      case 'tool':
        this.#addResult(message);
    }
  }

  #parts(parts: readonly UserPart[]): JsonObject[] {
    return parts.map((part) => writeUserPart(part, this.#marks));
  }

  /** One text, or parts where one of them is marked. */
  #texts(parts: readonly TextPart[]): JsonValue {
    return this.#marks && isMarked(parts) ? this.#parts(parts) : textOf(parts);
  }

  /**
   * Texts that follow each other are one message; calls and thinking stand between messages, in
   * their order.
   */
  #addAssistant({ content }: AssistantMessage): void {
    let parts: JsonObject[] = [];
    let phase: Phase | undefined;
    const close = () => {
      if (parts.length > 0)
        this.items.push(compact({ type: 'message', role: 'assistant', phase, content: parts }));
      parts = [];
    };
    for (const part of content) {
      const words = writeWords(part);
      if (words !== undefined) {
        const own = part.type === 'text' ? part.phase : phase;
        if (own !== phase) close();
        phase = own;
        parts.push(words);
        continue;
      }
      close();
      if (part.type === 'reasoning') this.items.push(...writeReasoning(part));
      else if (part.type === 'tool-call') this.#addCall(part);
    }
    close();
  }

  /** A call without a result gets an empty one: gaps are refused. */
  #addCall({ id, name, arguments: text, raw }: ToolCallPart): void {
    const source = this.#sources.get(name);
    this.#calls.set(id, source);
    if (raw !== undefined) {
      this.items.push(raw);
      return;
    }
    const call = { call_id: id, name: source?.name ?? name, namespace: source?.namespace };
    if (source?.freeform === true)
      this.items.push(compact({ type: 'custom_tool_call', ...call, input: freeformInput(text) }));
    else
      this.items.push(
        compact({ type: 'function_call', ...call, arguments: text === '' ? '{}' : text }),
      );
    if (!this.#answered.has(id)) this.#addResult({ role: 'tool', callId: id, content: [] });
  }

  #addResult({ callId, content, isError, cacheControl, raw }: ToolMessage): void {
    if (raw !== undefined) {
      this.items.push(raw);
      return;
    }
    const marked =
      isError === true ? [{ type: 'text', text: 'Error:' } as const, ...content] : content;
    // The mark of a result is that of its last part.
    const parts = marked.map((part, index) =>
      cacheControl !== undefined && index === marked.length - 1 ? { ...part, cacheControl } : part,
    );
    const texts = parts.filter((part) => part.type === 'text');
    const output = texts.length === parts.length ? this.#texts(texts) : this.#parts(parts);
    if (!this.#calls.has(callId)) {
      this.items.push({ role: 'user', content: output });
      return;
    }
    const type =
      this.#calls.get(callId)?.freeform === true
        ? 'custom_tool_call_output'
        : 'function_call_output';
    this.items.push({ type, call_id: callId, output });
  }
}

/** Thinking that nothing of its turn follows, as where an answer was interrupted, is refused. */
function withoutLooseThinking(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant' || message.content.at(-1)?.type !== 'reasoning') return message;
  const last = message.content.findLastIndex((part) => part.type !== 'reasoning');
  return { ...message, content: message.content.slice(0, last + 1) };
}

function writeWords(part: AssistantPart): JsonObject | undefined {
  if (part.type === 'text') return { type: 'output_text', text: withoutImages(part.text) };
  if (part.type === 'image') return { type: 'output_text', text: part.url ?? imageNote };
  return part.type === 'refusal' ? { type: 'refusal', refusal: part.text } : undefined;
}

/**
 * System messages at the front are the instructions; later ones stay in their place, and so do those
 * with marks for the cache, which instructions have no place for (`marks`: the model takes them).
 * Throws AppError without any input.
 */
export function writeInput(
  request: ChatRequest,
  marks: boolean,
): {
  readonly instructions: string | undefined;
  readonly input: JsonValue[];
} {
  const { messages } = request;
  const reported = messages.findIndex(
    ({ role, content }) => role !== 'system' || (marks && isMarked(content as readonly TextPart[])),
  );
  const writer = new InputWriter(request, marks);
  // Instructions alone are no input.
  const leading = reported === -1 ? 0 : reported;
  const given = messages.slice(leading);
  for (const [index, message] of given.entries())
    writer.add(given[index + 1]?.role === 'assistant' ? message : withoutLooseThinking(message));
  if (writer.items.length === 0)
    throw new AppError('invalid_request', { detail: 'the conversation is empty' });
  const texts = messages
    .slice(0, leading)
    .flatMap((message) => (message.role === 'system' ? [textOf(message.content)] : []));
  const instructions = texts.filter((text) => text !== '').join('\n\n');
  return { instructions: instructions === '' ? undefined : instructions, input: writer.items };
}
