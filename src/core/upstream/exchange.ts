/** A request to an upstream and what comes back, whatever carries it. */

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** `ws:` and `wss:`: the body is one message, each message that comes back a line (websocket.ts). */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** `http:`, `https:` or `socks5:` URL, user and password included. */
  readonly proxy?: string;
  /** Milliseconds until the reply's headers, and between two pieces of its body. 0: no limit. */
  readonly firstByteTimeout: number;
  readonly idleTimeout: number;
  /** Milliseconds until the end of the reply, whatever comes meanwhile. Absent: no limit. */
  readonly totalTimeout?: number;
}

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Why an exchange broke. `connect`: nothing was sent, or the connection failed before an answer. */
export type FailureKind = 'connect' | 'first-byte-timeout' | 'idle-timeout' | 'reset' | 'aborted';

export interface UpstreamSink {
  start(status: number, headers: ResponseHeaders): void;
  data(chunk: Buffer): void;
  end(): void;
  /** Called at most once, instead of `end`, and where one of the others throws. Not called after `abort`. Must not throw. */
  fail(kind: FailureKind, error: Error): void;
}

export interface Exchange {
  /** Ends the exchange; the sink hears nothing more. */
  abort(): void;
  /** The sink has all it needs and hears nothing more. What still comes within `grace` ms is read, so that the connection is kept. */
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
