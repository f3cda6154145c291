/**
 * Canonical parts → Responses events (OpenAI API reference, Responses streaming events): numbered
 * from 0, each item closed before the next opens, one terminal event that holds the whole response.
 */

import type { Phase, ToolSource } from '../../../canonical/chat.ts';
import type { Annotation, StreamPart } from '../../../canonical/chat-reply.ts';
import { append } from '../../../canonical/kit/append.ts';
import { carrySignature } from '../../../canonical/kit/foreign-signature.ts';
import { listOf, recordOf } from '../../../canonical/kit/read-json.ts';
import { characters } from '../../../canonical/kit/text-places.ts';
import { mergeUsage } from '../../../canonical/kit/usage.ts';
import type { Usage } from '../../../canonical/usage.ts';
import { toolSources } from '../../../canonical/wires/openai-responses/tools.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import type { WireError } from '../families/api-family.ts';
import type { ReplyContext, StreamEncoder } from '../shared/chat-translation.ts';
import { CallItem } from './call-item.ts';
import {
  completeUsage,
  failureEvents,
  type ResponseStatus,
  responseEvent,
  responseHead,
  writeResponsesUsage,
} from './object.ts';
import {
  ImageItem,
  type ItemEvent,
  type ItemStatus,
  MessageItem,
  type OutputItem,
  outputText,
  ReasoningItem,
  writeAnnotation,
} from './output.ts';

const origin = 'openai-responses';

/** Why a response is incomplete, by the finish reasons that make it so. */
const incompleteReasons: Readonly<Record<string, string>> = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
};

/** Gets calls one after another (shared/call-sequence.ts). */
export class ResponseStreamEncoder implements StreamEncoder {
  readonly #context: ReplyContext;
  readonly #sources: ReadonlyMap<string, ToolSource>;
  readonly #output: JsonObject[] = [];
  #head: JsonObject | undefined;
  #sequence = 0;
  #open: OutputItem | undefined;
  /** Number of the newest call. */
  #call: number | undefined;
  #usage: Usage | undefined;
  #incomplete: string | undefined;
  #serial = 0;
  /** Characters of the answer so far. */
  #length = 0;

  constructor(context: ReplyContext) {
    this.#context = context;
    this.#sources = toolSources(context.request);
  }

  push(part: StreamPart): string {
    switch (part.type) {
      // A translated response is kept here and not by its upstream, so it has an id of ours.
      case 'start':
        return '';
      case 'usage':
        this.#usage = mergeUsage(this.#usage, part.usage);
        return '';
      case 'error':
        return '';
    }
    // This format has one answer; further choices have no place in it.
    if ((part.choice ?? 0) !== 0) return '';
    switch (part.type) {
      case 'finish':
        this.#incomplete = incompleteReasons[part.reason];
        return '';
      case 'text-delta':
        return this.#text(part);
      case 'refusal-delta':
        return this.#writeText('refusal', part.text);
      case 'reasoning-delta':
        return this.#writeReasoning(part.text, part.id);
      case 'reasoning-signature':
        return part.origin === origin
          ? this.#closeReasoning(part.signature, part.id)
          : this.#closeReasoning(carrySignature(part), undefined);
      case 'reasoning-redacted':
        return part.origin === origin
          ? this.#writeHiddenReasoning(part.data, part.id)
          : this.#writeHiddenReasoning(carrySignature({ ...part, redacted: part.data }), undefined);
      case 'tool-call-delta':
        return this.#toolCall(part);
      case 'image':
        return (
          this.#openItem(new ImageItem(this.#newId('ig'), part.mediaType, part.data)) +
          this.#close('completed')
        );
      case 'audio':
        return '';
      case 'annotation':
        return this.#annotate(part.annotation);
    }
  }

  end(usage?: Usage): string {
    const closed = this.#start() + this.#closeAll();
    const response = this.finalResponse(usage);
    return closed + this.#event(`response.${String(response['status'])}`, { response });
  }

  fail(error: WireError): string {
    const started = this.#start();
    const usage = this.#usage === undefined ? null : writeResponsesUsage(this.#usage);
    return (
      started +
      failureEvents({ ...this.#headOf(), output: [...this.#output], usage }, error, this.#sequence)
    );
  }

  /** The response as it is now; call it when all parts were pushed. */
  finalResponse(usage?: Usage): JsonObject {
    this.#closeAll();
    const complete = completeUsage(mergeUsage(this.#usage, usage), this.#context, () =>
      outputText(this.#output),
    );
    const response = this.#response(this.#incomplete === undefined ? 'completed' : 'incomplete');
    return { ...response, output: [...this.#output], usage: writeResponsesUsage(complete) };
  }

  #headOf(): JsonObject {
    this.#head ??= responseHead(`resp_${this.#context.id}`, this.#context);
    return this.#head;
  }

  #response(status: ResponseStatus): JsonObject {
    const incomplete_details =
      status === 'incomplete' ? { reason: this.#incomplete ?? null } : null;
    return { ...this.#headOf(), status, error: null, incomplete_details, output: [], usage: null };
  }

  #event(type: string, fields: JsonObject): string {
    return responseEvent(type, this.#sequence++, fields);
  }

  #start(): string {
    if (this.#sequence > 0) return '';
    const response = this.#response('in_progress');
    return (
      this.#event('response.created', { response }) +
      this.#event('response.in_progress', { response })
    );
  }

  #newSerial(): string {
    return `${this.#context.id}_${this.#serial++}`;
  }

  #newId(prefix: string): string {
    return `${prefix}_${this.#newSerial()}`;
  }

  #itemEvent(item: OutputItem, type: string, fields: JsonObject): string {
    return this.#event(type, { item_id: item.id, output_index: this.#output.length, ...fields });
  }

  #itemEvents(item: OutputItem, events: readonly ItemEvent[]): string {
    return events.map(([type, fields]) => this.#itemEvent(item, type, fields)).join('');
  }

  #openItem(item: OutputItem): string {
    const before = this.#start() + this.#close('completed');
    this.#open = item;
    return item.isLate === true ? before : before + this.#announce(item);
  }

  #announce(item: OutputItem): string {
    const added = this.#event('response.output_item.added', {
      output_index: this.#output.length,
      item: item.announce(),
    });
    return added + this.#itemEvents(item, item.open());
  }

  #close(status: ItemStatus): string {
    const item = this.#open;
    if (item === undefined) return '';
    const announced = item.isLate === true ? this.#announce(item) : '';
    const closing = announced + this.#itemEvents(item, item.close());
    const whole = item.write(status);
    const done = this.#event('response.output_item.done', {
      output_index: this.#output.length,
      item: whole,
    });
    this.#output.push(whole);
    this.#open = undefined;
    return closing + done;
  }

  /** The last item of an answer that was cut short is itself cut short. */
  #closeAll(): string {
    return this.#close(this.#incomplete === undefined ? 'completed' : 'incomplete');
  }

  /** A text with a phase is a message of its own. */
  #writeText(
    kind: 'text' | 'refusal',
    delta: string,
    more: JsonObject = {},
    phase?: Phase,
  ): string {
    if (delta === '') return '';
    const open = this.#open;
    const same = open instanceof MessageItem && open.kind === kind && phase === undefined;
    const item = same ? open : new MessageItem(this.#newId('msg'), kind, this.#length, phase);
    const opened = same ? '' : this.#openItem(item);
    item.text += delta;
    const type = kind === 'text' ? 'response.output_text.delta' : 'response.refusal.delta';
    return opened + this.#itemEvent(item, type, { content_index: 0, delta, ...more });
  }

  #text({ text, logprobs, phase }: Extract<StreamPart, { type: 'text-delta' }>): string {
    const entries = listOf(recordOf(logprobs)?.['content']) as readonly JsonValue[];
    const written = this.#writeText('text', text, { logprobs: entries }, phase);
    this.#length += characters(text);
    if (this.#open instanceof MessageItem) append(this.#open.logprobs, entries);
    return written;
  }

  #annotate(given: Annotation): string {
    const item = this.#open;
    if (!(item instanceof MessageItem)) return '';
    const annotation = writeAnnotation(given, item.from);
    const place = { content_index: 0, annotation_index: item.annotations.length };
    item.annotations.push(annotation);
    return this.#itemEvent(item, 'response.output_text.annotation.added', { ...place, annotation });
  }

  #writeReasoning(delta: string, id: string | undefined): string {
    if (delta === '') return '';
    const open = this.#open;
    const same = open instanceof ReasoningItem && (id === undefined || open.id === id);
    const item = same ? open : new ReasoningItem(id ?? this.#newId('rs'), true);
    const opened = same ? '' : this.#openItem(item);
    item.text += delta;
    return (
      opened +
      this.#itemEvent(item, 'response.reasoning_summary_text.delta', { summary_index: 0, delta })
    );
  }

  /** The provider's encrypted reasoning ends the item. */
  #closeReasoning(encrypted: string, id: string | undefined): string {
    const item = this.#open;
    if (!(item instanceof ReasoningItem)) return this.#writeHiddenReasoning(encrypted, id);
    item.encrypted = encrypted;
    item.id = id ?? item.id;
    return this.#close('completed');
  }

  /** Reasoning that is not shown consists of its encrypted content alone. */
  #writeHiddenReasoning(encrypted: string, id: string | undefined): string {
    const item = new ReasoningItem(id ?? this.#newId('rs'), false);
    item.encrypted = encrypted;
    return this.#openItem(item) + this.#close('completed');
  }

  #toolCall({
    index,
    id,
    name,
    arguments: delta,
  }: Extract<StreamPart, { type: 'tool-call-delta' }>): string {
    if (this.#open instanceof CallItem && this.#call === index)
      return this.#writeArguments(this.#open, delta);
    if (name === undefined) return '';
    const callId = id ?? `call_${this.#context.id}_${index}`;
    const call = new CallItem(this.#newSerial(), callId, name, this.#sources.get(name));
    this.#call = index;
    return this.#openItem(call) + this.#writeArguments(call, delta);
  }

  #writeArguments(call: CallItem, delta: string): string {
    call.arguments += delta;
    if (!call.streams || delta === '') return '';
    return this.#itemEvent(call, 'response.function_call_arguments.delta', { delta });
  }
}
