/**
 * Canonical parts → Anthropic's events (Anthropic API reference, Streaming messages): blocks
 * numbered from 0, each closed before the next opens, `message_delta` and `message_stop` exactly
 * once.
 */

import type { Annotation, FinishReason, StreamPart } from '../../../canonical/chat-reply.ts';
import { carrySignature, foreignSignature } from '../../../canonical/kit/foreign-signature.ts';
import { writeDataUri } from '../../../canonical/kit/media.ts';
import { mergeUsage } from '../../../canonical/kit/usage.ts';
import type { Usage } from '../../../canonical/usage.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import { anthropicFamily } from '../families/anthropic.ts';
import type { ReplyContext, StreamEncoder } from '../shared/chat-translation.ts';
import { effectiveFinish, prefixedId } from '../shared/reply-fields.ts';
import {
  writeAnthropicUsage,
  writeCallId,
  writeCitation,
  writeStopReason,
} from './write-fields.ts';

type BlockKind = 'thinking' | 'text' | 'tool';

function event(type: string, fields: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/** Gets calls one after another (shared/call-sequence.ts). */
export class MessageStreamEncoder implements StreamEncoder {
  readonly #context: ReplyContext;
  #givenId: string | undefined;
  #started = false;
  #block = -1;
  #open: BlockKind | undefined;
  /** Number of the newest call. */
  #call: number | undefined;
  #signed = false;
  /** Sources that came while no text was open. */
  readonly #sources: Annotation[] = [];
  /** The open text block has sources: further text begins another block. */
  #cited = false;
  #refused = false;
  #usage: Usage | undefined;
  #finish: Extract<StreamPart, { type: 'finish' }> | undefined;

  constructor(context: ReplyContext) {
    this.#context = context;
  }

  push(part: StreamPart): string {
    switch (part.type) {
      case 'start':
        this.#givenId ??= part.id;
        return '';
      case 'usage':
        this.#usage = mergeUsage(this.#usage, part.usage);
        return '';
      case 'finish':
        if ((part.choice ?? 0) === 0) this.#finish = part;
        return '';
      case 'error':
        return '';
    }
    // This format has one answer; further choices have no place in it.
    if ((part.choice ?? 0) !== 0) return '';
    switch (part.type) {
      case 'text-delta':
        return this.#text(part.text);
      case 'refusal-delta':
        this.#refused = true;
        return this.#text(part.text);
      case 'reasoning-delta':
        return part.text === ''
          ? ''
          : this.#think() + this.#delta(`"thinking_delta","thinking":${JSON.stringify(part.text)}`);
      case 'reasoning-signature':
        return this.#think() + this.#sign(this.#own(part, part.signature));
      case 'reasoning-redacted': {
        const data = this.#own({ ...part, redacted: part.data }, part.data);
        return (
          this.#start() + this.#close() + this.#wholeBlock({ type: 'redacted_thinking', data })
        );
      }
      case 'tool-call-delta':
        return this.#toolCall(part);
      case 'annotation':
        return this.#cite(part.annotation);
      case 'image':
        return this.#text(`![image](${writeDataUri(part.mediaType, part.data)})`);
      default:
        return '';
    }
  }

  end(usage?: Usage): string {
    const total = usage ?? this.#usage ?? {};
    const text = this.#start() + this.#close();
    const { reason, raw, stopSequence } = this.#finish ?? {
      reason: 'stop' as FinishReason,
      raw: null,
      stopSequence: null,
    };
    const stop = this.#refused
      ? 'refusal'
      : writeStopReason(effectiveFinish(reason, this.#call !== undefined), raw, stopSequence);
    const delta = { stop_reason: stop, stop_sequence: stopSequence ?? null };
    return (
      text +
      event('message_delta', { delta, usage: writeAnthropicUsage(total) }) +
      event('message_stop', {})
    );
  }

  fail(error: Parameters<StreamEncoder['fail']>[0]): string {
    return anthropicFamily.errorEvent(error);
  }

  #start(): string {
    if (this.#started) return '';
    this.#started = true;
    const usage =
      mergeUsage({ promptTokens: this.#context.estimatedPromptTokens ?? 0 }, this.#usage) ?? {};
    const message: JsonValue = {
      id: prefixedId('msg_', this.#givenId, this.#context),
      type: 'message',
      role: 'assistant',
      model: this.#context.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...writeAnthropicUsage(usage), output_tokens: usage.completionTokens ?? 0 },
    };
    return event('message_start', { message });
  }

  /** Makes a block of this kind the open one. */
  #enter(kind: 'thinking' | 'text'): string {
    if (this.#open === kind) return '';
    const empty: JsonObject =
      kind === 'text'
        ? { type: 'text', text: '' }
        : { type: 'thinking', thinking: '', signature: '' };
    const text = this.#start() + this.#close() + this.#openBlock(empty);
    this.#open = kind;
    this.#signed = false;
    this.#cited = false;
    return text;
  }

  /** A block of thinking that is signed is complete: what comes then is another one. */
  #think(): string {
    const before = this.#open === 'thinking' && this.#signed ? this.#close() : '';
    return before + this.#enter('thinking');
  }

  #text(text: string): string {
    if (text === '') return '';
    const before = this.#cited ? this.#close() : '';
    const written =
      before + this.#enter('text') + this.#delta(`"text_delta","text":${JSON.stringify(text)}`);
    if (this.#sources.length === 0) return written;
    const waiting = this.#sources.splice(0).map((source) => this.#source(source));
    return written + waiting.join('');
  }

  /**
   * Sources belong to the text they follow, else to the next one. After the last text there is no
   * place for them.
   */
  #cite(source: Annotation): string {
    this.#cited = this.#open === 'text';
    if (this.#cited) return this.#source(source);
    this.#sources.push(source);
    return '';
  }

  #source(source: Annotation): string {
    return this.#delta(`"citations_delta","citation":${JSON.stringify(writeCitation(source))}`);
  }

  #own(signed: Parameters<typeof carrySignature>[0], own: string): string {
    return signed.origin === 'anthropic-messages' ? own : carrySignature(signed);
  }

  #sign(signature: string): string {
    this.#signed = true;
    return this.#delta(`"signature_delta","signature":${JSON.stringify(signature)}`);
  }

  #delta(fields: string): string {
    return `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#block},"delta":{"type":${fields}}}\n\n`;
  }

  #openBlock(block: JsonObject): string {
    this.#block++;
    return event('content_block_start', { index: this.#block, content_block: block });
  }

  #wholeBlock(block: JsonObject): string {
    return this.#openBlock(block) + event('content_block_stop', { index: this.#block });
  }

  /**
   * Thinking without a signature of its provider gets ours, so that it is recognised when it comes
   * back.
   */
  #close(): string {
    if (this.#open === undefined) return '';
    const signature =
      this.#open === 'thinking' && !this.#signed ? this.#sign(foreignSignature) : '';
    this.#open = undefined;
    return signature + event('content_block_stop', { index: this.#block });
  }

  #toolCall({
    index,
    id,
    name,
    arguments: json,
  }: Extract<StreamPart, { type: 'tool-call-delta' }>): string {
    const write = () =>
      json === '' ? '' : this.#delta(`"input_json_delta","partial_json":${JSON.stringify(json)}`);
    if (this.#open === 'tool' && this.#call === index) return write();
    if (name === undefined) return '';
    const block = {
      type: 'tool_use',
      id: writeCallId(id ?? `toolu_${this.#context.id}_${index}`),
      name,
      input: {},
    };
    const opened = this.#start() + this.#close() + this.#openBlock(block);
    this.#open = 'tool';
    this.#call = index;
    return opened + write();
  }
}
