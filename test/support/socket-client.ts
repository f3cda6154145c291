/** A WebSocket client for tests. */
import { type ClientOptions, WebSocket } from 'ws';

export interface SocketClient {
  readonly socket: WebSocket;
  /** The next message, waiting if necessary: text frames are parsed, binary ones unchanged. */
  next(): Promise<Record<string, unknown>>;
  nextRaw(): Promise<string | Buffer>;
  /** Sends objects as JSON, anything else unchanged. */
  send(message: object | string): void;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

function connect(url: string, protocols: string[], options: ClientOptions): WebSocket {
  const socket = new WebSocket(url, protocols, options);
  socket.on('error', () => undefined);
  return socket;
}

/** Rejects when the handshake fails. */
export async function openSocket(
  url: string,
  options: ClientOptions = {},
  protocols: string[] = [],
): Promise<SocketClient> {
  const socket = connect(url, protocols, options);
  const arrived: (string | Buffer)[] = [];
  const waiting: ((message: string | Buffer) => void)[] = [];
  socket.on('message', (data: Buffer, binary: boolean) => {
    const message = binary ? data : data.toString('utf8');
    const taker = waiting.shift();
    if (taker === undefined) arrived.push(message);
    else taker(message);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const nextRaw = () => {
    const first = arrived.shift();
    return first === undefined
      ? new Promise<string | Buffer>((resolve) => waiting.push(resolve))
      : Promise.resolve(first);
  };
  return {
    socket,
    nextRaw,
    next: async () => JSON.parse(String(await nextRaw())) as Record<string, unknown>,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    closed,
  };
}

/** The reply of a server that does not switch protocols. */
export function refusedSocket(
  url: string,
  options: ClientOptions = {},
  protocols: string[] = [],
): Promise<Refusal> {
  return new Promise((resolve, reject) => {
    const socket = connect(url, protocols, options);
    socket.once('open', () => reject(new Error('the connection was accepted')));
    socket.once('unexpected-response', async (_request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of response as AsyncIterable<Buffer>) pieces.push(piece);
      const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as Record<string, unknown>;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
  });
}
