/**
 * Calls to upstreams: pooled connections, time limits, abort, back-pressure, size limits
 * (docs/rules/streams.md#upstream-connections).
 */
import type { Dispatcher } from 'undici';
import type { WebSocket } from 'ws';
import { AppError } from '../kernel/errors.ts';
import { noteSending } from './body-slabs.ts';
import {
  type CollectedReply,
  type Exchange,
  exchangeError,
  type ResponseHeaders,
  replyTooLarge,
  type UpstreamSink,
  type WireRequest,
} from './exchange.ts';
import { GatheredBytes } from './gathered-bytes.ts';
import { HttpExchange } from './http-exchange.ts';
import { skippingContinue } from './skip-continue.ts';
import { connectThrough } from './tunnel.ts';
import { buildConnector, Pool, ProxyAgent } from './undici.ts';
import { exchangeMessages, openWebSocket, type SocketRequest } from './websocket.ts';

export interface Upstream {
  send(request: WireRequest, sink: UpstreamSink): Exchange;
  /**
   * Reads the whole reply. Throws AppError do_request_failed (no connection), upstream_cut (it
   * broke), upstream_timeout, bad_response_body (over `maxBytes`), the reason of `signal`, and what
   * `claim` throws, which is called with the bytes of each chunk before it is kept.
   */
  collect(
    request: WireRequest,
    maxBytes: number,
    signal?: AbortSignal,
    claim?: (bytes: number) => void,
  ): Promise<CollectedReply>;
  /**
   * The status of the reply, whose body does not count: it is read within `maxBytes` and the time
   * limits, and what keeps it from being read to its end is no failure. Throws as `collect` where
   * no status comes.
   */
  deliver(request: WireRequest, maxBytes: number, signal?: AbortSignal): Promise<number>;
  /** A WebSocket that is still connecting, for messages in both directions. */
  openWebSocket(request: SocketRequest): WebSocket;
  close(): Promise<void>;
}

export interface UpstreamSettings {
  /** Connector, such as the outbound guard; absent: direct connections. */
  readonly connect?: Pool.Options['connect'];
  /** Largest message of an upstream's WebSocket, in bytes. */
  readonly maxMessageBytes?: number;
}

/** Where a request goes. */
interface Target {
  readonly origin: string;
  readonly path: string;
  readonly isSocket: boolean;
}

function readTarget(address: string): Target {
  const { origin, pathname, search, protocol } = new URL(address);
  return { origin, path: pathname + search, isSocket: protocol === 'ws:' || protocol === 'wss:' };
}

/**
 * Addresses kept in parsed form: most requests go to the same few. Bounded in number and in length.
 */
const maxTargets = 500;
const longestTarget = 500;

/** Signals of other parts of the program have reasons that are no AppErrors. */
function abortError(signal: AbortSignal | undefined): AppError {
  return signal?.reason instanceof AppError ? signal.reason : new AppError('client_gone');
}

/** Connection pools kept. Bounded, because callers choose the hosts of files that are fetched. */
const maxPools = 500;

export function createUpstream(settings: UpstreamSettings = {}): Upstream {
  const pools = new Map<string, Dispatcher>();
  const targets = new Map<string, Target>();
  const closing = new Set<Dispatcher>();
  const { connect = {} } = settings;
  const dial = typeof connect === 'function' ? connect : buildConnector(connect);
  // One connection per request in flight; idle ones are kept for later requests.
  const options: Pool.Options = {
    connections: null,
    pipelining: 1,
    keepAliveTimeout: 30_000,
  };

  const proxied = (origin: string, proxy: string): Dispatcher => {
    if (/^socks5?:/.test(proxy))
      return new Pool(origin, {
        ...options,
        connect: skippingContinue(connectThrough(proxy, buildConnector({}))),
      });
    if (!/^https?:/.test(proxy)) throw new AppError('do_request_failed');
    // `connect` makes the tunnel, or the connection to the proxy where the upstream has no TLS.
    const factory = (to: URL | string, { connect: open, ...rest }: Pool.Options) =>
      new Pool(to, {
        ...rest,
        connect: typeof open === 'function' ? skippingContinue(open) : open,
      });
    return new ProxyAgent({ uri: proxy, factory });
  };
  const dispatcherFor = (origin: string, proxy: string | undefined): Dispatcher => {
    const key = proxy === undefined ? origin : `${proxy} ${origin}`;
    let dispatcher = pools.get(key);
    if (dispatcher === undefined) {
      if (proxy === undefined)
        dispatcher = new Pool(origin, { ...options, connect: skippingContinue(dial) });
      else dispatcher = proxied(origin, proxy);
      pools.set(key, dispatcher);
      if (pools.size > maxPools) dropOldest();
    }
    return dispatcher;
  };
  /** Drops the oldest pool; it closes when its requests have ended. */
  const dropOldest = (): void => {
    const [[key, oldest] = []] = pools;
    if (key === undefined || oldest === undefined) return;
    pools.delete(key);
    closing.add(oldest);
    void oldest.close().then(
      () => closing.delete(oldest),
      () => closing.delete(oldest),
    );
  };

  const targetOf = (address: string): Target => {
    const known = targets.get(address);
    if (known !== undefined) return known;
    const target = readTarget(address);
    if (address.length > longestTarget) return target;
    if (targets.size >= maxTargets) targets.clear();
    targets.set(address, target);
    return target;
  };

  const sockets = new Set<WebSocket>();
  const open = (request: SocketRequest): WebSocket => {
    const socket = openWebSocket(request, dial, settings.maxMessageBytes);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };

  const send = (request: WireRequest, sink: UpstreamSink): Exchange => {
    const { origin, path, isSocket } = targetOf(request.url);
    noteSending(request.body);
    if (isSocket) return exchangeMessages(open(request), request, sink);
    const handler = new HttpExchange(sink, request);
    const dispatcher = dispatcherFor(origin, request.proxy);
    dispatcher.dispatch(
      {
        origin,
        path,
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

  const gather = (
    [request, maxBytes, signal, claim]: Parameters<Upstream['collect']>,
    needsBody: boolean,
  ): Promise<CollectedReply> =>
    new Promise((resolve, reject) => {
      const body = new GatheredBytes();
      let status = 0;
      let headers: ResponseHeaders = {};
      let exchange: Exchange | null = null;
      const stop = (error: Error) => {
        signal?.removeEventListener('abort', onAbort);
        exchange?.abort();
        if (needsBody || status === 0) reject(error);
        else resolve({ status, headers, bytes: body.join() });
      };
      const onAbort = () => stop(abortError(signal));
      if (signal?.aborted) return onAbort();
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        exchange = send(request, {
          start: (code, received) => {
            status = code;
            headers = received;
          },
          data: (chunk) => {
            if (body.size + chunk.length > maxBytes) return stop(replyTooLarge(maxBytes));
            claim?.(chunk.length);
            body.push(chunk);
          },
          end: () => {
            signal?.removeEventListener('abort', onAbort);
            resolve({ status, headers, bytes: body.join() });
          },
          fail: (kind, error) => stop(exchangeError(kind, error)),
        });
      } catch (error) {
        stop(exchangeError('connect', error as Error));
      }
    });

  return {
    send,
    openWebSocket: open,
    collect: (...call) => gather(call, true),
    deliver: async (...call) => (await gather(call, false)).status,
    close: async () => {
      for (const socket of sockets) socket.terminate();
      await Promise.all([...pools.values(), ...closing].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}
