/**
 * A client of HTTP/1.1 that costs little, so that the load leaves the processor to what is
 * measured: prepared bytes out, and of the reply only status, length and ending are read.
 */
import { connect, type Socket } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');
/** How much of a reply's end is kept, in bytes. */
const tailBytes = 96;

export interface Connection {
  /**
   * Sends one request, without waiting for others: one at a time. Resolves with whether the reply
   * was successful and whole. `seen` gets what arrives, as it arrives.
   */
  send(
    parts: readonly Buffer[],
    endings: readonly string[],
    seen?: (data: Buffer) => void,
  ): Promise<boolean>;
  isOpen(): boolean;
  close(): void;
}

interface Reply {
  status: number;
  /** Bytes of the body that are still to come; undefined: chunked. */
  remaining: number | undefined;
  head: Buffer | undefined;
  tail: Buffer;
  readonly endings: readonly string[];
  readonly seen?: ((data: Buffer) => void) | undefined;
  readonly resolve: (isGood: boolean) => void;
}

export function openConnection(host: string, port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(connection(socket)));
    socket.once('error', reject);
  });
}

function connection(socket: Socket): Connection {
  let reply: Reply | undefined;
  const finish = (isGood: boolean) => {
    const { resolve } = reply ?? {};
    reply = undefined;
    resolve?.(isGood);
  };
  socket.on('data', (data: Buffer) => {
    if (reply === undefined) return socket.destroy();
    reply.seen?.(data);
    const body = reply.head === undefined ? data : readHead(reply, data);
    if (body !== undefined && readBody(reply, body)) finish(isSuccess(reply));
  });
  socket.on('close', () => finish(false));
  socket.on('error', () => finish(false));
  return {
    isOpen: () => !socket.destroyed,
    close: () => socket.destroy(),
    send: (parts, endings, seen) =>
      new Promise((resolve) => {
        reply = {
          status: 0,
          remaining: undefined,
          head: Buffer.of(),
          tail: Buffer.of(),
          endings,
          seen,
          resolve,
        };
        if (parts.length > 1) socket.cork();
        for (const part of parts) socket.write(part);
        if (parts.length > 1) socket.uncork();
      }),
  };
}

/** The bytes after the head; undefined while it is not complete. */
function readHead(reply: Reply, data: Buffer): Buffer | undefined {
  const bytes = reply.head?.length ? Buffer.concat([reply.head, data]) : data;
  const end = bytes.indexOf(headEnd);
  if (end === -1) {
    reply.head = bytes;
    return undefined;
  }
  const head = bytes.toString('latin1', 0, end);
  reply.status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  reply.remaining = length === undefined ? undefined : Number(length);
  reply.head = undefined;
  return bytes.subarray(end + headEnd.length);
}

/** True when the body is complete. */
function readBody(reply: Reply, data: Buffer): boolean {
  if (reply.remaining !== undefined) {
    reply.remaining -= data.length;
    if (reply.endings.length > 0) keepTail(reply, data);
    return reply.remaining <= 0;
  }
  keepTail(reply, data);
  return reply.tail.subarray(-lastChunk.length).equals(lastChunk);
}

function keepTail(reply: Reply, data: Buffer): void {
  reply.tail =
    data.length >= tailBytes
      ? data.subarray(-tailBytes)
      : Buffer.concat([reply.tail, data]).subarray(-tailBytes);
}

function isSuccess({ status, tail, endings }: Reply): boolean {
  if (status !== 200) return false;
  return endings.length === 0 || endings.some((ending) => tail.includes(ending));
}
