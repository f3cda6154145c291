/** The baseline: node:http in front of one undici pool, bytes unchanged. */
import { createServer } from 'node:http';
import { Pool } from 'undici';

const pool = new Pool(process.argv[2] ?? '', { connections: null, pipelining: 1 });
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    pool.dispatch(
      {
        path: request.url ?? '/',
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer upstream' },
        body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks),
      },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, status, headers) => {
          response.writeHead(status, { 'content-type': String(headers['content-type']) });
        },
        onResponseData: (controller, chunk) => {
          if (response.write(chunk)) return;
          controller.pause();
          response.once('drain', () => controller.resume());
        },
        onResponseEnd: () => response.end(),
        onResponseError: () => response.destroy(),
      },
    );
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
