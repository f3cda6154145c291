/**
 * Between a caller's conversation and the canonical form: its request read, its reply and its
 * stream written.
 */

import type { ChatRequest } from '../../../canonical/chat.ts';
import type { ChatReply, StreamPart } from '../../../canonical/chat-reply.ts';
import type { StreamDecoder } from '../../../canonical/pass-through.ts';
import type { Usage } from '../../../canonical/usage.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import type { WireError } from '../families/api-family.ts';

/** What a reply shows besides the answer itself. */
export interface ReplyContext {
  /**
   * Letters and digits, unique per reply; the format puts its prefix before it (`chatcmpl-…`,
   * `msg_…`). Used where the upstream gave no id that fits, and for calls without one.
   */
  readonly id: string;
  /** The name in the caller's request. */
  readonly model: string;
  /** Unix seconds. */
  readonly created: number;
  /** The caller wants a usage chunk at the end of a stream (`stream_options.include_usage`). */
  readonly includeUsage?: boolean;
  /**
   * Prompt tokens as estimated before the call, for formats that report them in their first event.
   */
  readonly estimatedPromptTokens?: number;
  /** The response that was continued, for formats whose reply names it. */
  readonly previousId?: string;
  /** False: the reply cannot be read or written out later, whatever the request says. */
  readonly keepsContent?: boolean;
  /** See {@link StreamDecoder.callsInTurn}. */
  readonly callsInTurn?: boolean;
  /** The request, for formats whose reply repeats it or names tools as the request did. */
  readonly request?: ChatRequest;
}

/**
 * What is read from the address instead of the body: Gemini's path names the model, and whether to
 * stream.
 */
export interface RequestAddress {
  readonly model: string;
  readonly stream: boolean;
}

/**
 * Writes one streamed answer as text ready to send. What closes the stream comes from {@link end}
 * alone, so that the answer can be settled between the last content and the terminal events
 * (docs/rules/streams.md#end-waits-for-settlement).
 */
export interface StreamEncoder {
  /**
   * Events of this part. `finish`, `usage` and `error` write nothing: the first two are kept for
   * {@link end}, errors end by {@link fail}.
   */
  push(part: StreamPart): string;
  /** Finish, usage and terminator. `usage` overrides what the stream reported. Call once. */
  end(usage?: Usage): string;
  /**
   * Ends a stream that failed after its first byte, with the format's own error event. Call instead
   * of `end`.
   */
  fail(error: WireError): string;
}

export interface ChatTranslation {
  /**
   * Validates and reads a body. Unknown top-level fields are kept in `extra`. Throws
   * AppError('model_required' | 'invalid_text_request' | 'invalid_claude_request' |
   * 'invalid_request', {detail}) naming the field that is wrong. `address` is needed by
   * `gemini-generate` only.
   */
  readRequest(body: JsonObject, address?: RequestAddress): ChatRequest;
  writeReply(reply: ChatReply, context: ReplyContext): JsonValue;
  /** Media type of a streamed answer. */
  readonly streamContentType: string;
  createStreamEncoder(context: ReplyContext): StreamEncoder;
}
