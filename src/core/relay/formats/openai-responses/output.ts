/** Output items of a stream: the events that open and close them, and the finished items. */

import type { Phase } from '../../../canonical/chat.ts';
import type { Annotation } from '../../../canonical/chat-reply.ts';
import { foreignSignature } from '../../../canonical/kit/foreign-signature.ts';
import { compact, recordsOf, textOf } from '../../../canonical/kit/read-json.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../kernel/json.ts';

/** Type and members of an event about one item; the stream adds the item's id and place. */
export type ItemEvent = readonly [type: string, fields: JsonObject];

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export interface OutputItem {
  readonly id: string;
  /** It is announced when it is complete. */
  readonly isLate?: boolean;
  /** The whole item. */
  write(status: ItemStatus): JsonObject;
  /** The item as it is announced, still empty. */
  announce(): JsonObject;
  /** Events between the announcement and the first delta. */
  open(): readonly ItemEvent[];
  /** Events between the last delta and the finished item. */
  close(): readonly ItemEvent[];
}

export class ReasoningItem implements OutputItem {
  /**
   * Changes where the provider sends the id only with the encrypted content that is bound to it.
   */
  id: string;
  text = '';
  /** The provider's encrypted reasoning; that of other vendors is marked with ours. */
  encrypted = foreignSignature;
  readonly #shown: boolean;

  /** `shown`: there is a summary to read. */
  constructor(id: string, shown: boolean) {
    this.id = id;
    this.#shown = shown;
  }

  #part(text: string): JsonObject {
    return { type: 'summary_text', text };
  }
  write(): JsonObject {
    const summary = this.#shown ? [this.#part(this.text)] : [];
    return { id: this.id, type: 'reasoning', summary, encrypted_content: this.encrypted };
  }
  announce(): JsonObject {
    return { id: this.id, type: 'reasoning', summary: [] };
  }
  open(): readonly ItemEvent[] {
    return this.#shown
      ? [['response.reasoning_summary_part.added', { summary_index: 0, part: this.#part('') }]]
      : [];
  }
  close(): readonly ItemEvent[] {
    if (!this.#shown) return [];
    return [
      ['response.reasoning_summary_text.done', { summary_index: 0, text: this.text }],
      ['response.reasoning_summary_part.done', { summary_index: 0, part: this.#part(this.text) }],
    ];
  }
}

/** A message of one part: text, or a refusal. */
export class MessageItem implements OutputItem {
  readonly kind: 'text' | 'refusal';
  readonly id: string;
  /** Characters of the answer before it. */
  readonly from: number;
  text = '';
  readonly annotations: JsonObject[] = [];
  readonly logprobs: JsonValue[] = [];

  readonly #phase: Phase | undefined;

  constructor(id: string, kind: 'text' | 'refusal', from: number, phase?: Phase) {
    this.id = id;
    this.kind = kind;
    this.from = from;
    this.#phase = phase;
  }

  #item(status: ItemStatus, content: readonly JsonObject[]): JsonObject {
    const item = { id: this.id, type: 'message', status, role: 'assistant', content };
    return this.#phase === undefined ? item : { ...item, phase: this.#phase };
  }

  #part(text: string): JsonObject {
    if (this.kind === 'refusal') return { type: 'refusal', refusal: text };
    return {
      type: 'output_text',
      text,
      annotations: [...this.annotations],
      logprobs: [...this.logprobs],
    };
  }
  write(status: ItemStatus): JsonObject {
    return this.#item(status, [this.#part(this.text)]);
  }
  announce(): JsonObject {
    return this.#item('in_progress', []);
  }
  open(): readonly ItemEvent[] {
    return [['response.content_part.added', { content_index: 0, part: this.#part('') }]];
  }
  close(): readonly ItemEvent[] {
    const done: ItemEvent =
      this.kind === 'refusal'
        ? ['response.refusal.done', { content_index: 0, refusal: this.text }]
        : [
            'response.output_text.done',
            { content_index: 0, text: this.text, logprobs: [...this.logprobs] },
          ];
    return [
      done,
      ['response.content_part.done', { content_index: 0, part: this.#part(this.text) }],
    ];
  }
}

export class ImageItem implements OutputItem {
  readonly id: string;
  readonly #data: string;
  readonly #format: string;

  constructor(id: string, mediaType: string, data: string) {
    this.id = id;
    this.#data = data;
    this.#format = mediaType.slice(mediaType.indexOf('/') + 1);
  }

  write(): JsonObject {
    const { id } = this;
    return {
      id,
      type: 'image_generation_call',
      status: 'completed',
      output_format: this.#format,
      result: this.#data,
    };
  }
  announce(): JsonObject {
    return { id: this.id, type: 'image_generation_call', status: 'in_progress', result: null };
  }
  open(): readonly ItemEvent[] {
    return [];
  }
  close(): readonly ItemEvent[] {
    return [['response.image_generation_call.completed', {}]];
  }
}

/** The text of finished items, counted where no usage was reported. */
export function outputText(items: readonly JsonObject[]): string {
  return items
    .flatMap((item) => [item, ...recordsOf(item['content']), ...recordsOf(item['summary'])])
    .flatMap((part) =>
      ['text', 'refusal', 'name', 'arguments', 'input', 'action', 'operation'].map((name) =>
        isObject(part[name]) ? JSON.stringify(part[name]) : (textOf(part[name]) ?? ''),
      ),
    )
    .join('');
}

/** A source of a text; its places are counted from where its message begins in the answer. */
export function writeAnnotation(
  { url, title, startIndex = 0, endIndex = 0 }: Annotation,
  from: number,
): JsonObject {
  const [start_index, end_index] = [startIndex, endIndex].map((index) => Math.max(0, index - from));
  return compact({ type: 'url_citation', url, title: title ?? '', start_index, end_index });
}
