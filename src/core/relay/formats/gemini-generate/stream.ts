import type { Annotation, FinishReason, StreamPart } from '../../../canonical/chat-reply.ts';
import { audioMediaType } from '../../../canonical/kit/media.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import { mergeUsage } from '../../../canonical/kit/usage.ts';
import type { Usage } from '../../../canonical/usage.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { WireError } from '../families/api-family.ts';
import { geminiFamily } from '../families/gemini.ts';
import type { ReplyContext, StreamEncoder } from '../shared/chat-translation.ts';
import { writeGrounding } from './grounding.ts';
import {
  callPart,
  inlinePart,
  textPart,
  thoughtPart,
  writeFinish,
  writeGeminiUsage,
} from './reply.ts';

interface PendingCall {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  arguments: string;
  readonly signature?: string;
}

interface CandidateState {
  /**
   * The newest call, which is written when it is known to be whole: this format gives no call in
   * pieces.
   */
  call: PendingCall | undefined;
  finish: FinishReason;
  text: string;
  refusal: string;
  readonly sources: Annotation[];
}

/**
 * How a stream is put around its objects: SSE, or the JSON array of callers that did not write
 * `alt=sse`.
 */
interface Frame {
  readonly first: string;
  readonly before: string;
  readonly after: string;
  readonly close: string;
  /** The error with which a stream ends. `written`: it has begun. */
  error(error: WireError, written: boolean): string;
}
export const sseFrame: Frame = {
  first: 'data: ',
  before: 'data: ',
  after: '\n\n',
  close: '',
  error: geminiFamily.errorEvent,
};
export const arrayFrame: Frame = {
  first: '[',
  before: ',\r\n',
  after: '',
  close: ']',
  error: (error, written) =>
    `${written ? ',\r\n' : '['}${JSON.stringify(geminiFamily.errorBody(error))}]`,
};

/** Gets calls one after another (shared/call-sequence.ts). */
export class GenerateStreamEncoder implements StreamEncoder {
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
        this.#state(part.choice ?? 0).text += part.text;
        return this.#words(part);
      case 'refusal-delta':
        this.#state(part.choice ?? 0).refusal += part.text;
        return '';
      case 'annotation':
        this.#state(part.choice ?? 0).sources.push(part.annotation);
        return '';
      case 'reasoning-delta':
        return this.#thought(part.choice, { text: part.text });
      case 'reasoning-signature':
        return this.#thought(part.choice, { ...part, text: '' });
      case 'reasoning-redacted':
        return this.#thought(part.choice, { ...part, text: '', redacted: part.data });
      case 'image':
        return this.#candidate(part.choice, inlinePart(part.mediaType, part.data));
      case 'audio':
        return part.data === ''
          ? ''
          : this.#candidate(part.choice, inlinePart(audioMediaType(part.format), part.data));
      case 'tool-call-delta':
        return this.#toolCall(part);
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

  /**
   * One last object: the last call where nothing came after it, why each candidate ended, its
   * sources, and usage.
   */
  end(usage?: Usage): string {
    if (this.#candidates.size === 0) this.#state(0);
    const candidates = [...this.#candidates].map(
      ([index, { call, finish, text, refusal, sources }]) => {
        const parts = call === undefined ? [{ text: '' }] : [callPart(call)];
        return compact({
          index,
          content: { role: 'model', parts },
          ...writeFinish(finish, refusal),
          groundingMetadata: writeGrounding(sources, [text]),
        });
      },
    );
    const text = this.#object({
      candidates,
      usageMetadata: writeGeminiUsage(usage ?? this.#usage ?? {}),
    });
    return text + this.#frame.close;
  }

  fail(error: Parameters<StreamEncoder['fail']>[0]): string {
    return this.#frame.error(error, this.#written);
  }

  #state(index: number): CandidateState {
    let state = this.#candidates.get(index);
    if (state === undefined) {
      state = { call: undefined, finish: 'stop', text: '', refusal: '', sources: [] };
      this.#candidates.set(index, state);
    }
    return state;
  }

  #toolCall(part: Extract<StreamPart, { type: 'tool-call-delta' }>): string {
    const state = this.#state(part.choice ?? 0);
    const { index, id = `call_${this.#context.id}_${index}`, name, signature } = part;
    if (state.call?.index === index) {
      state.call.arguments += part.arguments;
      return '';
    }
    if (name === undefined) return '';
    const before = this.#closeCall(part.choice ?? 0);
    state.call = { index, id, name, arguments: part.arguments, signature };
    return before;
  }

  /** Something of this candidate follows its newest call, which is therefore whole. */
  #closeCall(choice: number): string {
    const state = this.#state(choice);
    if (state.call === undefined) return '';
    const part = callPart(state.call);
    state.call = undefined;
    return this.#part(choice, part);
  }

  #words(part: Extract<StreamPart, { type: 'text-delta' }>): string {
    const [words] = textPart(part.text, part.signature);
    return words === undefined ? '' : this.#candidate(part.choice, words);
  }

  #thought(choice: number | undefined, thinking: Parameters<typeof thoughtPart>[0]): string {
    const [thought] = thoughtPart(thinking);
    return thought === undefined ? '' : this.#candidate(choice, thought);
  }

  #candidate(choice: number | undefined, part: JsonObject): string {
    return this.#closeCall(choice ?? 0) + this.#part(choice ?? 0, part);
  }

  #part(index: number, part: JsonObject): string {
    return this.#object({ candidates: [{ index, content: { role: 'model', parts: [part] } }] });
  }

  #object(fields: JsonObject): string {
    return this.#framed(
      JSON.stringify({
        ...fields,
        modelVersion: this.#context.model,
        responseId: this.#responseId,
      }),
    );
  }

  #framed(json: string): string {
    const head = this.#written ? this.#frame.before : this.#frame.first;
    this.#written = true;
    return head + json + this.#frame.after;
  }
}
