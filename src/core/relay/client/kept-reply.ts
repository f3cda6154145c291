/**
 * A reply that is kept whole while its client reads it, and that goes on where the client leaves.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import { Writable } from 'node:stream';
import type { ClientReply } from './client.ts';

export class KeptReply extends Writable implements ClientReply {
  statusCode = 200;
  headersSent = false;
  readonly #client: ClientReply;
  readonly #chunks: Buffer[] = [];

  constructor(client: ClientReply) {
    super();
    this.#client = client;
    this.on('error', () => undefined); // reported by its close event
  }

  /** What was written so far. */
  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get #isRead(): boolean {
    return !this.#client.destroyed && !this.#client.writableEnded;
  }

  setHeader(name: string, value: string): void {
    if (this.#isRead && !this.#client.headersSent) this.#client.setHeader(name, value);
  }

  writeHead(status: number, headers: OutgoingHttpHeaders = {}): void {
    this.statusCode = status;
    this.headersSent = true;
    if (this.#isRead) this.#client.writeHead(status, headers);
  }

  override _write(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    this.#chunks.push(chunk);
    if (this.#isRead) this.#client.write(chunk);
    done();
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#isRead) this.#client.end();
    done();
  }
}
