/**
 * Request and reply of a response that is not sent by HTTP: a frame of a WebSocket, or one of the
 * background. The relay handles them like those of HTTP: reading, billing and failover are those of
 * `POST /v1/responses`, and only here the events become frames.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import { Readable, Writable } from 'node:stream';
import { createFrameReader } from '../../canonical/kit/frames.ts';
import { isObject, type JsonObject, parseObject } from '../../kernel/json.ts';
import type { ClientReply, ClientRequest } from './client.ts';

/**
 * Headers of the handshake that do not belong to its requests. Its subprotocols do: they may hold a
 * key.
 */
const handshakeHeaders =
  /^(connection|upgrade|content-length|content-encoding|transfer-encoding|sec-websocket-(?!protocol).*)$/;

/** `openai-beta` without the value that requests this protocol. */
function otherBetas(value: string | string[] | undefined): string | undefined {
  const betas = String(value ?? '').split(',');
  const others = betas
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '' && !beta.startsWith('responses_websockets'));
  return others.length === 0 ? undefined : others.join(',');
}

/** A frame's body as an HTTP request of the client of `handshake`. */
export function frameRequest(handshake: ClientRequest, body: Buffer): ClientRequest {
  const entries = Object.entries(handshake.headers).filter(
    ([name]) => !handshakeHeaders.test(name),
  );
  const headers = {
    ...Object.fromEntries(entries),
    'content-type': 'application/json',
    'content-length': String(body.length),
    'openai-beta': otherBetas(handshake.headers['openai-beta']),
  };
  const { socket, url } = handshake;
  return Object.assign(Readable.from([body], { objectMode: false }), {
    method: 'POST',
    url,
    headers,
    socket,
    complete: true,
  });
}

export interface FrameListener {
  /** Sends a frame; waits where the client is slow. */
  send(frame: string): Promise<void> | undefined;
  /** A response that ended well, whole. */
  completed(response: JsonObject): void;
}

/** Events with a response that can be continued. */
const terminal: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete']);
const terminalMark = /"response\.(completed|incomplete)"/;

/** Headers of errors that are added to their frame, for clients that wait before they retry. */
const errorHeaders = ['retry-after', 'x-should-retry', 'x-request-id'] as const;

export class FrameReply extends Writable implements ClientReply {
  statusCode = 200;
  headersSent = false;
  readonly #listener: FrameListener;
  readonly #events = createFrameReader('sse');
  #headers: OutgoingHttpHeaders = {};

  constructor(listener: FrameListener) {
    super();
    this.#listener = listener;
    this.on('error', () => undefined); // reported by its close event
  }

  setHeader(name: string, value: string): void {
    this.#headers[name.toLowerCase()] = value;
  }

  writeHead(status: number, headers: OutgoingHttpHeaders = {}): void {
    this.statusCode = status;
    this.#headers = { ...this.#headers, ...headers };
    this.headersSent = true;
  }

  override _write(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    this.#pass(() => this.#events.push(chunk), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#pass(() => this.#events.end(), done);
  }

  #pass(
    read: () => readonly { readonly data: string }[],
    done: (error?: Error | null) => void,
  ): void {
    try {
      const waits = read().map(({ data }) => this.#listener.send(this.#frame(data)));
      Promise.all(waits).then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
  }

  /**
   * An event is sent unchanged. A reply in one piece is an error, or becomes the event that would
   * end its stream.
   */
  #frame(data: string): string {
    if (this.statusCode !== 200) return JSON.stringify(this.#error(parseObject(data)?.['error']));
    const whole = !String(this.#headers['content-type']).startsWith('text/event-stream');
    if (!whole && !terminalMark.test(data)) return data;
    const value = parseObject(data) ?? {};
    const event = whole
      ? { type: `response.${String(value['status'])}`, sequence_number: 0, response: value }
      : value;
    const { type, response } = event;
    if (terminal.has(type) && isObject(response)) this.#listener.completed(response as JsonObject);
    return whole ? JSON.stringify(event) : data;
  }

  #error(error: unknown): JsonObject {
    const headers = errorHeaders.flatMap((name) => {
      const value = this.#headers[name];
      return value === undefined ? [] : [[name, String(value)] as const];
    });
    return {
      type: 'error',
      status: this.statusCode,
      error: (error ?? {}) as JsonObject,
      headers: Object.fromEntries(headers),
    };
  }
}
