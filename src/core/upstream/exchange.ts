/** A request to an upstream and its reply, independent of the transport. */

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** With `ws:` and `wss:` the body is sent as one message and each received message becomes a line (websocket.ts). */
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

/** Why an exchange failed. `connect`: nothing was sent, or the connection failed before a reply. */
export type FailureKind = 'connect' | 'first-byte-timeout' | 'idle-timeout' | 'reset' | 'aborted';

export interface UpstreamSink {
  start(status: number, headers: ResponseHeaders): void;
  data(chunk: Buffer): void;
  end(): void;
  /** Called at most once, instead of `end` or when another method throws. Not called after `abort`. Must not throw. */
  fail(kind: FailureKind, error: Error): void;
}

export interface Exchange {
  /** Ends the exchange. The sink is not called any more. */
  abort(): void;
  /**
   * The sink has all it needs and is not called any more. The rest of the reply is read for up to `grace` ms to keep the
   * connection.
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
