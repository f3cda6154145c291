/**
 * Cohere's events → canonical parts; the JSON's `type` decides
 * (docs/rules/providers.md#cohere-replies).
 */
import type { StreamPart } from '../../canonical/chat-reply.ts';
import { parseEventData } from '../../canonical/kit/event-data.ts';
import { errorFromBody } from '../../canonical/kit/failure.ts';
import { type Loose, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import { callIdFor } from '../../canonical/kit/tool-calls.ts';
import type { StreamDecoder, StreamEvent } from '../../canonical/pass-through.ts';
import {
  brokenEnd,
  finishFromCohere,
  usageFromCohere,
} from '../../canonical/wires/cohere/words.ts';
import { argumentsOf } from './decode-chat.ts';

/** A call whose arguments are incomplete. */
interface OpenCall {
  readonly index: number;
  /** Fragments held back: they may turn out to be `null`, which means no arguments. */
  held: string;
  sent: boolean;
}

export class CohereStreamDecoder implements StreamDecoder {
  readonly callsInTurn = true;
  #id = 'reply';
  #calls = 0;
  #open: OpenCall | undefined;
  #raw: string | undefined;
  #produced = false;
  #failed = false;

  get ended(): number {
    return this.#raw === undefined ? 0 : 1;
  }

  push(event: StreamEvent): readonly StreamPart[] {
    const parts: StreamPart[] = [];
    for (const value of parseEventData(event.data)) {
      const data = recordOf(value);
      if (data !== undefined && !this.#failed) this.#read(data, parts);
    }
    this.#produced ||= parts.some((part) => part.type !== 'start' && part.type !== 'usage');
    return parts;
  }

  end(): readonly StreamPart[] {
    if (this.#failed) return [];
    if (!this.#produced && this.#raw === undefined)
      return [{ type: 'error', error: { status: 502, code: 'empty_response' } }];
    // Cut: an open call stays as it is.
    if (this.#raw === undefined) return [];
    const parts: StreamPart[] = [];
    this.#closeCall(parts);
    const reason = finishFromCohere(this.#raw);
    const called = this.#calls > 0 && reason === 'stop';
    return [...parts, { type: 'finish', reason: called ? 'tool-calls' : reason, raw: this.#raw }];
  }

  #read(data: Loose, parts: StreamPart[]): void {
    const delta = recordOf(data.delta) ?? {};
    const message = recordOf(delta.message) ?? {};
    switch (data.type) {
      case 'message-start': {
        const id = textOf(data.id);
        this.#id = id ?? this.#id;
        parts.push({ type: 'start', id });
        return;
      }
      case 'content-start':
      case 'content-delta':
        this.#readContent(recordOf(message.content) ?? {}, parts);
        return;
      case 'tool-plan-delta': {
        const text = textOf(message.tool_plan);
        if (text !== undefined) parts.push({ type: 'reasoning-delta', text });
        return;
      }
      case 'tool-call-start':
        this.#openCall(recordOf(message.tool_calls) ?? {}, parts);
        return;
      case 'tool-call-delta':
        this.#addArguments(
          textOf(recordOf(recordOf(message.tool_calls)?.function)?.arguments) ?? '',
          parts,
        );
        return;
      case 'tool-call-end':
        this.#closeCall(parts);
        return;
      case 'message-end':
        this.#readEnd(delta, parts);
        return;
      default:
        // Events that end or cite carry no output. Errors have no type.
        if (data.type === undefined || data.type === 'error')
          this.#fail({ type: 'error', error: errorFromBody(data) }, parts);
    }
  }

  #readContent(content: Loose, parts: StreamPart[]): void {
    const text = textOf(content.text);
    const thinking = textOf(content.thinking);
    if (thinking !== undefined) parts.push({ type: 'reasoning-delta', text: thinking });
    if (text !== undefined) parts.push({ type: 'text-delta', text });
  }

  #openCall(call: Loose, parts: StreamPart[]): void {
    this.#closeCall(parts);
    const target = recordOf(call.function);
    const index = this.#calls++;
    this.#open = { index, held: '', sent: false };
    const id = textOf(call.id) ?? callIdFor(this.#id, index);
    parts.push({
      type: 'tool-call-delta',
      index,
      id,
      name: textOf(target?.name) ?? '',
      arguments: '',
    });
    this.#addArguments(textOf(target?.arguments) ?? '', parts);
  }

  #addArguments(fragment: string, parts: StreamPart[]): void {
    const call = this.#open;
    if (call === undefined || fragment === '') return;
    call.held += fragment;
    if (!call.sent && 'null'.startsWith(call.held.trim())) return;
    parts.push({ type: 'tool-call-delta', index: call.index, arguments: call.held });
    call.held = '';
    call.sent = true;
  }

  #closeCall(parts: StreamPart[]): void {
    const call = this.#open;
    if (call === undefined) return;
    this.#open = undefined;
    if (!call.sent)
      parts.push({ type: 'tool-call-delta', index: call.index, arguments: argumentsOf(call.held) });
  }

  #readEnd(delta: Loose, parts: StreamPart[]): void {
    this.#closeCall(parts);
    const usage = usageFromCohere(delta.usage);
    if (usage !== undefined) parts.push({ type: 'usage', usage });
    this.#raw = textOf(delta.finish_reason) ?? 'COMPLETE';
    const broken = brokenEnd(this.#raw, delta.error);
    if (broken !== undefined) this.#fail({ type: 'error', error: broken }, parts);
  }

  #fail(part: StreamPart, parts: StreamPart[]): void {
    this.#failed = true;
    parts.push(part);
  }
}
