import type { OutgoingHttpHeaders } from 'node:http';
import type { ClientReply } from './client.ts';

/**
 * Headers that the head of a reply has besides its own, which win; names in lower case. After a
 * single `setHeader` node checks and copies all headers of a head one by one: four more took 3 µs so,
 * and take 0.5 here. Does nothing once the reply has begun.
 */
export function addHeaders(reply: ClientReply, headers: OutgoingHttpHeaders): void {
  if (reply.headersSent) return;
  const before = reply.addedHeaders;
  reply.addedHeaders = before === undefined ? headers : { ...before, ...headers };
  if (before !== undefined) return;
  const { writeHead } = reply;
  reply.writeHead = (status, own) =>
    writeHead.call(reply, status, { ...reply.addedHeaders, ...own });
}

/**
 * From now on what is written to the reply is sent as `edit` gives it back. Each chunk is edited
 * alone; `content-length` is left out, since it changes.
 */
export function editReply(reply: ClientReply, edit: (bytes: Buffer) => Buffer): void {
  const write = reply.write.bind(reply) as (...given: unknown[]) => boolean;
  const end = reply.end.bind(reply) as (...given: unknown[]) => ClientReply;
  const writeHead = reply.writeHead.bind(reply);
  const edited = ([chunk, ...rest]: unknown[]): unknown[] => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    return [Buffer.isBuffer(bytes) ? edit(bytes) : bytes, ...rest];
  };
  reply.write = ((...given: unknown[]) => write(...edited(given))) as ClientReply['write'];
  reply.end = ((...given: unknown[]) => end(...edited(given))) as ClientReply['end'];
  reply.writeHead = (status, headers = {}) => {
    const entries = Object.entries(headers).filter(([name]) => name !== 'content-length');
    return writeHead(status, Object.fromEntries(entries));
  };
}
