/**
 * Writes to a client's stream. Node gives each chunk of a response to the socket as four buffers, with
 * a cork around them: for streams of small events that is a large part of their cost. Here the chunk
 * is framed in one piece, a text where there is one, because memory of buffers hurries collections
 * of all memory (docs/performance.md#streams).
 */
import type { EventEmitter } from 'node:events';
import type { ClientReply } from './client.ts';

const carriageReturn = 0x0d;
const newline = 0x0a;

/** What emits `drain` when more may be sent; undefined: more may be sent now. */
export type Full = Pick<EventEmitter, 'once'> | undefined;

/** Writes as node does. */
export function fullAfter(response: ClientReply, data: Buffer | string): Full {
  return response.write(data) ? undefined : response;
}

/**
 * Writes the next chunk of a reply whose head was sent with its first chunk. `latin1`: the bytes as
 * text.
 */
export function writeChunk(response: ClientReply, data: Buffer | string, latin1?: string): Full {
  // What stands before the reply (edit-reply.ts) sees all that is written.
  if (Object.hasOwn(response, 'write')) return fullAfter(response, data);
  const { socket } = response;
  // Without a socket earlier replies of the same connection are not through yet.
  if (socket === undefined || socket === null || response.chunkedEncoding !== true)
    return fullAfter(response, data);
  const size = typeof data === 'string' ? Buffer.byteLength(data) : data.length;
  const head = `${size.toString(16)}\r\n`;
  const text = latin1 ?? (typeof data === 'string' ? data : undefined);
  const isTaken =
    text === undefined
      ? socket.write(framed(head, data as Buffer))
      : socket.write(`${head}${text}\r\n`, latin1 === undefined ? 'utf8' : 'latin1');
  return isTaken ? undefined : socket;
}

function framed(head: string, data: Buffer): Buffer {
  const end = head.length + data.length;
  const chunk = Buffer.allocUnsafe(end + 2);
  chunk.write(head, 'latin1');
  chunk.set(data, head.length);
  chunk[end] = carriageReturn;
  chunk[end + 1] = newline;
  return chunk;
}
