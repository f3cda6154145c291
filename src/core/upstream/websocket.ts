/**
 * WebSockets to upstreams (spec, relay 14): open connections for the realtime relay, and exchanges in which the request is
 * one message and every message that comes back is a line (provider seam, `UpstreamRequest.url`).
 */
import type { IncomingMessage } from 'node:http';
import type { createConnection } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket } from 'ws';
import { AppError } from '../kernel/errors.ts';
import type { CollectedReply, Exchange, FailureKind, UpstreamSink, WireRequest } from './exchange.ts';
import { type Dial, openTunnel } from './tunnel.ts';

export interface SocketRequest {
  /** `ws:` or `wss:`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
  /** `http:`, `https:` or `socks5:` URL, user and password included. */
  readonly proxy?: string | undefined;
}

/** Largest message that is read, in bytes: what a line of a stream may be (spec, relay 14). */
const maxMessageBytes = 64 * 1024 * 1024;

/** How far the answer of a server that refuses is read, in bytes. */
const maxRefusalBytes = 1024 * 1024;

/** Close codes of a server that has said all it had to say; 1005: it gave no code. */
const properEnds: ReadonlySet<number> = new Set([1000, 1005]);

/** Begins to connect; errors come as events of the socket. Throws SyntaxError on an address that is none. */
export function openWebSocket(request: SocketRequest, dial: Dial): WebSocket {
  const url = new URL(request.url);
  const secure = url.protocol === 'wss:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const to = { host, port: Number(url.port || (secure ? 443 : 80)), secure };
  const ended = new AbortController();
  const socket = new WebSocket(url, [...(request.protocols ?? [])], {
    headers: { ...request.headers },
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    createConnection: connectLater(() => openTunnel(to, request.proxy, dial, ended.signal)),
  });
  socket.once('close', () => ended.abort());
  return socket;
}

/**
 * Waits until `socket` is open: null, or the answer of a server that refuses to switch protocols. Throws what the
 * connection failed with, AppError upstream_timeout after `limit` ms (0: none).
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
    for (const event of ['open', 'error', 'close'] as const) socket.once(event, () => clearTimeout(timer));
  });
}

/** What a server says instead of switching protocols, as far as it is worth reading. */
async function readRefusal(response: IncomingMessage): Promise<CollectedReply> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    if (size > maxRefusalBytes) break;
  }
  return { status: response.statusCode ?? 502, headers: response.headers, bytes: Buffer.concat(pieces) };
}

/** What node:http takes: a function that calls back. The types of `ws` only know those that return their socket. */
function connectLater(open: () => Promise<Duplex>): typeof createConnection {
  const connect = (_options: unknown, done: (error: Error | null, connection?: Duplex) => void): null => {
    open().then((connection) => done(null, connection), done);
    return null;
  };
  return connect as unknown as typeof createConnection;
}

/** One message out, lines in. `socket` has just begun to connect. */
export function exchangeMessages(socket: WebSocket, request: WireRequest, sink: UpstreamSink): Exchange {
  return new MessageExchange(socket, request, sink);
}

class MessageExchange implements Exchange {
  readonly #socket: WebSocket;
  readonly #request: WireRequest;
  readonly #sink: UpstreamSink;
  /** The server's answer where it did not switch protocols. */
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

  /** One clock for both limits; it stands while the sink cannot take more. */
  #watch(): void {
    clearTimeout(this.#timer);
    const limit = this.#started ? this.#request.idleTimeout : this.#request.firstByteTimeout;
    if (limit === 0 || this.#over || this.#paused) return;
    const kind = this.#started ? 'idle-timeout' : 'first-byte-timeout';
    this.#timer = setTimeout(() => this.#fail(kind, new Error(`no message within ${limit} ms`)), limit);
  }

  #take(data: RawData): void {
    if (this.#over) return;
    // Line breaks are blanks between tokens of JSON, where breaks inside strings are escaped.
    const line = Buffer.from(`${String(data).replace(/[\r\n]+/g, ' ')}\n`);
    if (!this.#started) this.#begin(200, { 'content-type': 'application/x-ndjson' });
    this.#tell(() => this.#sink.data(line));
    this.#watch();
  }

  #begin(status: number, headers: IncomingMessage['headers']): void {
    this.#started = true;
    this.#tell(() => this.#sink.start(status, headers));
  }

  /** A sink that trips over what came has its exchange broken: there is nobody above it to hear an exception. */
  #tell(tell: () => void): void {
    if (this.#over) return;
    try {
      tell();
    } catch (error) {
      this.#fail('reset', error as Error);
    }
  }

  #refused(response: IncomingMessage): void {
    if (this.#over) return;
    this.#refusal = response;
    this.#begin(response.statusCode ?? 502, response.headers);
    response.on('data', (chunk: Buffer) => {
      this.#tell(() => this.#sink.data(chunk));
      this.#watch();
    });
    response.on('end', () => this.#end());
    response.on('error', (error) => this.#fail('reset', error));
    this.#watch();
  }

  #closed(code: number): void {
    if (this.#started && properEnds.has(code)) this.#end();
    else this.#fail('reset', new Error(`the connection closed with code ${code}`));
  }

  #finish(): boolean {
    if (this.#over) return false;
    this.#over = true;
    clearTimeout(this.#timer);
    return true;
  }

  #end(): void {
    this.#tell(() => this.#sink.end());
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

  /** No other exchange could use the connection. */
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
