/**
 * A scripted WebSocket upstream: records handshakes and messages, and runs a script per connection.
 */
import type { IncomingMessage, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

/** One connection as the upstream sees it. */
export interface UpstreamConnection {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  /** The next message, waiting if necessary; text frames as strings. */
  next(): Promise<string | Buffer>;
  /** Sends objects as JSON, anything else unchanged. */
  send(message: object | string): void;
  /** Resolves with the close code when the connection ends. */
  readonly closed: Promise<number>;
}

/** Serves a connection, or refuses the handshake with a reply on the raw socket. */
export interface SocketScript {
  readonly connect?: (connection: UpstreamConnection) => void | Promise<void>;
  readonly refuse?: (socket: Duplex, request: IncomingMessage) => void;
}

export interface SocketUpstream {
  /** `http://127.0.0.1:…` */
  readonly url: string;
  /** `ws://127.0.0.1:…` */
  readonly socketUrl: string;
  readonly connections: UpstreamConnection[];
  /** Scripts for the next handshakes; the last one is used for all later ones. */
  script(...scripts: SocketScript[]): void;
  close(): Promise<void>;
}

export function refusal(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): SocketScript {
  const lines = Object.entries({
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...headers,
  });
  return {
    refuse: (socket) =>
      void socket.end(
        `HTTP/1.1 ${status} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
      ),
  };
}

export async function startSocketUpstream(
  server: Server = createServer(),
): Promise<SocketUpstream> {
  const connections: UpstreamConnection[] = [];
  const raws = new Set<Duplex>();
  let scripts: SocketScript[] = [{}];
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request: IncomingMessage, raw: Duplex, head: Buffer) => {
    const script = (scripts.length > 1 ? scripts.shift() : scripts[0]) ?? {};
    raws.add(raw);
    if (script.refuse !== undefined) return script.refuse(raw, request);
    sockets.handleUpgrade(request, raw, head, (socket) => {
      const connection = describe(socket, request);
      connections.push(connection);
      void script.connect?.(connection);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    socketUrl: `ws://127.0.0.1:${port}`,
    connections,
    script: (...next) => {
      scripts = next;
    },
    close: () =>
      new Promise((resolve) => {
        for (const raw of raws) raw.destroy();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function describe(socket: WebSocket, request: IncomingMessage): UpstreamConnection {
  const waiting: ((message: string | Buffer) => void)[] = [];
  const arrived: (string | Buffer)[] = [];
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const message = isBinary ? data : data.toString('utf8');
    const taker = waiting.shift();
    if (taker === undefined) arrived.push(message);
    else taker(message);
  });
  return {
    socket,
    request,
    next: () => {
      const first = arrived.shift();
      return first === undefined
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(first);
    },
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    closed: new Promise((resolve) => socket.once('close', resolve)),
  };
}
