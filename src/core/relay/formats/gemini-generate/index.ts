/** Gemini's generateContent as a client format (spec, providers-international 4.7, 4.8; agent-clients 1.7, 2.3). */

import type { Annotation, AssistantPart, ChatChoice, FinishReason, StreamPart, Usage } from '../../../canonical/chat.ts';
import { audioMediaType } from '../../../canonical/kit/media.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import { argumentsToObject } from '../../../canonical/kit/tool-calls.ts';
import { mergeUsage } from '../../../canonical/kit/usage.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import { type ChatWireFormat, eventStream, type ReplyContext, type StreamEncoder } from '../shared/conversation-format.ts';
import { errorBody } from '../shared/error-body.ts';
import { writeGrounding } from './grounding.ts';
import { readGenerateRequest } from './request.ts';

const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
};

/** Candidates without thoughts, which stand beside them. */
export function writeGeminiUsage(usage: Usage): JsonObject {
  const prompt = usage.promptTokens ?? 0;
  const completion = usage.completionTokens ?? 0;
  const thoughts = usage.reasoningTokens;
  return compact({
    promptTokenCount: prompt,
    cachedContentTokenCount: usage.cachedTokens,
    candidatesTokenCount: Math.max(0, completion - (thoughts ?? 0)),
    thoughtsTokenCount: thoughts,
    totalTokenCount: prompt + completion,
  });
}

function callPart(call: {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly signature?: string;
}): JsonObject {
  const functionCall = { id: call.id, name: call.name, args: argumentsToObject(call.arguments) };
  return compact({ functionCall, thoughtSignature: call.signature });
}

function inlinePart(mediaType: string, data: string): JsonObject {
  return { inlineData: { mimeType: mediaType, data } };
}

function writePart(part: AssistantPart): JsonObject[] {
  switch (part.type) {
    case 'text':
      return textPart(part.text, part.signature);
    case 'refusal':
      return textPart(part.text);
    case 'reasoning':
      return part.text === '' ? [] : [{ text: part.text, thought: true }];
    case 'tool-call':
      return [callPart(part)];
    case 'image':
      return part.data === undefined ? [] : [inlinePart(part.mediaType ?? 'image/png', part.data)];
    case 'audio':
      return part.data === '' ? [] : [inlinePart(audioMediaType(part.format), part.data)];
  }
}

function textPart(text: string, signature?: string): JsonObject[] {
  return text === '' && signature === undefined ? [] : [compact({ text, thoughtSignature: signature })];
}

/** Texts that follow each other are one part, up to a signature; in it their sources have their place. */
function writeParts(content: readonly AssistantPart[]): JsonObject[] {
  const parts: JsonObject[] = [];
  for (const part of content.flatMap(writePart)) {
    const last = parts.at(-1);
    const goesOn = last !== undefined && isWords(last) && last.thoughtSignature === undefined && isWords(part);
    if (goesOn) parts[parts.length - 1] = { ...part, text: `${last.text}${part.text}` };
    else parts.push(part);
  }
  return parts;
}

function isWords(part: JsonObject): part is { readonly text: string; readonly thoughtSignature?: JsonValue } {
  return typeof part.text === 'string' && part.thought !== true;
}

interface CandidateState {
  readonly calls: Map<number, { id: string; name: string; arguments: string; signature?: string }>;
  finish: FinishReason;
  text: string;
  readonly sources: Annotation[];
}

/** How a stream is put around its objects: SSE, or the JSON array of callers that did not write `alt=sse`. */
interface Frame {
  readonly first: string;
  readonly before: string;
  readonly after: string;
  readonly close: string;
}
const sseFrame: Frame = { first: 'data: ', before: 'data: ', after: '\n\n', close: '' };
const arrayFrame: Frame = { first: '[', before: ',\r\n', after: '', close: ']' };

class GenerateStreamEncoder implements StreamEncoder {
  readonly #context: ReplyContext;
  readonly #frame: Frame;
  readonly #candidates = new Map<number, CandidateState>();
  #written = false;
  #responseId: string;
  #usage: Usage | undefined;

  constructor(context: ReplyContext, frame: Frame) {
    this.#context = context;
    this.#frame = frame;
    this.#responseId = context.id;
  }

  push(part: StreamPart): string {
    switch (part.type) {
      case 'start':
        if (!this.#written) this.#responseId = part.id ?? this.#responseId;
        return '';
      case 'text-delta':
      case 'refusal-delta':
        this.#state(part.choice ?? 0).text += part.text;
        return this.#words(part);
      case 'annotation':
        this.#state(part.choice ?? 0).sources.push(part.annotation);
        return '';
      case 'reasoning-delta':
        return part.text === '' ? '' : this.#candidate(part.choice, { text: part.text, thought: true });
      case 'image':
        return this.#candidate(part.choice, inlinePart(part.mediaType, part.data));
      case 'audio':
        return part.data === '' ? '' : this.#candidate(part.choice, inlinePart(audioMediaType(part.format), part.data));
      case 'tool-call-delta':
        this.#holdCall(part);
        return '';
      case 'usage':
        this.#usage = mergeUsage(this.#usage, part.usage);
        return '';
      case 'finish':
        this.#state(part.choice ?? 0).finish = part.reason;
        return '';
      default:
        return '';
    }
  }

  /** One last object: calls, which this format never gives in pieces, why each candidate ended, its sources, and usage. */
  end(usage?: Usage): string {
    if (this.#candidates.size === 0) this.#state(0);
    const candidates = [...this.#candidates].map(([index, { calls, finish, text, sources }]) => {
      const parts = [...calls].sort(([a], [b]) => a - b).map(([, call]) => callPart(call));
      return compact({
        index,
        content: { role: 'model', parts: parts.length > 0 ? parts : [{ text: '' }] },
        finishReason: finishReasons[finish],
        groundingMetadata: writeGrounding(sources, [text]),
      });
    });
    const text = this.#object({ candidates, usageMetadata: writeGeminiUsage(usage ?? this.#usage ?? {}) });
    return text + this.#frame.close;
  }

  fail(error: Parameters<StreamEncoder['fail']>[0]): string {
    return this.#framed(JSON.stringify(errorBody('gemini', error))) + this.#frame.close;
  }

  #state(index: number): CandidateState {
    let state = this.#candidates.get(index);
    if (state === undefined) {
      state = { calls: new Map(), finish: 'stop', text: '', sources: [] };
      this.#candidates.set(index, state);
    }
    return state;
  }

  #holdCall(part: Extract<StreamPart, { type: 'tool-call-delta' }>): void {
    const { calls } = this.#state(part.choice ?? 0);
    const known = calls.get(part.index);
    if (known !== undefined) known.arguments += part.arguments;
    else if (part.name !== undefined) {
      const id = part.id ?? `call_${this.#context.id}_${part.index}`;
      calls.set(part.index, { id, name: part.name, arguments: part.arguments, signature: part.signature });
    }
  }

  #words(part: Extract<StreamPart, { type: 'text-delta' | 'refusal-delta' }>): string {
    const signature = part.type === 'text-delta' ? part.signature : undefined;
    const [words] = textPart(part.text, signature);
    return words === undefined ? '' : this.#candidate(part.choice, words);
  }

  #candidate(choice: number | undefined, part: JsonObject): string {
    const index = choice ?? 0;
    this.#state(index);
    return this.#object({ candidates: [{ index, content: { role: 'model', parts: [part] } }] });
  }

  #object(fields: JsonObject): string {
    return this.#framed(JSON.stringify({ ...fields, modelVersion: this.#context.model, responseId: this.#responseId }));
  }

  #framed(json: string): string {
    const head = this.#written ? this.#frame.before : this.#frame.first;
    this.#written = true;
    return head + json + this.#frame.after;
  }
}

function writeCandidate({ index, content, finish, annotations = [] }: ChatChoice): JsonObject {
  const parts = writeParts(content);
  const texts = parts.map((part) => (isWords(part) ? part.text : undefined));
  return compact({
    index,
    content: { role: 'model', parts },
    finishReason: finishReasons[finish],
    safetyRatings: [],
    groundingMetadata: writeGrounding(annotations, texts),
  });
}

function writeReply(reply: Parameters<ChatWireFormat['writeReply']>[0], context: ReplyContext): JsonValue {
  return {
    candidates: reply.choices.map(writeCandidate),
    usageMetadata: writeGeminiUsage(reply.usage ?? {}),
    modelVersion: context.model,
    responseId: reply.id ?? context.id,
  };
}

/** A comment or `[DONE]` breaks Google's client; a bare newline does not. */
const keepAlive = '\n';

/** Streams as SSE, for callers that write `alt=sse`. */
export const geminiGenerate: ChatWireFormat = {
  format: 'gemini-generate',
  readRequest: readGenerateRequest,
  writeReply,
  streamContentType: eventStream,
  createStreamEncoder: (context) => new GenerateStreamEncoder(context, sseFrame),
  keepAlive,
};

/** Streams as one JSON array, for callers that do not. */
export const geminiGenerateArray: ChatWireFormat = {
  ...geminiGenerate,
  streamContentType: 'application/json',
  createStreamEncoder: (context) => new GenerateStreamEncoder(context, arrayFrame),
};
