/**
 * The client's side of a request, as far as the relay needs it: a frame of a WebSocket can be one
 * too.
 */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

export type ClientRequest = Readable &
  Pick<IncomingMessage, 'headers' | 'url' | 'method' | 'complete' | 'socket'>;
export interface ClientReply extends Writable {
  readonly statusCode: number;
  readonly headersSent: boolean;
  /** Of a reply by HTTP: its connection, null while earlier replies use it. */
  readonly socket?: Socket | null;
  /** Its chunks are framed. */
  readonly chunkedEncoding?: boolean;
  /** Of `addHeaders` (edit-reply.ts). */
  addedHeaders?: OutgoingHttpHeaders;
  setHeader(name: string, value: string): unknown;
  writeHead(status: number, headers?: OutgoingHttpHeaders): unknown;
}
