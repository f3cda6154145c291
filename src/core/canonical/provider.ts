/**
 * The provider interface: one folder per vendor, gathered in `core/providers/index.ts`
 * (docs/rules/formats.md#provider-seam).
 */

import type { JsonValue } from '../kernel/json.ts';
import type { Secret } from '../kernel/secret.ts';
import type { z } from '../kernel/zod.ts';
import type { FoundModel } from '../models/sources/found-model.ts';
import type { ChannelType } from '../vocabulary/channel-types.ts';
import type { WireFormat } from '../vocabulary/wire-formats.ts';
import type { Call, Effects, UpstreamRequest } from './call.ts';
import type { CanonicalOperation, Operations } from './calls.ts';
import type { HostedTool } from './chat.ts';
import type { ProviderError } from './chat-reply.ts';
import type { Framing, PassThrough, StreamDecoder } from './pass-through.ts';
import type { TaskProvider } from './task-provider.ts';

export type { Call, Effects, ProviderOptions, UpstreamRequest } from './call.ts';

/** How a channel's key is written. `lines`: several keys, one per line, are several credentials. */
export interface KeyFormat {
  /**
   * Shown as placeholder and in `channels types`: `sk-…`, `APIKey|SecretKey`, `service account
   * JSON`.
   */
  readonly example: string;
  readonly optional?: boolean;
  /** A JSON document: not split at newlines. */
  readonly json?: boolean;
}

/** A reply that is not JSON: audio. */
export interface RawReply {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface OperationAdapter<O extends CanonicalOperation, Settings = unknown> {
  /** Formats in which a caller's body may be forwarded unchanged. */
  readonly passThrough?: readonly PassThrough<Settings>[];
  /** What `decode` gets: the parsed JSON (default), or a RawReply. */
  readonly replyType?: 'json' | 'bytes';
  /**
   * The upstream, or this model, only streams: whole replies are collected from the stream and
   * `decode` is never called.
   */
  readonly streamOnly?: boolean | ((model: string) => boolean);
  /**
   * Replaces `encode` and `decode` where one call needs several requests (submit, then poll).
   * Throws ReplyFailure and AppError like `decode`. `effects.fetch` carries the caller's abort
   * signal.
   */
  perform?(
    request: Operations[O]['request'],
    call: Call<Settings>,
    effects: Effects,
  ): Promise<Operations[O]['reply']>;
  /**
   * Chats only, before `encode`: uploads what the request then refers to (files). Throws
   * ReplyFailure and AppError like `decode`.
   */
  prepare?(
    request: Operations[O]['request'],
    call: Call<Settings>,
    effects: Effects,
  ): Promise<Operations[O]['request']>;
  /**
   * Chats only, before files are fetched: throws AppError for requests that exceed this provider's
   * limits.
   */
  check?(request: Operations[O]['request'], call: Call<Settings>): void;
  /**
   * Chats only: whether the request as `encode` writes it has this tool. One that it would leave out
   * is refused before (docs/rules/formats.md#hosted-tools). Absent: it has none but functions.
   */
  takesTool?(tool: HostedTool, request: Operations[O]['request'], call: Call<Settings>): boolean;
  /** The upstream fetches no URLs: image parts with a URL get its bytes before `encode`. */
  readonly needsInlineImages?: boolean;
  /** URLs that such an upstream reads itself nevertheless (its vendor's own storage). */
  readonly readsAddress?: (url: string) => boolean;
  /** Pure. Throws AppError (`unsupported_feature`, …) for what this provider cannot do. */
  encode(request: Operations[O]['request'], call: Call<Settings>): UpstreamRequest;
  /**
   * `body` is the parsed reply to `encode`'s request. Throws AppError('bad_response_body') for a
   * body that cannot be read and ReplyFailure (kit/failure.ts) for an error behind status 200.
   */
  decode(
    body: unknown,
    call: Call<Settings>,
    request?: Operations[O]['request'],
  ): Operations[O]['reply'];
  readonly framing?: Framing;
  /**
   * `request` is what was encoded: some replies depend on it (a tool that stands in for a schema).
   */
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

export interface Balance {
  /** Amount as the provider reports it, decimal text. */
  readonly amount: string;
  readonly currency: string;
}

export interface AccountAdapter<Settings = unknown> {
  listModels?(call: Call<Settings>, effects: Effects): Promise<readonly string[]>;
  /** The same models with what the upstream says of them: limits, prices, ends. */
  describeModels?(call: Call<Settings>, effects: Effects): Promise<readonly FoundModel[]>;
  readBalance?(call: Call<Settings>, effects: Effects): Promise<Balance>;
}

/**
 * Operations that are only forwarded: the caller's wire format is the provider's own (legacy
 * completions).
 */
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

/** The stored facts of a channel that decide which interface of a vendor it uses. */
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
  /**
   * What a text that enters an address or a header must match; an empty one is not checked. Else
   * `channel_other_invalid`.
   */
  readonly pattern?: RegExp;
  /** Throws AppError for a text that the vendor could not use. */
  check?(text: string): void;
}

/**
 * Another interface of the same vendor, selected by a channel's key, address or setting: a
 * successor platform's API keys.
 */
export interface ProviderVariant {
  fits(channel: ChannelFacts): boolean;
  readonly provider: Provider;
}

/** The public page that says what a vendor's interface has. */
export interface VendorFact {
  readonly source: string;
  /** The day on which the page was read. */
  readonly read: string;
}

/** The field of a chat by which a vendor tells end users apart. */
export interface EndUserField extends VendorFact {
  readonly field: 'safety_identifier' | 'user' | 'user_id' | 'metadata.user_id';
}

export interface Provider<Settings = unknown> {
  /** Folder, fixtures, logs and docs: `anthropic`. */
  readonly slug: string;
  readonly channelTypes: readonly ChannelType[];
  /**
   * Null: the channel must give one. Empty: where it gives none, the address follows from its key
   * or region.
   */
  readonly defaultBaseUrl: string | null;
  /**
   * The vendor's own API reports what was used, zero included: at its own address that is believed.
   * Absent: many makers' servers, which also report zero where they did not measure
   * (docs/rules/metering.md#zero-usage).
   */
  readonly measuresUsage?: boolean;
  /** Absent: it has none (docs/rules/channel-rules.md#send-user-hash). */
  readonly endUser?: EndUserField;
  /**
   * Fields of chats by which callers name what the vendor keeps for all users of a key: each user
   * gets names of their own. Absent: it keeps nothing by such names.
   */
  readonly ownNames?: VendorFact & { readonly fields: readonly string[] };
  /**
   * Its chats take back images that a model made, in `images` beside the text of an earlier answer.
   * Absent: they do not know them (docs/rules/formats.md#images-in-answers).
   */
  readonly answerImages?: VendorFact;
  /** Its replies state what they cost in dollars, and that is what its bill has. */
  readonly statesCost?: boolean;
  /** The base URL is a complete endpoint address (type 8). */
  readonly completeUrl?: boolean;
  /** Names of plans that may be given in place of a base URL (`glm-coding-plan`). */
  readonly planNames?: readonly string[];
  readonly keyFormat: KeyFormat;
  /**
   * Extra fields of the channel's `setting` JSON this provider knows: check, form and docs derive.
   */
  readonly settings: z.ZodType<Settings>;
  /** Absent: the channel's `other` field is unused. */
  readonly other?: OtherField;
  /** Vendors whose models it serves; absent: those of its own slug (docs/rules/models.md#ends). */
  readonly serves?: readonly string[];
  /** Offered in the channel editor besides those of the catalogue. */
  readonly models: readonly string[];
  readonly operations: { readonly [O in CanonicalOperation]?: OperationAdapter<O, Settings> } & {
    readonly completion?: ForwardAdapter<Settings>;
    readonly moderation?: ForwardAdapter<Settings>;
    readonly realtime?: RealtimeAdapter<Settings>;
    /** Anthropic's token count, where the upstream has it. `body` is the caller's messages body. */
    readonly countTokens?: {
      encode(body: JsonValue, call: Call<Settings>): UpstreamRequest;
      decode(body: unknown): number;
    };
    /** Gemini's token count. `body` is the body of a Gemini caller's `countTokens`. */
    readonly countGeminiTokens?: {
      encode(body: JsonValue, call: Call<Settings>): UpstreamRequest;
      decode(body: unknown): number;
    };
  };
  readonly account?: AccountAdapter<Settings>;
  /** Work that takes longer than one request. */
  readonly tasks?: TaskProvider;
  /** Adds credentials where that needs HTTP or a clock (signing, access tokens). */
  authorize?(
    request: UpstreamRequest,
    call: Call<Settings>,
    effects: Effects,
  ): Promise<UpstreamRequest>;
  /**
   * The upstream refused a request that `authorize` had prepared. Returns true where new
   * credentials may help: the cached ones are dropped and the request is sent to the same channel
   * once more.
   */
  renewAuthorization?(error: ProviderError, call: Call<Settings>, effects: Effects): boolean;
  /** Other interfaces of the vendor; the first that fits a channel replaces this provider. */
  readonly variants?: readonly ProviderVariant[];
  readFailure(failure: UpstreamFailure): ProviderError;
  /**
   * Streams of this vendor are known to end without a finish reason or terminator: a connection
   * that closes in good order is the end of the answer. Absent: such a stream broke
   * (docs/rules/streams.md#missing-endings).
   */
  readonly omitsFinish?: boolean;
  /**
   * Formats whose thinking signatures are valid on every platform that offers the maker's models.
   * Absent: they are valid at the account that made them
   * (docs/rules/formats.md#remembered-thinking).
   */
  readonly sharedSignatures?: readonly WireFormat[];
  /**
   * Responses that are passed through are stored there: a later request may continue them by id,
   * with the same key.
   */
  readonly keepsResponses?: boolean;
  /**
   * Statuses after which another channel is tried although docs/rules/routing.md#retry-statuses
   * says otherwise.
   */
  readonly retryableStatuses?: readonly number[];
  /** Statuses that are the account's fault at this vendor, besides 401. */
  readonly accountFaultStatuses?: readonly number[];
}
