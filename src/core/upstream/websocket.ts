/**
 * WebSockets to upstreams (docs/rules/realtime.md#socket-upstreams): open connections for the
 * realtime relay, and exchanges in which the request is one message and every received message is a
 * line (see `UpstreamRequest.url`).
 */
import type { IncomingMessage } from 'node:http';
import type { createConnection } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket } from 'ws';
import { AppError } from '../kernel/errors.ts';
import type {
  CollectedReply,
  Exchange,
  FailureKind,
  UpstreamSink,
  WireRequest,
} from './exchange.ts';
import { type Dial, openTunnel } from './tunnel.ts';

export interface SocketRequest {
  /** `ws:` or `wss:`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
  /** `http:`, `https:` or `socks5:` URL, user and password included. */
  readonly proxy?: string | undefined;
}

/**
 * Size limit of a message in bytes, where the gateway sets none
 * (docs/rules/streams.md#reply-limits).
 */
const defaultMessageBytes = 32 * 1024 * 1024;

/** Bytes that are read of the reply of a server that refuses the handshake. */
const maxRefusalBytes = 1024 * 1024;

/** Close codes that mark a complete reply; 1005: no code was given. */
const completeCodes: ReadonlySet<number> = new Set([1000, 1005]);

/** Starts to connect; errors are events of the socket. Throws SyntaxError on an invalid address. */
export function openWebSocket(
  request: SocketRequest,
  dial: Dial,
  maxMessageBytes = defaultMessageBytes,
): WebSocket {
  const url = new URL(request.url);
  const secure = url.protocol === 'wss:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const to = { host, port: Number(url.port || (secure ? 443 : 80)), secure };
  const closed = new AbortController();
  const socket = new WebSocket(url, [...(request.protocols ?? [])], {
    headers: { ...request.headers },
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    createConnection: connectLater(() => openTunnel(to, request.proxy, dial, closed.signal)),
  });
  socket.once('close', () => closed.abort());
  return socket;
}

/**
 * Waits until `socket` is open and returns null, or the reply of a server that refuses to switch
 * protocols. Throws the error of the connection, or AppError upstream_timeout after `limit` ms (0:
 * no limit).
 */
export function handshakeOf(socket: WebSocket, limit: number): Promise<CollectedReply | null> {
  return new Promise((resolve, reject) => {
    const late = () => {
      reject(new AppError('upstream_timeout'));
      socket.terminate();
    };
    const timer = limit > 0 ? setTimeout(late, limit) : undefined;
    socket.once('open', () => resolve(null));
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection closed during the handshake')));
    socket.once('unexpected-response', (_request, response) => {
      readRefusal(response).then((refusal) => {
        resolve(refusal);
        socket.terminate();
      }, reject);
    });
    for (const event of ['open', 'error', 'close'] as const)
      socket.once(event, () => clearTimeout(timer));
  });
}

/** The reply of a server that does not switch protocols, cut at {@link maxRefusalBytes}. */
async function readRefusal(response: IncomingMessage): Promise<CollectedReply> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    if (size > maxRefusalBytes) break;
  }
  return {
    status: response.statusCode ?? 502,
    headers: response.headers,
    bytes: Buffer.concat(pieces),
  };
}

/**
 * An asynchronous `createConnection` for node:http. The types of `ws` only know the synchronous
 * form.
 */
function connectLater(open: () => Promise<Duplex>): typeof createConnection {
  const connect = (
    _options: unknown,
    done: (error: Error | null, connection?: Duplex) => void,
  ): null => {
    open().then((connection) => done(null, connection), done);
    return null;
  };
  return connect as unknown as typeof createConnection;
}

/**
 * Sends the body as one message and passes received messages to the sink as lines. `socket` is
 * still connecting.
 */
export function exchangeMessages(
  socket: WebSocket,
  request: WireRequest,
  sink: UpstreamSink,
): Exchange {
  return new MessageExchange(socket, request, sink);
}

class MessageExchange implements Exchange {
  readonly #socket: WebSocket;
  readonly #request: WireRequest;
  readonly #sink: UpstreamSink;
  /** The server's reply where it did not switch protocols. */
  #refusal: IncomingMessage | null = null;
  #opened = false;
  #started = false;
  #over = false;
  #paused = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, request: WireRequest, sink: UpstreamSink) {
    this.#socket = socket;
    this.#request = request;
    this.#sink = sink;
    this.#watch();
    socket.on('open', () => this.#sendBody());
    socket.on('message', (data) => this.#take(data));
    socket.on('close', (code) => this.#closed(code));
    socket.on('error', (error) => this.#fail(this.#opened ? 'reset' : 'connect', error));
    socket.on('unexpected-response', (_request, response) => this.#refused(response));
  }

  #sendBody(): void {
    this.#opened = true;
    const { body } = this.#request;
    if (body !== undefined) this.#socket.send(body, { binary: false });
  }

  /** One timer for both limits; stopped while the sink applies back-pressure. */
  #watch(): void {
    clearTimeout(this.#timer);
    const limit = this.#started ? this.#request.idleTimeout : this.#request.firstByteTimeout;
    if (limit === 0 || this.#over || this.#paused) return;
    const kind = this.#started ? 'idle-timeout' : 'first-byte-timeout';
    this.#timer = setTimeout(
      () => this.#fail(kind, new Error(`no message within ${limit} ms`)),
      limit,
    );
  }

  #take(data: RawData): void {
    if (this.#over) return;
    // In JSON a raw line break is whitespace between tokens: breaks inside strings are escaped.
    const line = Buffer.from(`${String(data).replace(/[\r\n]+/g, ' ')}\n`);
    if (!this.#started) this.#begin(200, { 'content-type': 'application/x-ndjson' });
    this.#callSink(() => this.#sink.data(line));
    this.#watch();
  }

  #begin(status: number, headers: IncomingMessage['headers']): void {
    this.#started = true;
    this.#callSink(() => this.#sink.start(status, headers));
  }

  /**
   * Calls the sink. If it throws, the exchange fails, because no caller could catch the exception.
   */
  #callSink(call: () => void): void {
    if (this.#over) return;
    try {
      call();
    } catch (error) {
      this.#fail('reset', error as Error);
    }
  }

  #refused(response: IncomingMessage): void {
    if (this.#over) return;
    this.#refusal = response;
    this.#begin(response.statusCode ?? 502, response.headers);
    response.on('data', (chunk: Buffer) => {
      this.#callSink(() => this.#sink.data(chunk));
      this.#watch();
    });
    response.on('end', () => this.#end());
    response.on('error', (error) => this.#fail('reset', error));
    this.#watch();
  }

  #closed(code: number): void {
    if (this.#started && completeCodes.has(code)) this.#end();
    else this.#fail('reset', new Error(`the connection closed with code ${code}`));
  }

  #finish(): boolean {
    if (this.#over) return false;
    this.#over = true;
    clearTimeout(this.#timer);
    return true;
  }

  #end(): void {
    this.#callSink(() => this.#sink.end());
    if (this.#finish()) this.#socket.terminate();
  }

  #fail(kind: FailureKind, error: Error): void {
    if (!this.#finish()) return;
    this.#socket.terminate();
    this.#sink.fail(kind, error);
  }

  abort(): void {
    if (this.#finish()) this.#socket.terminate();
  }

  /** The connection cannot be reused, so it is closed. */
  leave(): void {
    this.abort();
  }

  pause(): void {
    if (this.#over) return;
    this.#paused = true;
    this.#refusal?.pause();
    this.#socket.pause();
    this.#watch();
  }

  resume(): void {
    if (this.#over) return;
    this.#paused = false;
    this.#refusal?.resume();
    this.#socket.resume();
    this.#watch();
  }
}
