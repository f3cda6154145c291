/**
 * The canonical form of a conversation: its messages, and what is requested (chat-reply.ts: what is
 * answered). Callers' formats are decoded into it and vendors' requests
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
