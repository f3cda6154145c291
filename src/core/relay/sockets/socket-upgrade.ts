/**
 * A client that asks to switch to WebSocket: accepted, or refused with an ordinary HTTP reply
 * (docs/rules/realtime.md#socket-refusal).
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { AppError } from '../../kernel/errors.ts';
import { type StoppableWatch, watchClient } from '../client/client-watch.ts';

/** Accepts both kinds of connections; one per relay. */
export function createSocketServer(maxMessageBytes: number): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    // The other subprotocols of a realtime client carry its key (docs/rules/relay.md#key-sources).
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  });
}

export class SocketUpgrade {
  readonly client: StoppableWatch;
  /** Assigned to no socket: what is written to it is kept until `refuse`. */
  readonly response: ServerResponse;
  readonly #request: IncomingMessage;
  readonly #socket: Socket;
  readonly #head: Buffer;
  readonly #readAhead = (): void => {
    // Readable but empty: the end, which node reports once it is read.
    if (this.#socket.readableLength === 0) this.#socket.read();
  };
  readonly #closeAtEnd = (): void => {
    this.#socket.destroy();
  };
  #opened = false;

  constructor(request: IncomingMessage, socket: Socket, head: Buffer) {
    this.#request = request;
    this.#socket = socket;
    this.#head = head;
    socket.on('error', () => socket.destroy());
    // Read ahead, into the socket's own buffer: a socket that is not read does not notice that its
    // client left.
    socket.on('readable', this.#readAhead);
    socket.on('end', this.#closeAtEnd);
    this.client = watchClient(socket);
    this.response = new ServerResponse(request);
    this.response.shouldKeepAlive = false;
  }

  /**
   * Checks beforehand what `ws` would refuse after the upstream was called. Throws AppError
   * invalid_request.
   */
  check(): void {
    const { headers } = this.#request;
    const key = headers['sec-websocket-key'];
    const version = headers['sec-websocket-version'];
    if (key === undefined || !/^[+/0-9A-Za-z]{22}==$/.test(key))
      throw badHandshake('Sec-WebSocket-Key');
    if (version !== '13' && version !== '8') throw badHandshake('Sec-WebSocket-Version');
  }

  /**
   * The open connection; undefined when the client is gone, or its handshake was refused after all.
   */
  open(server: WebSocketServer): WebSocket | undefined {
    let opened: WebSocket | undefined;
    if (this.client.departure !== undefined) return undefined;
    this.#socket.off('readable', this.#readAhead).off('end', this.#closeAtEnd);
    server.handleUpgrade(this.#request, this.#socket, this.#head, (socket) => {
      // A peer that breaks the protocol or sends too much gets the reason with the close that
      // follows.
      socket.on('error', () => undefined);
      opened = socket;
    });
    this.#opened = true;
    return opened;
  }

  /** Sends what was written to `response`, and closes. Does nothing once the connection is open. */
  refuse(): void {
    if (this.#opened) return;
    if (!this.response.headersSent) return void this.#socket.destroy();
    this.response.once('finish', () => this.#socket.end());
    this.response.assignSocket(this.#socket);
  }
}

function badHandshake(header: string): AppError {
  return new AppError('invalid_request', { detail: `header ${header} is missing or invalid` });
}
