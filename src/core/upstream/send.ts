/** The one upstream call: pooled connections, time limits, abort, back-pressure, size limits (design, examples 3.3). */
import { buildConnector, type Dispatcher, Pool, ProxyAgent, Socks5ProxyAgent } from 'undici';
import type { WebSocket } from 'ws';
import { AppError } from '../kernel/errors.ts';
import { HttpExchange } from './http-exchange.ts';
import { exchangeMessages, openWebSocket, type SocketRequest } from './websocket.ts';

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

export interface Upstream {
  send(request: WireRequest, sink: UpstreamSink): Exchange;
  /** The whole reply. Throws AppError do_request_failed, upstream_timeout, bad_response_body (over `maxBytes`). */
  collect(request: WireRequest, maxBytes: number, signal?: AbortSignal): Promise<CollectedReply>;
  /** A WebSocket that has begun to connect, for frames in both directions. */
  openWebSocket(request: SocketRequest): WebSocket;
  close(): Promise<void>;
}

export function headerText(headers: ResponseHeaders, name: string): string {
  const value = headers[name];
  return value === undefined ? '' : Array.isArray(value) ? (value[0] ?? '') : value;
}

export interface UpstreamSettings {
  /** How origins are connected to; absent: as they come. */
  readonly connect?: Pool.Options['connect'];
}

/** Servers whose connections are kept. Callers name hosts for their files, so what is remembered has an end. */
const mostPools = 500;

export function createUpstream(settings: UpstreamSettings = {}): Upstream {
  const pools = new Map<string, Dispatcher>();
  const closing = new Set<Dispatcher>();
  // One connection per request in flight; idle ones are kept for the next.
  const options: Pool.Options = {
    connections: null,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    ...(settings.connect === undefined ? {} : { connect: settings.connect }),
  };

  const dispatcherFor = (origin: string, proxy: string | undefined): Dispatcher => {
    const key = proxy === undefined ? origin : `${proxy} ${origin}`;
    let dispatcher = pools.get(key);
    if (dispatcher === undefined) {
      if (proxy === undefined) dispatcher = new Pool(origin, options);
      else if (/^socks5?:/.test(proxy)) dispatcher = new Socks5ProxyAgent(proxy);
      else if (/^https?:/.test(proxy)) dispatcher = new ProxyAgent(proxy);
      else throw new AppError('do_request_failed');
      pools.set(key, dispatcher);
      if (pools.size > mostPools) forgetOldest();
    }
    return dispatcher;
  };
  /** Closed once what is under way has ended. */
  const forgetOldest = (): void => {
    const [[key, oldest] = []] = pools;
    if (key === undefined || oldest === undefined) return;
    pools.delete(key);
    closing.add(oldest);
    void oldest.close().then(
      () => closing.delete(oldest),
      () => closing.delete(oldest),
    );
  };

  const { connect = {} } = settings;
  const dial = typeof connect === 'function' ? connect : buildConnector(connect);
  const sockets = new Set<WebSocket>();
  const open = (request: SocketRequest): WebSocket => {
    const socket = openWebSocket(request, dial);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };

  const send = (request: WireRequest, sink: UpstreamSink): Exchange => {
    const url = new URL(request.url);
    if (url.protocol === 'ws:' || url.protocol === 'wss:') return exchangeMessages(open(request), request, sink);
    const handler = new HttpExchange(sink, request);
    const dispatcher = dispatcherFor(url.origin, request.proxy);
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers as Record<string, string>,
        body: request.body ?? null,
        headersTimeout: request.firstByteTimeout,
        bodyTimeout: request.idleTimeout,
      },
      handler,
    );
    return handler;
  };

  return {
    send,
    openWebSocket: open,
    collect: (request, maxBytes, signal) =>
      new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        let size = 0;
        let status = 0;
        let headers: ResponseHeaders = {};
        let exchange: Exchange | null = null;
        const stop = (error: Error) => {
          signal?.removeEventListener('abort', onAbort);
          exchange?.abort();
          reject(error);
        };
        const onAbort = () => stop(new AppError('client_gone'));
        if (signal?.aborted) return stop(new AppError('client_gone'));
        signal?.addEventListener('abort', onAbort, { once: true });
        try {
          exchange = send(request, {
            start: (code, received) => {
              status = code;
              headers = received;
            },
            data: (chunk) => {
              size += chunk.length;
              if (size > maxBytes) return stop(new AppError('bad_response_body'));
              chunks.push(chunk);
            },
            end: () => {
              signal?.removeEventListener('abort', onAbort);
              resolve({ status, headers, bytes: Buffer.concat(chunks) });
            },
            fail: (kind, error) => {
              if (error instanceof AppError) return stop(error);
              stop(new AppError(kind.endsWith('timeout') ? 'upstream_timeout' : 'do_request_failed', {}, { cause: error }));
            },
          });
        } catch (error) {
          stop(error instanceof AppError ? error : new AppError('do_request_failed', {}, { cause: error }));
        }
      }),
    close: async () => {
      for (const socket of sockets) socket.terminate();
      await Promise.all([...pools.values(), ...closing].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}
