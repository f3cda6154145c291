/**
 * What all formats of one API have in common, whatever is called: errors, keep-alives and the paths
 * that are its own.
 */
import type { JsonObject } from '../../../kernel/json.ts';

/** An error as its caller is to read it. */
export interface WireError {
  /** The HTTP status the caller gets. */
  readonly status: number;
  /** Text for people, masked and final. */
  readonly message: string;
  /**
   * The upstream's own type and code where it has them; `new_api_error` and our code for errors of
   * the gateway.
   */
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  /** Seconds until a repeat makes sense, where known. */
  readonly retryAfter?: number | undefined;
}

/** The type of errors the gateway itself reports, on OpenAI routes. */
export const gatewayErrorType = 'new_api_error';

export interface ApiFamily {
  readonly name: 'openai' | 'anthropic' | 'gemini' | 'cohere' | 'suno' | 'video' | 'midjourney';
  /** Whether errors on a path that no format claims are written in this family's shape. */
  ownsPath(method: string, path: string): boolean;
  /** The whole body of an error reply, and the payload of an error inside a stream. */
  errorBody(error: WireError): JsonObject;
  /** The end of a stream whose answer is incomplete. */
  errorEvent(error: WireError): string;
  /**
   * Clients read {@link errorEvent} as an ending like others, so that the connection is cut after
   * it.
   */
  readonly cutsBrokenStreams?: boolean;
  /** Text that keeps an idle stream open, between events only. */
  readonly keepAlive: string;
  /** Messages are words that clients match: no request id is added to them. */
  readonly fixedMessages?: boolean;
}
