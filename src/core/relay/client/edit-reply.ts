import type { ClientReply } from './client.ts';

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
