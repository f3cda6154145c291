/** The provider seam: one folder per vendor, one line in `index.ts` (docs/rules/formats.md#provider-seam). */
import type { z } from 'zod';
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import type { Secret } from '../kernel/secret.ts';
import type { ChannelType } from '../vocabulary/channel-types.ts';
import type { WireFormat } from '../vocabulary/wire-formats.ts';
import type { CanonicalOperation, Operations } from './calls.ts';
import type { ProviderError, StreamPart } from './chat.ts';

/** How a channel's key is written. `lines`: several keys, one per line, are several credentials. */
export interface KeyFormat {
  /** Shown as placeholder and in `channels types`: `sk-…`, `APIKey|SecretKey`, `service account JSON`. */
  readonly example: string;
  readonly optional?: boolean;
  /** A JSON document: not split at newlines. */
  readonly json?: boolean;
}

/** All that an adapter may know about this attempt. */
export interface Call<Settings = unknown> {
  /** Without trailing slash; the provider's default already filled in. */
  readonly baseUrl: string;
  readonly key: Secret;
  /** The model's name for the upstream: mapped, suffixes still on it. */
  readonly model: string;
  /** Path and query of the caller's request, `/v1/messages?beta=true`; an empty string when there was none (tests of channels). */
  readonly clientPath: string;
  /** Caller's headers that may travel (`anthropic-version`, `anthropic-beta`, …), lower-case names. */
  readonly clientHeaders: Readonly<Record<string, string>>;
  /** The channel's `openai_organization`. */
  readonly organization?: string;
  /** The channel's `other`, read by type. */
  readonly other: string;
  readonly settings: Settings;
  /** Site options an adapter may need, resolved for this call. */
  readonly options: ProviderOptions;
  readonly now: Date;
}

/** Settings of the site and of the process that change what providers send. */
export interface ProviderOptions {
  /** Values of the options that vendors declare in `options.ts`, by key. Read them with `readOption` (kit/read-option.ts). */
  readonly vendor: Readonly<Record<string, unknown>>;
  /** The site's own address and name, for vendors that rank the applications they serve; empty or absent: not told. */
  readonly siteAddress?: string;
  readonly siteName?: string;
  /** AZURE_DEFAULT_API_VERSION; absent: the built-in one. */
  readonly azureApiVersion?: string;
  /** GEMINI_VISION_MAX_IMAGE_NUM: images one message may hold, negative: any number; absent: 16. */
  readonly geminiMaxImages?: number;
  /** COHERE_SAFETY_SETTING: `safety_mode` of chats that name none; absent or `NONE`: Cohere's own. */
  readonly cohereSafetyMode?: string;
  /** DIFY_DEBUG: what a workflow does is told as thinking; absent: off. */
  readonly difyDebug?: boolean;
  /** `Price`: yuan a dollar costs, for balances that are kept in yuan. */
  readonly yuanPerDollar?: number;
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  /**
   * `ws:` and `wss:` addresses are spoken to by WebSocket: the body is the one message sent, each message that comes is a
   * line of the reply (framing `ndjson`), which ends when the server closes.
   */
  readonly url: string;
  /** Lower-case names. `accept-encoding` is set by the sender. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON-serialisable body, or bytes as they are (with a `content-type` of their own). */
  readonly body?: JsonValue | Uint8Array;
}

/** Where a caller's bytes go when caller and upstream speak the same wire format. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Top-level fields to set (undefined: remove) in the forwarded body besides `model`, which the relay sets itself.
   * `stream_options` for usage is the adapter's business: it is set here.
   */
  readonly edits?: Readonly<Record<string, JsonValue | undefined>>;
  /** The upstream model when it differs from `call.model` (a suffix was taken off). */
  readonly model?: string;
  /** The URL names the model and the body must not (Gemini): no `model` is written into the body. */
  readonly modelInUrl?: boolean;
  /** Edits without which the address takes no body at all (Bedrock): made even where the site passes bodies unchanged. */
  readonly wireEdits?: Readonly<Record<string, JsonValue | undefined>>;
}

/** The top-level fields of a forwarded body an adapter may look at, parsed on demand. */
export interface BodyFields {
  /** The parsed value, undefined when absent. Cheap for scalars, dear for `messages`. */
  get(name: string): JsonValue | undefined;
  has(name: string): boolean;
  /** Whether the body's bytes hold this ASCII text anywhere, found without a parse. */
  contains?(text: string): boolean;
}

export interface PassThrough<Settings> {
  readonly format: WireFormat;
  /** Undefined: the next entry of the format is asked; after the last one the body is translated (`encode`). */
  target(fields: BodyFields, call: Call<Settings>): Target | undefined;
  /** How a streamed reply is read and rewritten. Absent: it is the format's own SSE and goes on byte for byte. */
  readonly rewrite?: {
    readonly framing: Framing;
    create(): StreamRewriter;
    /** The same for a reply in one piece, which else goes on as it came. Never throws. */
    reply?(body: JsonObject): JsonObject;
  };
}

/** Writes the events of one streamed reply as the format's own SSE, where the upstream frames or completes them differently. */
export interface StreamRewriter {
  /** SSE text, blank line included; empty for what is not the caller's business. Never throws on what a vendor sends. */
  push(event: StreamEvent): string;
}

/** How the bytes of a streamed reply are cut into events. */
export type Framing = 'sse' | 'ndjson' | 'aws-event-stream';

export interface StreamEvent {
  /** SSE `event:` or the frame's event type; empty when absent. */
  readonly event: string;
  readonly data: string;
}

/** One object per streamed answer: fed each event, then ended exactly once. Never throws on what a vendor sends. */
export interface StreamDecoder {
  push(event: StreamEvent): readonly StreamPart[];
  /** The upstream closed. Emits what is still owed; an `error` part where nothing usable had arrived. */
  end(): readonly StreamPart[];
  /** True: the answer is complete, the upstream is not waited for (Xunfei keeps the socket open). Absent: it closes itself. */
  readonly done?: boolean;
}

/** A reply that is no JSON: audio. */
export interface RawReply {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface OperationAdapter<O extends CanonicalOperation, Settings = unknown> {
  /** Formats a caller's body may travel in unchanged. */
  readonly passThrough?: readonly PassThrough<Settings>[];
  /** What `decode` is given: the parsed JSON (default), or a RawReply. */
  readonly replyType?: 'json' | 'bytes';
  /** The upstream, or this model, only streams: a whole answer is put together from its stream, `decode` is never called. */
  readonly streamOnly?: boolean | ((model: string) => boolean);
  /**
   * Instead of `encode` and `decode`, where one call needs several requests (submit, then ask until done). Throws
   * ReplyFailure and AppError like `decode`. `effects.fetch` carries the caller's abort signal.
   */
  perform?(request: Operations[O]['request'], call: Call<Settings>, effects: Effects): Promise<Operations[O]['reply']>;
  /**
   * Before `encode`, chats only: what the upstream must be given apart, so that the request can name it (files that are
   * uploaded first). Throws ReplyFailure and AppError like `decode`.
   */
  prepare?(request: Operations[O]['request'], call: Call<Settings>, effects: Effects): Promise<Operations[O]['request']>;
  /** Chats only, before files are fetched: throws AppError for what is too much for this provider. */
  check?(request: Operations[O]['request'], call: Call<Settings>): void;
  /** The upstream fetches no URLs: the caller of `encode` replaces image parts by URL with their bytes before. */
  readonly needsInlineImages?: boolean;
  /** Addresses that such an upstream reads itself all the same (its vendor's own storage). */
  readonly readsAddress?: (url: string) => boolean;
  /** Pure. Throws AppError (`unsupported_feature`, …) for what this provider cannot do. */
  encode(request: Operations[O]['request'], call: Call<Settings>): UpstreamRequest;
  /**
   * `body` is the parsed reply to `encode`'s request. Throws AppError('bad_response_body') on what cannot be read and
   * ReplyFailure (kit/failure.ts) where the upstream answered 200 with an error inside.
   */
  decode(body: unknown, call: Call<Settings>, request?: Operations[O]['request']): Operations[O]['reply'];
  readonly framing?: Framing;
  /** `request` is what was encoded: some answers can only be read knowing the question (tools standing in for a schema). */
  createStreamDecoder?(call: Call<Settings>, request?: Operations[O]['request']): StreamDecoder;
}

export interface UpstreamFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body's text, capped. */
  readonly text: string;
  /** The body parsed, undefined when it is not JSON. */
  readonly body: unknown;
}

/** HTTP, for the few adapter parts that are not pure. Guarded, capped and timed by `upstream/`. */
export interface Effects {
  /** Waits; ends early (with AppError client_gone) when the caller leaves. */
  sleep(milliseconds: number): Promise<void>;
  fetch(
    request: UpstreamRequest & { readonly timeoutMs?: number },
  ): Promise<{ status: number; text: string; headers: Readonly<Record<string, string | undefined>> }>;
  now(): Date;
  /** Process-wide cache for access tokens and the like. */
  readonly cache: { get(key: string): string | undefined; set(key: string, value: string, ttlSeconds: number): void };
}

export interface Balance {
  /** Amount as the provider tells it, decimal text. */
  readonly amount: string;
  readonly currency: string;
}

export interface AccountAdapter<Settings = unknown> {
  listModels?(call: Call<Settings>, effects: Effects): Promise<readonly string[]>;
  readBalance?(call: Call<Settings>, effects: Effects): Promise<Balance>;
}

/** Operations that only travel untouched: the caller's wire format is the provider's own (legacy completions). */
export interface ForwardAdapter<Settings = unknown> {
  readonly passThrough: readonly PassThrough<Settings>[];
}

/** A WebSocket that is relayed frame by frame. */
export interface RealtimeAdapter<Settings = unknown> {
  target(call: Call<Settings>): {
    /** `ws:` or `wss:`. */
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly protocols?: readonly string[];
  };
}

/** What a channel is stored with, as far as it tells which interface of a vendor it is meant for. */
export interface ChannelFacts {
  readonly key: Secret;
  /** Empty where the channel has none. */
  readonly baseUrl: string;
  readonly setting: Readonly<Record<string, unknown>>;
}

/** What the channel's `other` field means for a type. */
export interface OtherField {
  readonly label: string;
  readonly required?: boolean;
  /** Stored where the administrator leaves the field empty. */
  readonly default?: string;
  /** Throws AppError for a text that the vendor could not use. */
  check?(text: string): void;
}

/** An interface of the same vendor that a channel's key, address or setting asks for: a successor platform's API keys. */
export interface ProviderVariant {
  fits(channel: ChannelFacts): boolean;
  readonly provider: Provider;
}

export interface Provider<Settings = unknown> {
  /** Folder, fixtures, logs and docs: `anthropic`. */
  readonly slug: string;
  readonly channelTypes: readonly ChannelType[];
  /** Null: the channel must give one. Empty: where it gives none, the address follows from its key or region. */
  readonly defaultBaseUrl: string | null;
  /** The base URL is a complete endpoint address (type 8). */
  readonly completeUrl?: boolean;
  /** Words that may stand in the place of a base URL, for plans with addresses of their own (`glm-coding-plan`). */
  readonly planNames?: readonly string[];
  readonly keyFormat: KeyFormat;
  /** Extra fields of the channel's `setting` JSON this provider knows: check, form and docs derive. */
  readonly settings: z.ZodType<Settings>;
  /** Absent: the channel's `other` field is unused. */
  readonly other?: OtherField;
  /** Built-in model list, offered in the channel editor. */
  readonly models: readonly string[];
  readonly operations: { readonly [O in CanonicalOperation]?: OperationAdapter<O, Settings> } & {
    readonly completion?: ForwardAdapter<Settings>;
    readonly moderation?: ForwardAdapter<Settings>;
    readonly realtime?: RealtimeAdapter<Settings>;
    /** Anthropic's own count, where the upstream has one. `body` is the caller's messages body. */
    readonly countTokens?: {
      encode(body: JsonValue, call: Call<Settings>): UpstreamRequest;
      decode(body: unknown): number;
    };
    /** The same by Gemini's count. `body` is the body of a Gemini caller's `countTokens`. */
    readonly countGeminiTokens?: {
      encode(body: JsonValue, call: Call<Settings>): UpstreamRequest;
      decode(body: unknown): number;
    };
  };
  readonly account?: AccountAdapter<Settings>;
  /** Adds credentials where that needs HTTP or a clock (signing, access tokens). */
  authorize?(request: UpstreamRequest, call: Call<Settings>, effects: Effects): Promise<UpstreamRequest>;
  /**
   * The upstream refused a request that `authorize` had prepared. True where new credentials may help: the cached ones
   * are forgotten and the request goes to the same channel once more.
   */
  renewAuthorization?(error: ProviderError, call: Call<Settings>, effects: Effects): boolean;
  /** Other interfaces of the vendor; the first that fits a channel takes this provider's place. */
  readonly variants?: readonly ProviderVariant[];
  readFailure(failure: UpstreamFailure): ProviderError;
  /** Statuses after which another channel is tried although the table of retries says no. */
  readonly retryableStatuses?: readonly number[];
  /** Statuses that are the account's fault at this vendor, besides 401. */
  readonly accountFaultStatuses?: readonly number[];
}
