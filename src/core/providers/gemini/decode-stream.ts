/** A streamGenerateContent answer → canonical parts (docs/rules/providers.md#gemini-replies). */

import type { StreamPart } from '../../canonical/chat-reply.ts';
import { parseEventData } from '../../canonical/kit/event-data.ts';
import { finishFromGemini } from '../../canonical/kit/finish-reasons.ts';
import { usageFromGemini } from '../../canonical/kit/gemini-usage.ts';
import { groundingCalls, withToolCalls } from '../../canonical/kit/hosted-tools.ts';
import { audioFormat } from '../../canonical/kit/media.ts';
import { countOf, type Loose, recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import { callIdFor } from '../../canonical/kit/tool-calls.ts';
import { addUsage, mergeUsage } from '../../canonical/kit/usage.ts';
import type { StreamDecoder, StreamEvent } from '../../canonical/pass-through.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { JsonObject } from '../../kernel/json.ts';
import {
  answerText,
  blockedPrompt,
  blockReason,
  brokenFinish,
  candidateLogprobs,
  geminiError,
  isBrokenFinish,
  partMedia,
  partText,
  refusalOf,
  usageOfImages,
} from './decode-parts.ts';
import { groundingAnnotations } from './grounding.ts';
import { PartialArguments } from './partial-arguments.ts';

/** Replies of one answer at most: a server that never ends is left. */
const mostReplies = 64;
/** The finish reason of an answer that goes on in a reply of its own. */
const continued = 'CONTINUATION';

type TextDelta = Extract<StreamPart, { type: 'text-delta' }>;

interface CandidateState {
  calls: number;
  /** A call whose arguments are incomplete. */
  pending: { readonly index: number; readonly arguments: PartialArguments } | undefined;
  raw: string | null;
  /** What the request needs to go on with the answer. */
  token: string | undefined;
  produced: boolean;
  last: Loose;
  text: string;
  /** Metadata about sources, read at the end: positions refer to the whole text. */
  readonly grounding: unknown[];
}

export class GenerateStreamDecoder implements StreamDecoder {
  readonly callsInTurn = true;
  readonly #candidates = new Map<number, CandidateState>();
  #replyId: string;
  #started = false;
  #failed = false;
  #counted = false;
  #images = 0;
  readonly #limit: number;
  #replies = 1;
  /** A reply of the answer was requested and has not begun: the reason of the last one stands. */
  #goesOn = false;
  /** Usage of this reply, and of the answer's replies before it. */
  #usage: Usage | undefined;
  #earlier: Usage | undefined;

  /**
   * `fallbackId` names calls where Google gives neither an id of the reply nor of the call; `limit`:
   * tokens after which no further reply of the answer is requested.
   */
  constructor(fallbackId: string, limit = Number.POSITIVE_INFINITY) {
    this.#replyId = fallbackId;
    this.#limit = limit;
  }

  /**
   * A long answer ends with `CONTINUATION` and a token
   * (docs/rules/providers.md#gemini-continuation).
   */
  continuation(): JsonObject | undefined {
    const [state, ...others] = this.#candidates.values();
    if (state?.raw !== continued || state.token === undefined) return undefined;
    const usage = addUsage(this.#earlier, this.#usage ?? {});
    const isOver =
      this.#failed ||
      others.length > 0 ||
      this.#replies === mostReplies ||
      (usage.completionTokens ?? 0) >= this.#limit;
    if (isOver) return undefined;
    const { token } = state;
    state.token = undefined;
    this.#goesOn = true;
    this.#replies += 1;
    this.#earlier = usage;
    this.#usage = undefined;
    return { continuationToken: token };
  }

  /** An answer that goes on in a further reply has not ended. */
  get ended(): number {
    for (const { raw } of this.#candidates.values())
      if (raw === null || raw === continued) return 0;
    return this.#candidates.size;
  }

  push(event: StreamEvent): readonly StreamPart[] {
    const parts: StreamPart[] = [];
    for (const value of parseEventData(event.data)) {
      for (const chunk of recordsOf(Array.isArray(value) ? value : [value]))
        this.#readChunk(chunk, parts);
    }
    return parts;
  }

  end(): readonly StreamPart[] {
    if (this.#failed) return [];
    const parts: StreamPart[] = [];
    const usage = this.#counted ? undefined : usageOfImages(this.#images);
    if (usage !== undefined) parts.push({ type: 'usage', usage });
    let usable = false;
    let complete = true;
    let broken: Loose | undefined;
    for (const [choice, state] of this.#candidates) {
      this.#closeCall(choice, state, parts);
      for (const annotation of groundingAnnotations(state.grounding, [state.text])) {
        parts.push({ type: 'annotation', annotation, choice });
      }
      complete &&= state.raw !== null;
      const reason = finishFromGemini(state.raw ?? 'STOP');
      if (!state.produced && isBrokenFinish(state.raw ?? undefined)) broken = state.last;
      else usable ||= state.produced || state.raw !== null;
      parts.push({
        type: 'finish',
        reason: state.calls > 0 && reason === 'stop' ? 'tool-calls' : reason,
        raw: state.raw,
        choice,
      });
    }
    if (usable) return complete ? parts : parts.filter((part) => part.type !== 'finish');
    return [
      {
        type: 'error',
        error:
          broken === undefined ? { status: 502, code: 'empty_response' } : brokenFinish(broken),
      },
    ];
  }

  #readChunk(chunk: Loose, parts: StreamPart[]): void {
    if (this.#failed) return;
    if (chunk.error) {
      this.#fail({ type: 'error', error: geminiError(chunk) }, parts);
      return;
    }
    if (!this.#started) {
      this.#started = true;
      const id = textOf(chunk.responseId);
      this.#replyId = id ?? this.#replyId;
      parts.push({ type: 'start', id, model: textOf(chunk.modelVersion) });
    }
    const candidates = recordsOf(chunk.candidates);
    for (const [position, candidate] of candidates.entries())
      this.#readCandidate(candidate, position, parts);
    const counted = usageFromGemini(chunk.usageMetadata);
    this.#counted ||= counted !== undefined;
    const usage = withToolCalls(counted, groundingCalls(candidates));
    if (usage !== undefined) {
      this.#usage = mergeUsage(this.#usage, usage) ?? usage;
      parts.push({ type: 'usage', usage: addUsage(this.#earlier, this.#usage) });
    }
    const reason = blockReason(chunk);
    if (candidates.length === 0 && reason !== undefined && this.#candidates.size === 0) {
      this.#fail({ type: 'error', error: blockedPrompt(reason) }, parts);
    }
  }

  #fail(part: StreamPart, parts: StreamPart[]): void {
    this.#failed = true;
    parts.push(part);
  }

  #readCandidate(candidate: Loose, position: number, parts: StreamPart[]): void {
    const choice = countOf(candidate.index) ?? position;
    let state = this.#candidates.get(choice);
    if (state === undefined) {
      state = {
        calls: 0,
        pending: undefined,
        raw: null,
        token: undefined,
        produced: false,
        last: candidate,
        text: '',
        grounding: [],
      };
      this.#candidates.set(choice, state);
    }
    state.last = candidate;
    if (this.#goesOn) state.raw = null;
    this.#goesOn = false;
    const before = parts.length;
    for (const part of recordsOf(recordOf(candidate.content)?.parts))
      this.#readPart(part, choice, state, parts);
    emitLogprobs(candidateLogprobs(candidate), parts, before);
    if (candidate.groundingMetadata) state.grounding.push(candidate.groundingMetadata);
    state.raw = textOf(candidate.finishReason) ?? state.raw;
    state.token = textOf(candidate.continuationToken) ?? state.token;
    if (state.raw !== null && state.raw !== continued) this.#closeCall(choice, state, parts);
    state.produced ||= parts.length > before;
    const refusal = refusalOf(candidate);
    if (refusal !== undefined) parts.push({ type: 'refusal-delta', text: refusal, choice });
  }

  #readPart(part: Loose, choice: number, state: CandidateState, parts: StreamPart[]): void {
    const call = recordOf(part.functionCall);
    if (call !== undefined) {
      this.#readCall(call, textOf(part.thoughtSignature), choice, state, parts);
      return;
    }
    const text = partText(part);
    state.text += answerText(part);
    const media = partMedia(part);
    if (text === undefined && media === undefined) {
      // A text's signature comes after it. Without a text it signs nothing.
      const signature =
        part.thought === true || state.text === '' ? undefined : textOf(part.thoughtSignature);
      if (signature !== undefined) parts.push({ type: 'text-delta', text: '', signature, choice });
      return;
    }
    this.#closeCall(choice, state, parts);
    if (media?.mediaType.startsWith('image/')) {
      this.#images++;
      parts.push({ type: 'image', ...media, choice });
    } else if (media !== undefined) {
      parts.push({ type: 'audio', data: media.data, format: audioFormat(media.mediaType), choice });
    }
    if (text === undefined) return;
    if (part.thought === true) parts.push({ type: 'reasoning-delta', text, choice });
    else parts.push(signText({ type: 'text-delta', text, choice }, textOf(part.thoughtSignature)));
  }

  /**
   * Usually a whole call in one part. Vertex may open it with `willContinue`, add pieces, and end
   * it with an empty one.
   */
  #readCall(
    call: Loose,
    signature: string | undefined,
    choice: number,
    state: CandidateState,
    parts: StreamPart[],
  ): void {
    const name = textOf(call.name);
    if (name !== undefined) {
      this.#closeCall(choice, state, parts);
      const index = state.calls++;
      const id = textOf(call.id) ?? callIdFor(`${this.#replyId}${choice || ''}`, index);
      const continues =
        call.willContinue === true || (call.partialArgs !== undefined && call.args === undefined);
      const text = continues ? '' : JSON.stringify(call.args ?? {});
      const part = { type: 'tool-call-delta', index, id, name, arguments: text, choice } as const;
      parts.push(signature === undefined ? part : { ...part, signature });
      if (continues) state.pending = { index, arguments: new PartialArguments() };
    }
    state.pending?.arguments.add(call.partialArgs);
    if (call.willContinue !== true) this.#closeCall(choice, state, parts);
  }

  #closeCall(choice: number, state: CandidateState, parts: StreamPart[]): void {
    if (state.pending === undefined) return;
    parts.push({
      type: 'tool-call-delta',
      index: state.pending.index,
      arguments: state.pending.arguments.text,
      choice,
    });
    state.pending = undefined;
  }
}

function signText(part: TextDelta, signature: string | undefined): TextDelta {
  return signature === undefined ? part : { ...part, signature };
}

/** They are reported per chunk; the chunk's first text carries them. */
function emitLogprobs(logprobs: JsonObject | undefined, parts: StreamPart[], from: number): void {
  if (logprobs === undefined) return;
  let at = from;
  while (at < parts.length && parts[at]?.type !== 'text-delta') at += 1;
  const text = parts[at];
  if (text?.type === 'text-delta') parts[at] = { ...text, logprobs };
}
