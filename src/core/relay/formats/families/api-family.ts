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
  /** What of the request is at fault: clients of each API know such errors by words of its own. */
  readonly about?: 'context' | 'content' | undefined;
}

/** How the clients of an API know that a prompt is too long: agents then compact and go on. */
export interface OverlongWords {
  /** Texts in lower case that its clients look for: a message with one of them stays as it is. */
  readonly known: readonly string[];
  /** The API's own message, in tokens; `most` and `sent` where the upstream named both. */
  write(figures: { readonly most: number; readonly sent: number } | undefined): string;
}

/** The two figures of a message about too many tokens: what came, and the most that is read. */
function figuresIn(message: string): Parameters<OverlongWords['write']>[0] {
  const [one, other] = [...message.matchAll(/(?<![\w.-])\d[\d,]{2,9}(?![\w-]|\.\d)/g)].map(
    ([figure]) => Number(figure.replaceAll(',', '')),
  );
  if (one === undefined || other === undefined || one === other) return undefined;
  return { most: Math.min(one, other), sent: Math.max(one, other) };
}

/** The message of an error as clients of the API know it: the upstream's words stand behind ours. */
export function messageFor({ about, message }: WireError, { known, write }: OverlongWords): string {
  if (about !== 'context') return message;
  const text = message.toLowerCase();
  return known.some((words) => text.includes(words))
    ? message
    : `${write(figuresIn(message))} ${message}`;
}

/** What of a limit is left to a caller. */
export interface Allowance {
  readonly unit: 'requests' | 'tokens';
  /** In a window. */
  readonly limit: number;
  readonly left: number;
  /** Milliseconds until all of it is there again; of a refused request, until it may be repeated. */
  readonly resetMs: number;
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
  /**
   * The headers that tell clients of a limit. `now`: Unix milliseconds. Absent: those of OpenAI's
   * API, which most clients know.
   */
  limitHeaders?(allowance: Allowance, now: number): Readonly<Record<string, string>>;
  /** Text that keeps an idle stream open, between events only. */
  readonly keepAlive: string;
  /** Messages are words that clients match: no request id is added to them. */
  readonly fixedMessages?: boolean;
}
