/**
 * One call to an upstream: what an adapter knows of it, the request that it writes, and the HTTP of
 * adapters that are not pure.
 */
import type { JsonValue } from '../kernel/json.ts';
import type { Secret } from '../kernel/secret.ts';

/** Everything an adapter may know about an attempt. */
export interface Call<Settings = unknown> {
  /** Without trailing slash; the provider's default already filled in. */
  readonly baseUrl: string;
  readonly key: Secret;
  /** The model's name for the upstream: mapped, suffixes still on it. */
  readonly model: string;
  /**
   * Path and query of the caller's request, `/v1/messages?beta=true`; an empty string when there
   * was none (tests of channels).
   */
  readonly clientPath: string;
  /**
   * The caller's headers that may be forwarded (`anthropic-version`, `anthropic-beta`, …),
   * lower-case names.
   */
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
  /**
   * Values of the options that vendors declare in `options.ts`, by key. Read them with `readOption`
   * (kit/read-option.ts).
   */
  readonly vendor: Readonly<Record<string, unknown>>;
  /**
   * The site's address and name, for vendors that list the applications they serve; empty or
   * absent: not sent.
   */
  readonly siteAddress?: string;
  readonly siteName?: string;
  /** AZURE_DEFAULT_API_VERSION; absent: the built-in one. */
  readonly azureApiVersion?: string;
  /** GEMINI_VISION_MAX_IMAGE_NUM: images one message may hold, negative: any number; absent: 16. */
  readonly geminiMaxImages?: number;
  /**
   * COHERE_SAFETY_SETTING: `safety_mode` of chats that name none; absent or `NONE`: Cohere's own.
   */
  readonly cohereSafetyMode?: string;
  /** DIFY_DEBUG: a workflow's steps are reported as thinking; absent: off. */
  readonly difyDebug?: boolean;
  /** `Price`: yuan per dollar, for balances in yuan. */
  readonly yuanPerDollar?: number;
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /**
   * `ws:` and `wss:` URLs are called by WebSocket: the body is sent as one message, each message
   * received is a line of the reply (framing `ndjson`), which ends when the server closes.
   */
  readonly url: string;
  /** Lower-case names. `accept-encoding` is set by the sender. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON-serialisable body, or bytes as they are (with a `content-type` of their own). */
  readonly body?: JsonValue | Uint8Array;
}

/**
 * HTTP for the few parts of adapters that are not pure. Guarded, limited in size and time by
 * `upstream/`.
 */
export interface Effects {
  /**
   * Waits; ends early (with AppError client_gone, shutting_down) when the caller leaves or the
   * gateway stops.
   */
  sleep(milliseconds: number): Promise<void>;
  fetch(request: UpstreamRequest & { readonly timeoutMs?: number }): Promise<{
    status: number;
    text: string;
    headers: Readonly<Record<string, string | undefined>>;
  }>;
  now(): Date;
  /** Process-wide cache for access tokens and the like. */
  readonly cache: {
    get(key: string): string | undefined;
    set(key: string, value: string, ttlSeconds: number): void;
  };
}
