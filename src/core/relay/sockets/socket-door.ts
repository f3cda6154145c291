/** A client that asks to switch to WebSocket: let in, or refused with an ordinary HTTP answer. */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { AppError } from '../../kernel/errors.ts';
import { type ClientWatch, watchClient } from '../client/client-watch.ts';

/** What both kinds of connections use; one per relay. */
export function createSocketServer(maxMessageBytes: number): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    // The other protocols a realtime client names carry its key (spec, relay 3).
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  });
}

export class SocketDoor {
  readonly client: ClientWatch;
  /** Belongs to no socket: what is written to it is kept until `refuse`. */
  readonly response: ServerResponse;
  readonly #request: IncomingMessage;
  readonly #socket: Socket;
  readonly #head: Buffer;
  readonly #readAhead = (): void => {
    // Empty although it is readable: at its end, which is told when one reads on.
    if (this.#socket.readableLength === 0) this.#socket.read();
  };
  readonly #hangUp = (): void => {
    this.#socket.destroy();
  };
  #opened = false;

  constructor(request: IncomingMessage, socket: Socket, head: Buffer) {
    this.#request = request;
    this.#socket = socket;
    this.#head = head;
    socket.on('error', () => socket.destroy());
    // Read ahead, into the socket's own buffer: one that nobody reads does not tell that its client left.
    socket.on('readable', this.#readAhead);
    socket.on('end', this.#hangUp);
    this.client = watchClient(socket);
    this.response = new ServerResponse(request);
    this.response.shouldKeepAlive = false;
  }

  /** What `ws` would refuse after the upstream was asked. Throws AppError invalid_request. */
  check(): void {
    const { headers } = this.#request;
    const key = headers['sec-websocket-key'];
    const version = headers['sec-websocket-version'];
    if (key === undefined || !/^[+/0-9A-Za-z]{22}==$/.test(key)) throw badHandshake('Sec-WebSocket-Key');
    if (version !== '13' && version !== '8') throw badHandshake('Sec-WebSocket-Version');
  }

  /** The open connection; undefined when the client is gone, or its handshake was refused after all. */
  open(server: WebSocketServer): WebSocket | undefined {
    let opened: WebSocket | undefined;
    if (this.client.left) return undefined;
    this.#socket.off('readable', this.#readAhead).off('end', this.#hangUp);
    server.handleUpgrade(this.#request, this.#socket, this.#head, (socket) => {
      // A peer that breaks the protocol or sends too much is told so by the close that follows.
      socket.on('error', () => undefined);
      opened = socket;
    });
    this.#opened = true;
    return opened;
  }

  /** Sends what was written to `response`, and hangs up. Nothing once the connection is open. */
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
