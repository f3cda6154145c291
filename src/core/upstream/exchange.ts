/** A request to an upstream and its reply, independent of the transport. */
import { AppError } from '../kernel/errors.ts';

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /**
   * With `ws:` and `wss:` the body is sent as one message and each received message becomes a line
   * (websocket.ts).
   */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** `http:`, `https:` or `socks5:` URL, user and password included. */
  readonly proxy?: string;
  /** Milliseconds until the reply's headers, and between two chunks of its body. 0: no limit. */
  readonly firstByteTimeout: number;
  readonly idleTimeout: number;
  /** Milliseconds until the end of the reply, regardless of progress. Absent: no limit. */
  readonly totalTimeout?: number;
}

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Why an exchange failed. `connect`: no connection came about. `reset`: it broke, before or amid
 * the reply.
 */
export type FailureKind = 'connect' | 'first-byte-timeout' | 'idle-timeout' | 'reset' | 'aborted';

/** What an exchange that broke is reported as. */
export function exchangeError(kind: FailureKind, cause: Error): AppError {
  if (cause instanceof AppError) return cause;
  if (kind === 'first-byte-timeout' || kind === 'idle-timeout')
    return new AppError('upstream_timeout', {}, { cause });
  return new AppError(kind === 'reset' ? 'upstream_cut' : 'do_request_failed', {}, { cause });
}

export interface UpstreamSink {
  start(status: number, headers: ResponseHeaders): void;
  data(chunk: Buffer): void;
  end(): void;
  /**
   * Called at most once, instead of `end` or when another method throws. Not called after `abort`.
   * Must not throw.
   */
  fail(kind: FailureKind, error: Error): void;
}

export interface Exchange {
  /** Ends the exchange. The sink is not called any more. */
  abort(): void;
  /**
   * The sink has all it needs and is not called any more. The rest of the reply is read for up to
   * `grace` ms to keep the connection.
   */
  leave(grace: number): void;
  pause(): void;
  resume(): void;
}

export interface CollectedReply {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly bytes: Buffer;
}

export function headerText(headers: ResponseHeaders, name: string): string {
  const value = headers[name];
  return value === undefined ? '' : Array.isArray(value) ? (value[0] ?? '') : value;
}

/** A reply of more than `limit` bytes (docs/rules/streams.md#reply-limits). */
export function replyTooLarge(limit: number): AppError {
  return new AppError('bad_response_body', {
    detail: `more than ${Math.round((limit / 1024 / 1024) * 10) / 10} MB`,
  });
}
