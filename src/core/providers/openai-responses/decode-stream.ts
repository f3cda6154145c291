/**
 * A Responses stream → canonical parts (docs/rules/providers.md#openai-responses-streams). Accepts
 * what real servers send: item ids that change between the events of one item, arguments or texts
 * that come only with the finished item, a whole reply where a stream was requested, an end without
 * its terminal event.
 */

import type { ProviderError, StreamPart } from '../../canonical/chat-reply.ts';
import { parseEventData } from '../../canonical/kit/event-data.ts';
import { usageOfResponse } from '../../canonical/kit/hosted-tools.ts';
import {
  countOf,
  type Loose,
  listOf,
  recordOf,
  recordsOf,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { StreamTier } from '../../canonical/kit/stream-tier.ts';
import { characters } from '../../canonical/kit/text-places.ts';
import { argumentsToText, callIdFor } from '../../canonical/kit/tool-calls.ts';
import type { StreamDecoder, StreamEvent } from '../../canonical/pass-through.ts';
import { failureOfEvent } from '../../canonical/wires/openai-responses/failure.ts';
import { phaseOf } from '../../canonical/wires/openai-responses/phase.ts';
import { reasoningText } from '../../canonical/wires/openai-responses/reasoning.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { readAnnotation, readCall, readFinish, readImage } from './decode-reply.ts';
import { type Item, StreamItems } from './stream-items.ts';

const origin = 'openai-responses';
/** A free text becomes the one argument of a call, piece by piece. */
const inputOpening = '{"input":"';
const inputClosing = '"}';

export class ResponsesStreamDecoder implements StreamDecoder {
  readonly #items = new StreamItems();
  readonly #tier = new StreamTier();
  #parts: StreamPart[] = [];
  #started = false;
  #calls = 0;
  /** Characters of the answer so far. */
  #textLength = 0;
  #id = 'reply';
  #ended = false;

  get done(): boolean {
    return this.#ended;
  }

  push(event: StreamEvent): readonly StreamPart[] {
    this.#parts = [];
    if (event.data !== '[DONE]') {
      for (const value of parseEventData(event.data)) {
        const read = recordOf(value);
        if (read !== undefined && !this.#ended) this.#read(read);
      }
    }
    return this.#parts;
  }

  end(): readonly StreamPart[] {
    if (this.#ended) return [];
    this.#parts = [];
    const answered = [...this.#items.all()].some(
      ({ reported, call, done }) => reported !== '' || call !== undefined || done,
    );
    if (answered) this.#closeFreeform();
    else this.#fail({ status: 502, code: 'empty_response' });
    return this.#parts;
  }

  #read(event: Loose): void {
    const failure = failureOfEvent(event);
    if (failure !== undefined) return this.#fail(failure, recordOf(event.response));
    if (event.object === 'response' && event.type === undefined) return this.#whole(event);
    const delta = typeof event.delta === 'string' ? event.delta : '';
    switch (event.type) {
      case 'response.created':
      case 'response.in_progress':
      case 'response.queued':
        return this.#start(recordOf(event.response) ?? {});
      case 'response.output_item.added':
        this.#open(recordOf(event.item) ?? {}, this.#items.indexOf(event));
        return;
      case 'response.output_text.delta':
        return this.#text(event, delta);
      case 'response.refusal.delta':
        this.#itemOf(event, 'message').reported += delta;
        return this.#emit({ type: 'refusal-delta', text: delta });
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.#think(event, delta);
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return this.#addArguments(event, delta);
      case 'response.output_text.annotation.added': {
        const annotation = readAnnotation(event.annotation, this.#itemOf(event, 'message').from);
        return annotation === undefined
          ? undefined
          : this.#emit({ type: 'annotation', annotation });
      }
      case 'response.output_item.done':
        return this.#close(recordOf(event.item) ?? {}, this.#items.indexOf(event));
      case 'response.completed':
      case 'response.incomplete':
        return this.#whole(recordOf(event.response) ?? {});
      default:
        return;
    }
  }

  #emit(part: StreamPart): void {
    this.#parts.push(part);
  }

  /** `response`: the one that failed, with what it used until then. */
  #fail(error: ProviderError, response?: Loose): void {
    this.#ended = true;
    this.#emitUsage(response);
    this.#emit({ type: 'error', error });
  }

  #start(response: Loose): void {
    const tier = this.#tier.read(response.service_tier);
    if (tier !== undefined) this.#emit({ type: 'usage', usage: tier });
    if (this.#started) return;
    this.#started = true;
    const id = textOf(response.id);
    this.#id = id ?? this.#id;
    this.#emit({ type: 'start', id, model: textOf(response.model) });
  }

  #itemOf(event: Loose, type: string): Item {
    const index = this.#items.indexOf(event);
    return this.#items.get(index) ?? this.#open({ type, id: event.item_id }, index);
  }

  /** Calls are numbered as they appear, and named at once. */
  #open(raw: Loose, index: number): Item {
    const known = this.#items.get(index);
    if (known !== undefined) return known;
    const call = readCall(raw);
    const freeform = raw.type === 'custom_tool_call';
    const item: Item = {
      id: textOf(raw.id),
      from: this.#textLength,
      reported: '',
      call: call === undefined ? undefined : this.#calls++,
      freeform,
      phase: phaseOf(raw),
      paragraph: 0,
      done: false,
    };
    this.#items.add(index, item);
    if (call !== undefined && item.call !== undefined) {
      const id = call.id ?? callIdFor(this.#id, item.call);
      const opening = freeform ? inputOpening : '';
      this.#emit({
        type: 'tool-call-delta',
        index: item.call,
        id,
        name: call.name,
        arguments: opening,
      });
    }
    return item;
  }

  #text(event: Loose, text: string): void {
    const item = this.#itemOf(event, 'message');
    const begins = item.phase !== undefined && item.reported === '';
    item.reported += text;
    this.#textLength += characters(text);
    const logprobs = listOf(event.logprobs);
    const delta: StreamPart =
      logprobs.length === 0
        ? { type: 'text-delta', text }
        : { type: 'text-delta', text, logprobs: { content: logprobs } as JsonValue };
    this.#emit(begins ? { ...delta, phase: item.phase } : delta);
  }

  #think(event: Loose, delta: string): void {
    const item = this.#itemOf(event, 'reasoning');
    const paragraph = countOf(event.summary_index) ?? countOf(event.content_index) ?? 0;
    const text = paragraph !== item.paragraph && item.reported !== '' ? `\n\n${delta}` : delta;
    item.paragraph = paragraph;
    this.#emitThought(item, text, item.id);
  }

  #emitThought(item: Item, text: string, id: string | undefined): void {
    item.reported += text;
    this.#emit(
      id === undefined ? { type: 'reasoning-delta', text } : { type: 'reasoning-delta', text, id },
    );
  }

  #addArguments(event: Loose, delta: string): void {
    const item = this.#itemOf(event, '');
    if (item.call === undefined || delta === '') return;
    item.reported += delta;
    const text = item.freeform ? JSON.stringify(delta).slice(1, -1) : delta;
    this.#emit({ type: 'tool-call-delta', index: item.call, arguments: text });
  }

  /** A finished item is complete: what its deltas left out is emitted now. */
  #close(raw: Loose, index: number): void {
    const item = this.#open(raw, index);
    if (item.done) return;
    item.done = true;
    if (item.call !== undefined) return this.#closeCall(item, item.call, raw);
    if (raw.type === 'reasoning') return this.#closeThought(item, raw);
    if (raw.type === 'message') return this.#closeMessage(item, raw);
    const image = readImage(raw);
    if (image !== undefined) this.#emit({ type: 'image', ...image });
  }

  #closeCall(item: Item, index: number, raw: Loose): void {
    const whole = item.freeform ? raw.input : this.#wholeArguments(item, raw);
    const rest = restOf(item.reported, typeof whole === 'string' ? whole : '');
    const text = item.freeform ? JSON.stringify(rest).slice(1, -1) + inputClosing : rest;
    if (text !== '') this.#emit({ type: 'tool-call-delta', index, arguments: text });
  }

  /** Of a call without parameters some servers leave them out. */
  #wholeArguments({ reported }: Item, raw: Loose): string {
    const whole = argumentsToText(raw.arguments ?? '');
    const isEmpty = raw.status !== 'incomplete' && `${reported}${whole}`.trim() === '';
    return isEmpty ? '{}' : whole;
  }

  #closeThought(item: Item, raw: Loose): void {
    const id = textOf(raw.id) ?? item.id;
    const rest = restOf(item.reported, reasoningText(raw));
    if (rest !== '') this.#emitThought(item, rest, id);
    const signature = textOf(raw.encrypted_content);
    if (signature === undefined) return;
    if (item.reported === '')
      this.#emit({ type: 'reasoning-redacted', data: signature, origin, id });
    else this.#emit({ type: 'reasoning-signature', signature: signature, origin, id });
  }

  #closeMessage(item: Item, raw: Loose): void {
    if (item.reported !== '') return;
    for (const part of recordsOf(raw.content)) {
      const refusal = textOf(part.refusal);
      const text = textOf(part.text);
      if (refusal !== undefined) this.#emit({ type: 'refusal-delta', text: refusal });
      else if (text !== undefined) {
        const phase = phaseOf(raw);
        this.#emit({ type: 'text-delta', text, ...(phase && { phase }) });
        this.#emitSources(part);
        this.#textLength += characters(text);
      }
    }
  }

  #emitSources(part: Loose): void {
    for (const raw of listOf(part.annotations)) {
      const annotation = readAnnotation(raw, this.#textLength);
      if (annotation !== undefined) this.#emit({ type: 'annotation', annotation });
    }
  }

  /** The finished response: items without events, usage, the finish reason. */
  #whole(response: Loose): void {
    if (response.status === 'failed') return this.#read({ type: 'response.failed', response });
    this.#start(response);
    for (const [index, item] of recordsOf(response.output).entries()) {
      this.#close(item, this.#items.indexOfId(textOf(item.id)) ?? index);
    }
    this.#emitUsage(response);
    this.#finish(response);
  }

  #emitUsage(response: Loose | undefined): void {
    const usage = usageOfResponse(response);
    if (usage !== undefined) this.#emit({ type: 'usage', usage });
  }

  #closeFreeform(): void {
    for (const { call, freeform, done } of this.#items.all())
      if (call !== undefined && freeform && !done)
        this.#emit({ type: 'tool-call-delta', index: call, arguments: inputClosing });
  }

  #finish(response: Loose): void {
    this.#ended = true;
    this.#closeFreeform();
    this.#emit({ type: 'finish', ...readFinish(response, this.#calls > 0) });
  }
}

/**
 * The remainder of `whole` after what was emitted; nothing where the two differ, since emitted text
 * cannot be taken back.
 */
function restOf(reported: string, whole: string): string {
  return whole.startsWith(reported) ? whole.slice(reported.length) : '';
}
