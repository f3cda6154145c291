/**
 * Anthropic's events → canonical parts (docs/rules/providers.md#claude-streams). The JSON's `type`
 * decides, not `event:`.
 */
import type { Annotation, StreamPart } from '../../canonical/chat-reply.ts';
import { mergeAnthropicUsage, usageFromAnthropic } from '../../canonical/kit/anthropic-usage.ts';
import { withContainer } from '../../canonical/kit/containers.ts';
import { parseEventData } from '../../canonical/kit/event-data.ts';
import { errorFromBody } from '../../canonical/kit/failure.ts';
import { finishFromAnthropic } from '../../canonical/kit/finish-reasons.ts';
import { countOf, type Loose, recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import { characters } from '../../canonical/kit/text-places.ts';
import { callIdFor } from '../../canonical/kit/tool-calls.ts';
import { withCacheMiss, withDroppedThinking } from '../../canonical/kit/usage.ts';
import type { StreamDecoder, StreamEvent } from '../../canonical/pass-through.ts';
import { jsonToolName, readCitations } from './decode-chat.ts';

const origin = 'anthropic-messages';

interface Block {
  readonly kind: 'text' | 'thinking' | 'tool' | 'json' | 'other';
  /** Number of the call, for tools. */
  readonly number: number;
  /** Input the block opened with, the arguments if no fragment follows. */
  readonly input: string;
  fragments: number;
  /** Characters of the answer before it. */
  readonly from: number;
  /** Its citations, emitted when the block is complete: only then its end is known. */
  readonly citations: Annotation[];
}

export class MessageStreamDecoder implements StreamDecoder {
  readonly callsInTurn = true;
  readonly #jsonTool: boolean;
  readonly #blocks = new Map<number, Block>();
  #usage: Loose | undefined;
  #id = 'reply';
  #started = false;
  #produced = false;
  #failed = false;
  #stopped = false;
  #calls = 0;
  /** Characters of the answer so far. */
  #textLength = 0;
  #raw: string | null = null;
  #container: unknown;
  #stopSequence: string | null = null;

  /** `jsonTool`: the stand-in tool's input is the answer's text. */
  constructor(jsonTool: boolean) {
    this.#jsonTool = jsonTool;
  }

  get done(): boolean {
    return this.#stopped;
  }

  get ended(): number {
    return this.#raw === null ? 0 : 1;
  }

  push(event: StreamEvent): readonly StreamPart[] {
    const parts: StreamPart[] = [];
    if (this.#failed) return parts;
    for (const value of parseEventData(event.data)) {
      const data = recordOf(value);
      if (data !== undefined) this.#read(data, parts);
    }
    this.#produced ||= parts.some((part) => part.type !== 'start' && part.type !== 'usage');
    return parts;
  }

  end(): readonly StreamPart[] {
    if (this.#failed) return [];
    if (this.#raw === null && !this.#produced)
      return [{ type: 'error', error: { status: 502, code: 'empty_response' } }];
    const reason = finishFromAnthropic(this.#raw ?? '');
    const called = this.#calls > 0 && reason === 'stop';
    const answered = this.#jsonTool && reason === 'tool-calls' && this.#calls === 0;
    const parts: StreamPart[] = [];
    // Left open where the stream was cut.
    for (const block of this.#blocks.values()) this.#cite(block, parts);
    if (this.#raw === null && !this.#stopped) return parts;
    return [
      ...parts,
      {
        type: 'finish',
        reason: answered ? 'stop' : called ? 'tool-calls' : reason,
        raw: this.#raw,
        stopSequence: this.#stopSequence,
      },
    ];
  }

  #read(data: Loose, parts: StreamPart[]): void {
    switch (data.type) {
      case 'content_block_delta':
        this.#readDelta(data, parts);
        return;
      case 'content_block_start':
        this.#openBlock(countOf(data.index) ?? 0, recordOf(data.content_block) ?? {}, parts);
        return;
      case 'content_block_stop':
        this.#closeBlock(countOf(data.index) ?? 0, parts);
        return;
      case 'message_start':
        this.#readStart(recordOf(data.message) ?? {}, parts);
        return;
      case 'message_delta': {
        const delta = recordOf(data.delta) ?? {};
        this.#readStop(delta, parts);
        this.#addUsage(data.usage, parts);
        return;
      }
      case 'message_stop':
        this.#stopped = true;
        return;
      case 'message':
        this.#readStart(data, parts);
        return;
      case 'error':
        this.#failed = true;
        parts.push({ type: 'error', error: errorFromBody(data) });
        return;
      default:
        if (data.type === undefined && data.error !== undefined)
          this.#read({ ...data, type: 'error' }, parts);
    }
  }

  /** A proxy that restarts sends a second one: its usage counts, nothing else. */
  #readStart(message: Loose, parts: StreamPart[]): void {
    if (!this.#started) {
      this.#started = true;
      const id = textOf(message.id);
      this.#id = id ?? this.#id;
      parts.push({ type: 'start', id, model: textOf(message.model) });
      // Answers to programmatic tool calls come whole, with only `message_stop` after them.
      for (const [index, block] of recordsOf(message.content).entries()) {
        this.#openBlock(index, block, parts);
        this.#closeBlock(index, parts);
      }
      this.#readStop(message, parts);
    }
    // `message_start` counts the first output token before there is any output: of a stream that is
    // cut, only what arrived is owed.
    const usage = recordOf(message.usage);
    this.#addUsage(
      usage && this.#raw === null ? { ...usage, output_tokens: undefined } : usage,
      parts,
    );
    const dropped = withDroppedThinking(undefined, message.input_transformations);
    const said = withCacheMiss(dropped, message.diagnostics);
    if (said !== undefined) parts.push({ type: 'usage', usage: said });
  }

  #readStop(from: Loose, parts: StreamPart[]): void {
    this.#raw = textOf(from.stop_reason) ?? this.#raw;
    this.#container = from.container ?? this.#container;
    this.#stopSequence = textOf(from.stop_sequence) ?? this.#stopSequence;
    const explanation = textOf(recordOf(from.stop_details)?.explanation);
    if (from.stop_reason === 'refusal' && explanation !== undefined)
      parts.push({ type: 'refusal-delta', text: explanation });
  }

  #addUsage(raw: unknown, parts: StreamPart[]): void {
    if (recordOf(raw) === undefined) return;
    this.#usage = mergeAnthropicUsage(this.#usage, raw);
    const usage = withContainer(usageFromAnthropic(this.#usage), this.#container);
    if (usage !== undefined) parts.push({ type: 'usage', usage });
  }

  #openBlock(index: number, block: Loose, parts: StreamPart[]): void {
    const open = (kind: Block['kind'], number = 0, input = '') =>
      this.#blocks.set(index, {
        kind,
        number,
        input,
        fragments: 0,
        from: this.#textLength,
        citations: readCitations(block),
      });
    switch (block.type) {
      case 'text': {
        open('text');
        this.#emit(textOf(block.text), parts);
        return;
      }
      case 'thinking': {
        open('thinking');
        const text = textOf(block.thinking);
        if (text !== undefined) parts.push({ type: 'reasoning-delta', text });
        const signature = textOf(block.signature);
        if (signature !== undefined) parts.push({ type: 'reasoning-signature', signature, origin });
        return;
      }
      case 'redacted_thinking':
        open('other');
        parts.push({ type: 'reasoning-redacted', data: textOf(block.data) ?? '', origin });
        return;
      case 'tool_use': {
        const input = JSON.stringify(block.input ?? {});
        if (this.#jsonTool && block.name === jsonToolName) {
          open('json', 0, input);
          return;
        }
        const number = this.#calls++;
        open('tool', number, input);
        parts.push({
          type: 'tool-call-delta',
          index: number,
          id: textOf(block.id) ?? callIdFor(this.#id, number),
          name: textOf(block.name) ?? '',
          arguments: '',
        });
        return;
      }
      default:
        open('other');
    }
  }

  #readDelta(data: Loose, parts: StreamPart[]): void {
    const delta = recordOf(data.delta) ?? {};
    switch (delta.type) {
      case 'text_delta':
        this.#emit(textOf(delta.text), parts);
        return;
      case 'thinking_delta': {
        const text = textOf(delta.thinking);
        if (text !== undefined) parts.push({ type: 'reasoning-delta', text });
        return;
      }
      case 'signature_delta': {
        const signature = textOf(delta.signature);
        if (signature !== undefined) parts.push({ type: 'reasoning-signature', signature, origin });
        return;
      }
      case 'input_json_delta': {
        const block = this.#blocks.get(countOf(data.index) ?? 0);
        const fragment = textOf(delta.partial_json);
        if (block === undefined || fragment === undefined) return;
        block.fragments++;
        this.#pushArguments(block, fragment, parts);
        return;
      }
      case 'citations_delta':
        this.#blocks
          .get(countOf(data.index) ?? 0)
          ?.citations.push(...readCitations({ citations: [delta.citation] }));
        return;
    }
  }

  #emit(text: string | undefined, parts: StreamPart[]): void {
    if (text === undefined) return;
    this.#textLength += characters(text);
    parts.push({ type: 'text-delta', text });
  }

  #pushArguments(block: Block, text: string, parts: StreamPart[]): void {
    if (block.kind === 'tool')
      parts.push({ type: 'tool-call-delta', index: block.number, arguments: text });
    else if (block.kind === 'json') parts.push({ type: 'text-delta', text });
  }

  #closeBlock(index: number, parts: StreamPart[]): void {
    const block = this.#blocks.get(index);
    if (block === undefined) return;
    this.#blocks.delete(index);
    if (block.fragments === 0) this.#pushArguments(block, block.input, parts);
    this.#cite(block, parts);
  }

  #cite({ citations, from }: Block, parts: StreamPart[]): void {
    for (const citation of citations)
      parts.push({
        type: 'annotation',
        annotation: { ...citation, startIndex: from, endIndex: this.#textLength },
      });
  }
}
