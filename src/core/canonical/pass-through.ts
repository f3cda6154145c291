/** Bodies that are forwarded in the caller's format, and how replies are cut into events and read. */
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import type { WireFormat } from '../vocabulary/wire-formats.ts';
import type { Call } from './call.ts';
import type { ChatReply, StreamPart } from './chat-reply.ts';

/** Where a caller's body is forwarded when caller and upstream use the same wire format. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Top-level fields to set (undefined: remove) in the forwarded body besides `model`, which the
   * relay sets itself. `stream_options` for usage is the adapter's business: it is set here.
   */
  readonly edits?: Readonly<Record<string, JsonValue | undefined>>;
  /** The upstream model when it differs from `call.model` (a suffix was taken off). */
  readonly model?: string;
  /**
   * The URL names the model and the body must not (Gemini): no `model` is written into the body.
   */
  readonly modelInUrl?: boolean;
  /**
   * Edits that the upstream requires in any case (Bedrock); applied even where the site passes
   * bodies through unchanged.
   */
  readonly wireEdits?: Readonly<Record<string, JsonValue | undefined>>;
}

/** Top-level fields of a forwarded body, parsed on demand. */
export interface BodyFields {
  /** The parsed value, undefined when absent. Cheap for scalars, expensive for `messages`. */
  get(name: string): JsonValue | undefined;
  has(name: string): boolean;
  /** Whether the body's bytes hold this ASCII text anywhere, found without a parse. */
  contains?(text: string): boolean;
  /** The bytes of a field's value as they came; undefined: the body has none, or is no JSON. */
  bytesOf?(name: string): Buffer | undefined;
  /** The value of a field where the whole body is parsed already; else undefined. */
  parsed?(name: string): JsonValue | undefined;
}

export interface PassThrough<Settings> {
  readonly format: WireFormat;
  /**
   * Undefined: the next entry of the format is tried; after the last one the body is translated
   * (`encode`).
   */
  target(fields: BodyFields, call: Call<Settings>): Target | undefined;
  /**
   * How a streamed reply is read and rewritten. Absent: it is the format's own SSE and is forwarded
   * byte for byte.
   */
  readonly rewrite?: {
    readonly framing: Framing;
    create(): StreamRewriter;
    /** The same for a whole reply, which is otherwise forwarded unchanged. Never throws. */
    reply?(body: JsonObject): JsonObject;
  };
  /**
   * Where the vendor wants the thinking of earlier turns back: how replies are read, so that it is
   * remembered for clients that return none (docs/rules/formats.md#remembered-thinking). Absent or
   * undefined: it does without.
   */
  thinking?(call: Call<Settings>): ReplyReader | undefined;
}

/** Reads the replies of a wire whose bytes are forwarded. */
export interface ReplyReader {
  /** Throws like `decode` of {@link OperationAdapter}. */
  decode(body: unknown): ChatReply;
  createStreamDecoder(): StreamDecoder;
}

/**
 * Writes the events of a streamed reply as the format's own SSE, where the upstream frames or
 * completes them differently.
 */
export interface StreamRewriter {
  /**
   * SSE text with its blank line; empty for events that callers do not get. Never throws on any
   * input.
   */
  push(event: StreamEvent): string;
}

/** How the bytes of a streamed reply are cut into events. */
export type Framing = 'sse' | 'ndjson' | 'aws-event-stream';

export interface StreamEvent {
  /** SSE `event:` or the frame's event type; empty when absent. */
  readonly event: string;
  readonly data: string;
}

/**
 * Decodes one streamed reply: gets each event, then `end` exactly once. Never throws on any input.
 */
export interface StreamDecoder {
  push(event: StreamEvent): readonly StreamPart[];
  /**
   * The upstream closed. Returns what is still missing: the `finish` of each choice if the upstream
   * said that the answer ends, none if it did not; an `error` part where nothing usable arrived.
   */
  end(): readonly StreamPart[];
  /**
   * True: the reply is complete and the connection is not awaited (Xunfei keeps the socket open).
   * Absent: the upstream closes it.
   */
  readonly done?: boolean;
  /**
   * Answers that the upstream has ended; 0 while one that began goes on. Usage may still follow.
   * Absent: unknown before {@link end}.
   */
  readonly ended?: number;
  /**
   * True: this wire ends each tool call before anything else of the answer comes. Absent: calls may
   * interleave, and a call ends when its JSON is complete.
   */
  readonly callsInTurn?: boolean;
  /**
   * The upstream closed, and goes on with the answer in a reply of its own: fields that the same
   * request needs for it. The decoder is then given that reply's events, too, and `end` after the
   * last reply. Undefined: the answer is over. Absent: this wire has none.
   */
  continuation?(): JsonObject | undefined;
}
