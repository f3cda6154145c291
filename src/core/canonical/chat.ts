/**
 * The canonical form of a conversation. Callers' formats are decoded into it and vendors' requests
 * are encoded from it, so N formats and M vendors need N + M translations
 * (docs/rules/formats.md#canonical-form). It holds more than any one wire format: thinking
 * signatures, cache marks and raw finish reasons survive a round trip. Undefined means "not
 * reported" and differs from zero.
 */
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import type { ReasoningEffort } from '../vocabulary/reasoning-efforts.ts';
import type { WireFormat } from '../vocabulary/wire-formats.ts';

/** Anthropic's prompt-cache mark on a part or tool. */
export interface CacheControl {
  readonly type: 'ephemeral';
  readonly ttl?: '5m' | '1h';
}

/** What a text of an answer is, as OpenAI's models say of it and want to hear of it again. */
export type Phase = 'commentary' | 'final_answer';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  /** Of answers only. */
  readonly phase?: Phase;
  /** Gemini's thoughtSignature of this text of an answer. */
  readonly signature?: string;
  readonly cacheControl?: CacheControl;
}
export interface ImagePart {
  readonly type: 'image';
  /**
   * Exactly one of `url` (http or https), `data` (base64 without prefix, `mediaType` set) and
   * `fileId`.
   */
  readonly url?: string;
  readonly data?: string;
  readonly fileId?: string;
  readonly mediaType?: string;
  readonly detail?: string;
  readonly cacheControl?: CacheControl;
}
export interface AudioPart {
  readonly type: 'audio';
  /** Empty where the part refers to an earlier audio reply by its `id`. */
  readonly data: string;
  /** `wav`, `mp3`, … as OpenAI names them. */
  readonly format: string;
  /** The transcript of the audio. */
  readonly transcript?: string;
  /** The provider's id of an audio reply that it stores, and when that expires, in Unix seconds. */
  readonly id?: string;
  readonly expiresAt?: number;
}
export interface FilePart {
  readonly type: 'file';
  readonly filename?: string;
  readonly url?: string;
  readonly data?: string;
  /** Plain text of a text document. */
  readonly text?: string;
  readonly fileId?: string;
  readonly mediaType?: string;
  readonly cacheControl?: CacheControl;
}
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  /** Opaque signature of the provider that generated it; sent back to that provider only. */
  readonly signature?: string;
  /**
   * Encrypted thinking without text (Anthropic `redacted_thinking`, OpenAI `encrypted_content`).
   */
  readonly redacted?: string;
  /** Wire format the signature belongs to. */
  readonly origin?: WireFormat;
  /** The provider's id of this thinking, where its signature is bound to one (Responses). */
  readonly id?: string;
}
export interface ToolCallPart {
  readonly type: 'tool-call';
  readonly id: string;
  readonly name: string;
  /** JSON text as the model generated it; may be incomplete where the output was cut off. */
  readonly arguments: string;
  /** Gemini's thoughtSignature of this call. */
  readonly signature?: string;
  readonly cacheControl?: CacheControl;
  /** See {@link ToolMessage.raw}. */
  readonly raw?: JsonObject;
}
export interface RefusalPart {
  readonly type: 'refusal';
  readonly text: string;
}

export type UserPart = TextPart | ImagePart | AudioPart | FilePart;
export type AssistantPart =
  | TextPart
  | ReasoningPart
  | ToolCallPart
  | RefusalPart
  | ImagePart
  | AudioPart;
export type ToolResultPart = TextPart | ImagePart | FilePart;

export interface SystemMessage {
  readonly role: 'system';
  /** The caller wrote `developer`. */
  readonly developer?: boolean;
  readonly content: readonly TextPart[];
}
export interface UserMessage {
  readonly role: 'user';
  readonly name?: string;
  readonly content: readonly UserPart[];
}
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly name?: string;
  readonly content: readonly AssistantPart[];
}
export interface ToolMessage {
  readonly role: 'tool';
  readonly callId: string;
  /** Name of the function, where the wire format carries it. */
  readonly name?: string;
  readonly content: readonly ToolResultPart[];
  readonly isError?: boolean;
  readonly cacheControl?: CacheControl;
  /** The item of Responses that it was read from, where a text does not hold all of it. */
  readonly raw?: JsonObject;
}
export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** Tools that OpenAI defines and its clients carry out, by their type. */
export type ClientTool = 'shell' | 'local_shell' | 'apply_patch' | 'tool_search';

/**
 * How a caller declared a tool that the canonical form holds as a function. Calls of it are written
 * back in that form.
 */
export interface ToolSource {
  readonly origin: WireFormat;
  /** The tool, or the namespace in which it stands, unchanged. */
  readonly raw: JsonObject;
  /** Its own name; the function's name has the namespace in it. */
  readonly name: string;
  readonly namespace?: string;
  /** It takes free text where functions take JSON: the function's only argument, `input`. */
  readonly freeform?: boolean;
  /** It is one of these: its calls and results are items of their own kind. */
  readonly client?: ClientTool;
  /** A search for tools found it: it stands in that result instead of among the tools. */
  readonly found?: boolean;
}

export interface FunctionTool {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string;
  /** JSON Schema. Absent: no parameters. */
  readonly parameters?: JsonObject;
  readonly strict?: boolean;
  readonly cacheControl?: CacheControl;
  readonly source?: ToolSource;
}
/** A tool the provider runs itself. */
export interface BuiltinTool {
  readonly type: 'web-search' | 'code-execution' | 'url-context';
  readonly options: JsonObject;
}
/** A tool only the origin format knows. */
export interface ForeignTool {
  readonly type: 'foreign';
  readonly origin: WireFormat;
  readonly raw: JsonValue;
  /** Agents add it by themselves and do without it: elsewhere it is left out. */
  readonly optional?: boolean;
}
/** A tool that the vendor runs or defines. */
export type HostedTool = BuiltinTool | ForeignTool;
export type Tool = FunctionTool | HostedTool;

export type ToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  | { readonly type: 'tool'; readonly name: string };

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json' }
  | {
      readonly type: 'json-schema';
      readonly name?: string;
      readonly description?: string;
      readonly schema: JsonObject;
      readonly strict?: boolean;
    };

export type { ReasoningEffort };

/** Thinking as the caller requests it. All fields absent: the provider's default. */
export interface Reasoning {
  readonly effort?: ReasoningEffort;
  /**
   * Token budget for thinking (Anthropic `budget_tokens`, Gemini `thinkingBudget`); −1 = dynamic.
   */
  readonly budgetTokens?: number;
  /** Anthropic's `adaptive`. */
  readonly adaptive?: boolean;
  /** Whether thinking text should be part of the answer. */
  readonly include?: boolean;
}

export interface ChatRequest {
  /** As the caller wrote it; the name for the upstream is `Call.model`. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly candidateCount?: number;
  readonly logprobs?: boolean;
  readonly topLogprobs?: number;
  readonly logitBias?: JsonObject;
  readonly tools?: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly responseFormat?: ResponseFormat;
  readonly reasoning?: Reasoning;
  readonly modalities?: readonly string[];
  readonly user?: string;
  readonly serviceTier?: string;
  /**
   * The caller's wire format and the top-level fields the canonical form has no place for,
   * unchanged.
   */
  readonly origin: WireFormat;
  readonly extra: JsonObject;
}

/** What a model besides the requested one did for a reply. */
export interface ModelUsage {
  readonly model: string;
  readonly usage: Usage;
}

/** A container of the vendor's in which code ran for a reply. */
export interface UsedContainer {
  /** Undefined: the vendor does not name it. */
  readonly id?: string;
  /** In the vendor's words: `4g`. Undefined: the usual size, or one that is not said here. */
  readonly size?: string | undefined;
}

/**
 * Normal form of usage (docs/rules/metering.md#usage-normal-form): the prompt includes cache reads
 * and writes, the completion includes reasoning. Undefined: not reported.
 */
export interface Usage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly cachedTokens?: number;
  /** Cache writes in all; what is not of the longer life is of the usual one. */
  readonly cacheWriteTokens?: number;
  /** Of these, those of the longer cache life: an hour, or OpenAI's twelve. */
  readonly cacheWrite1hTokens?: number;
  readonly reasoningTokens?: number;
  /** Those that are not cached; images likewise. */
  readonly promptAudioTokens?: number;
  /** Of the cached tokens. */
  readonly cachedAudioTokens?: number;
  readonly completionAudioTokens?: number;
  readonly promptImageTokens?: number;
  /** Of the cached tokens. */
  readonly cachedImageTokens?: number;
  readonly completionImageTokens?: number;
  /** Calls of tools that the vendor ran itself, by the tool as prices name it: `web_search`. */
  readonly toolCalls?: Readonly<Record<string, number>>;
  readonly containers?: readonly UsedContainer[];
  /** What the vendor says that the reply cost, in dollars. */
  readonly statedCost?: number;
  /** What other models did for the reply, each at its own price. The other figures leave it out. */
  readonly others?: readonly ModelUsage[];
  /** Tier, speed and place that were billed, but for the usual ones: `priority`, `fast`, `us`. */
  readonly tiers?: readonly string[];
  /** Length of the input audio, where a provider bills by it. */
  readonly audioSeconds?: number;
  /** Why the vendor threw pieces of earlier thinking away, once for each, in its words. */
  readonly thinkingDropped?: readonly string[];
  /** Why the vendor's cache did not serve the prompt, in its words. */
  readonly cacheMiss?: string;
  /** The usage in the vendor's own words; of an answer in several replies that of each. */
  readonly raw?: readonly Readonly<Record<string, unknown>>[];
}

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
