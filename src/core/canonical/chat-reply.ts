/** The canonical form of an answer, whole or streamed, and of a provider's failure. */
import type { JsonValue } from '../kernel/json.ts';
import type { WireFormat } from '../vocabulary/wire-formats.ts';
import type { AssistantPart, AudioPart, Phase } from './chat.ts';
import type { Usage } from './usage.ts';

export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter';

/**
 * A source of an answer. What it supports is counted in characters (code points) of the answer's
 * texts put together.
 */
export interface Annotation {
  readonly url: string;
  readonly title?: string;
  readonly startIndex?: number;
  readonly endIndex?: number;
  /** The passage cited, where reported. */
  readonly citedText?: string;
}

export interface ChatChoice {
  readonly index: number;
  readonly content: readonly AssistantPart[];
  readonly finish: FinishReason;
  /** The provider's own word for it. */
  readonly rawFinish: string | null;
  /** The stop sequence that ended it, where reported. */
  readonly stopSequence?: string | null;
  readonly annotations?: readonly Annotation[];
  readonly logprobs?: JsonValue;
}

export interface ChatReply {
  /** The provider's id of the answer; absent: the caller's encoder makes one. */
  readonly id?: string;
  readonly model?: string;
  readonly choices: readonly ChatChoice[];
  readonly usage?: Usage;
}

/**
 * One step of a streamed answer. `choice` is 0 when absent. Tool calls are numbered from 0 in order
 * of appearance per choice; the first delta of a call carries id and name, and `arguments`
 * accumulates.
 */
export type StreamPart =
  | { readonly type: 'start'; readonly id?: string; readonly model?: string }
  | {
      readonly type: 'text-delta';
      readonly text: string;
      /** A text begins, and it is this. */
      readonly phase?: Phase;
      /** Of the text until here, which may have come before: see {@link TextPart}. */
      readonly signature?: string;
      readonly choice?: number;
      readonly logprobs?: JsonValue;
    }
  /** `id`, here and below: see {@link ReasoningPart}. */
  | {
      readonly type: 'reasoning-delta';
      readonly text: string;
      readonly id?: string;
      readonly choice?: number;
    }
  | {
      readonly type: 'reasoning-signature';
      readonly signature: string;
      readonly origin: WireFormat;
      readonly id?: string;
      readonly choice?: number;
    }
  | {
      readonly type: 'reasoning-redacted';
      readonly data: string;
      readonly origin: WireFormat;
      readonly id?: string;
      readonly choice?: number;
    }
  | { readonly type: 'refusal-delta'; readonly text: string; readonly choice?: number }
  | {
      readonly type: 'tool-call-delta';
      readonly index: number;
      readonly id?: string;
      readonly name?: string;
      readonly arguments: string;
      readonly signature?: string;
      readonly choice?: number;
    }
  | {
      readonly type: 'image';
      readonly mediaType: string;
      readonly data: string;
      readonly choice?: number;
    }
  /**
   * A chunk of audio: its data (base64 on its own), or of its transcript. Chunks of both are
   * appended. Other fields as in {@link AudioPart}.
   */
  | (AudioPart & { readonly choice?: number })
  | { readonly type: 'annotation'; readonly annotation: Annotation; readonly choice?: number }
  /** Cumulative: the last one wins field by field; an absent field keeps its earlier value. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | {
      readonly type: 'finish';
      readonly reason: FinishReason;
      readonly raw: string | null;
      readonly stopSequence?: string | null;
      readonly choice?: number;
    }
  /** The provider failed after it had replied with status 200. */
  | { readonly type: 'error'; readonly error: ProviderError };

/** A provider's failure in the terms of the gateway. */
export interface ProviderError {
  /** HTTP status to judge retries by (and to give the caller unless mapped). */
  readonly status: number;
  /**
   * The provider's message; undefined where there is none that can be read. Masked before it leaves
   * the server.
   */
  readonly message?: string;
  /** The body instead of a message, masked, for administrators only. */
  readonly raw?: string;
  /** The provider's own type, code and param, unchanged where it has them. */
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  /** Seconds until a retry makes sense, where reported. */
  readonly retryAfter?: number;
  /**
   * The key or account is at fault, by what this provider documents: a reason to disable the
   * channel.
   */
  readonly accountFault?: boolean;
  /** What of the request is at fault, where that is known: the caller is to read it as such. */
  readonly about?: 'context' | 'content';
}
