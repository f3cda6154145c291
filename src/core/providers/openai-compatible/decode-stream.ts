/**
 * A chat completion stream → canonical parts. Takes what servers really send: reasoning under two
 * names, usage anywhere, calls without index or with repeated names, roles on each delta, no
 * `[DONE]` (docs/rules/providers.md#openai-lookalikes).
 */

import type { Annotation, ProviderError, StreamPart } from '../../canonical/chat-reply.ts';
import { append } from '../../canonical/kit/append.ts';
import { parseEventData } from '../../canonical/kit/event-data.ts';
import {
  finishFromOpenAi,
  isBreakdown,
  isFailureFinish,
} from '../../canonical/kit/finish-reasons.ts';
import { countOf, type Loose, recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import { StreamTier } from '../../canonical/kit/stream-tier.ts';
import { withTier, withTimings } from '../../canonical/kit/usage.ts';
import type { StreamDecoder, StreamEvent } from '../../canonical/pass-through.ts';
import type { Usage } from '../../canonical/usage.ts';
import { readSignatures } from '../../canonical/wires/openai/reasoning-details.ts';
import type { JsonValue } from '../../kernel/json.ts';
import {
  readAnnotations,
  readAudio,
  readCitations,
  readContent,
  readImages,
  readReasoning,
  readSignature,
} from './decode-chat.ts';
import { ToolCallStream } from './tool-call-stream.ts';

interface ChoiceState {
  readonly calls: ToolCallStream;
  raw: string | null;
  produced: boolean;
}

/** Some gateways send no `error` but its message alone (SiliconFlow: `{code, message, data}`). */
function isError(chunk: Loose): boolean {
  return (
    Boolean(chunk.error) || (chunk.choices === undefined && textOf(chunk.message) !== undefined)
  );
}

function brokenBy(raw: string | null): StreamPart {
  return { type: 'error', error: { status: isBreakdown(raw) ? 503 : 502, code: raw ?? undefined } };
}

export class ChatStreamDecoder implements StreamDecoder {
  readonly #readUsage: (raw: unknown) => Usage | undefined;
  readonly #readError: (raw: unknown) => ProviderError;
  readonly #choices = new Map<number, ChoiceState>();
  /** By address: some servers repeat them in each chunk. */
  readonly #citations = new Map<string, Annotation>();
  readonly #tier = new StreamTier();
  #started = false;
  #failed = false;
  #done = false;
  #id = 'reply';

  constructor(
    readUsage: (raw: unknown) => Usage | undefined,
    readError: (raw: unknown) => ProviderError,
  ) {
    this.#readUsage = readUsage;
    this.#readError = readError;
  }

  get done(): boolean {
    return this.#done;
  }

  get ended(): number {
    for (const { raw } of this.#choices.values()) if (raw === null) return 0;
    return this.#choices.size;
  }

  push(event: StreamEvent): readonly StreamPart[] {
    if (event.data.trim() === '[DONE]') {
      this.#done = true;
      return [];
    }
    const parts: StreamPart[] = [];
    for (const value of parseEventData(event.data)) append(parts, this.pushValue(value));
    return parts;
  }

  /** A chunk that is parsed already, or was put into this shape. */
  pushValue(value: unknown): readonly StreamPart[] {
    const parts: StreamPart[] = [];
    // A failure of some gateways arrives as a list of one.
    const chunk = recordOf(Array.isArray(value) ? value[0] : value);
    if (chunk !== undefined) this.#readChunk(chunk, parts);
    return parts;
  }

  end(): readonly StreamPart[] {
    if (this.#failed) return [];
    const parts: StreamPart[] = [];
    let usable = false;
    let complete = true;
    for (const [choice, state] of this.#choices) {
      // Half an answer must not pass for a whole one.
      if (isBreakdown(state.raw) || isFailureFinish(state.raw)) return [brokenBy(state.raw)];
      usable ||= state.produced || state.raw !== null;
      complete &&= state.raw !== null || this.#done;
      const reason = finishFromOpenAi(state.raw ?? 'stop');
      const called = state.calls.count > 0 && reason === 'stop';
      // Of a call without parameters some servers leave the arguments out.
      if (reason !== 'length')
        for (const index of state.calls.empty)
          parts.push({ type: 'tool-call-delta', index, arguments: '{}', choice });
      parts.push({
        type: 'finish',
        reason: called ? 'tool-calls' : reason,
        raw: state.raw,
        choice,
      });
    }
    if (!usable) return [{ type: 'error', error: { status: 502, code: 'empty_response' } }];
    const citations = Array.from(
      this.#citations.values(),
      (annotation) => ({ type: 'annotation', annotation }) as const,
    );
    return complete ? [...citations, ...parts] : citations;
  }

  #readChunk(chunk: Loose, parts: StreamPart[]): void {
    if (this.#failed) return;
    if (isError(chunk)) {
      this.#failed = true;
      this.#readUsageOf(chunk, parts);
      parts.push({ type: 'error', error: this.#readError(chunk) });
      return;
    }
    const choices = recordsOf(chunk.choices);
    if (!this.#started && (choices.length > 0 || textOf(chunk.id) !== undefined)) {
      this.#started = true;
      const id = textOf(chunk.id);
      this.#id = id ?? this.#id;
      parts.push({ type: 'start', id, model: textOf(chunk.model) });
    }
    const tier = this.#tier.read(chunk.service_tier);
    if (tier !== undefined) parts.push({ type: 'usage', usage: tier });
    for (const [position, choice] of choices.entries()) this.#readChoice(choice, position, parts);
    if (chunk.citations || chunk.search_results || chunk.web_search)
      for (const citation of readCitations(chunk)) this.#citations.set(citation.url, citation);
    this.#readUsageOf(chunk, parts);
  }

  #readUsageOf(chunk: Loose, parts: StreamPart[]): void {
    // Older servers of Moonshot report it in the last choice.
    const reported = chunk.usage || recordsOf(chunk.choices)[0]?.usage;
    const usage = reported
      ? withTier(withTimings(this.#readUsage(reported), chunk.timings), chunk.service_tier)
      : undefined;
    if (usage !== undefined) parts.push({ type: 'usage', usage });
  }

  #readChoice(choice: Loose, position: number, parts: StreamPart[]): void {
    const index = countOf(choice.index) ?? position;
    let state = this.#choices.get(index);
    if (state === undefined) {
      state = { calls: new ToolCallStream(this.#id), raw: null, produced: false };
      this.#choices.set(index, state);
    }
    const before = parts.length;
    const delta = recordOf(choice.delta) ?? recordOf(choice.message);
    if (delta !== undefined) this.#readDelta(delta, choice, index, state, parts);
    else if (typeof choice.text === 'string' && choice.text !== '')
      parts.push({ type: 'text-delta', text: choice.text, choice: index });
    if (parts.length > before || state.calls.count > 0) state.produced = true;
    state.raw = textOf(choice.finish_reason) ?? state.raw;
  }

  #readDelta(
    delta: Loose,
    choice: Loose,
    index: number,
    state: ChoiceState,
    parts: StreamPart[],
  ): void {
    const reasoning = readReasoning(delta);
    if (reasoning !== undefined)
      parts.push({ type: 'reasoning-delta', text: reasoning, choice: index });
    if (delta.reasoning_details) append(parts, readSignatures(delta, index));
    const { text, thinking } = readContent(delta.content);
    if (thinking !== '' && reasoning === undefined)
      parts.push({ type: 'reasoning-delta', text: thinking, choice: index });
    const signature = delta.extra_content ? readSignature(delta) : undefined;
    if (text !== '' || signature !== undefined) {
      const part: StreamPart = { type: 'text-delta', text, choice: index };
      const logprobs = choice.logprobs ? { logprobs: choice.logprobs as JsonValue } : undefined;
      parts.push(
        logprobs || signature ? { ...part, ...logprobs, ...(signature && { signature }) } : part,
      );
    }
    const refusal = textOf(delta.refusal);
    if (refusal !== undefined) parts.push({ type: 'refusal-delta', text: refusal, choice: index });
    if (delta.images)
      for (const image of readImages(delta)) parts.push({ type: 'image', ...image, choice: index });
    if (delta.audio)
      for (const piece of readAudio(delta, 'pcm16')) parts.push({ ...piece, choice: index });
    if (delta.tool_calls)
      for (const call of recordsOf(delta.tool_calls)) state.calls.push(call, parts, index);
    else if (recordOf(delta.function_call) !== undefined)
      state.calls.push({ index: 0, function: delta.function_call }, parts, index);
    if (delta.annotations) {
      for (const annotation of readAnnotations(delta))
        parts.push({ type: 'annotation', annotation, choice: index });
    }
  }
}
