import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Loopback {
  readonly url: string;
  /** What the next requests get: a whole body, or a stream sent in small pieces. */
  answer(body: string, options?: { readonly status?: number; readonly contentType?: string }): void;
  close(): Promise<void>;
}

/**
 * A server on a free port that sends the same reply to every request. Chunks of 37 bytes split
 * characters and events.
 */
export async function startLoopback(): Promise<Loopback> {
  let body = '';
  let status = 200;
  let contentType = 'application/json';
  const server: Server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': contentType });
    const bytes = Buffer.from(body);
    for (let at = 0; at < bytes.length; at += 37) response.write(bytes.subarray(at, at + 37));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer(text, options) {
      body = text;
      status = options?.status ?? 200;
      contentType = options?.contentType ?? 'application/json';
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
