import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fullAfter, writeChunk } from '../../../../src/core/relay/client/stream-write.ts';

const chunks = ['data: {"a":"é€😀"}\n\n', Buffer.from('data: 2\n\n'), 'x'.repeat(70_000)];
const known = Buffer.from('data: "é€😀"\n\n');
const whole = `${chunks.join('')}${known}the end`;

/** A server that hands its responses over. */
async function serve(onReply: (response: ServerResponse) => void): Promise<number> {
  const server = createServer((_request, response) => onReply(response));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

function writeAll(response: ServerResponse): void {
  const [first = '', ...others] = chunks;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  fullAfter(response, first);
  for (const chunk of others) writeChunk(response, chunk);
  writeChunk(response, known, known.toString('latin1'));
  response.end('the end');
}

/** What a socket receives for the text of some requests, cut at the heads of the replies. */
async function exchange(port: number, requests: string): Promise<readonly string[]> {
  const received = await text(connect(port, '127.0.0.1').end(requests));
  return received.split(/HTTP\/1\.1 200 OK\r\n/).slice(1);
}

function bodyOf(reply: string): string {
  return reply.slice(reply.indexOf('\r\n\r\n') + 4);
}

/** The body of a chunked reply. */
function unframed(body: string): string {
  const bytes = Buffer.from(body);
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    const end = line + 2 + Number.parseInt(bytes.toString('latin1', at, line), 16);
    expect(bytes.toString('latin1', end, end + 2)).toBe('\r\n');
    if (end === line + 2) return Buffer.concat(parts).toString();
    parts.push(bytes.subarray(line + 2, end));
    at = end + 2;
  }
}

describe('chunks of a stream', () => {
  test('arrive as they were written, texts and bytes', async () => {
    const reply = await fetch(`http://127.0.0.1:${await serve(writeAll)}`);
    expect(await reply.text()).toBe(whole);
  });

  test('are not framed for HTTP/1.0', async () => {
    const [reply = ''] = await exchange(await serve(writeAll), 'GET / HTTP/1.0\r\n\r\n');
    expect(bodyOf(reply)).toBe(whole);
  });

  test('wait for the earlier replies of their connection', async () => {
    const replies: ServerResponse[] = [];
    const port = await serve((response) => {
      replies.push(response);
      if (replies.length === 2) for (const reply of replies.toReversed()) writeAll(reply);
    });
    const request = 'GET / HTTP/1.1\r\nhost: a\r\n';
    const received = await exchange(port, `${request}\r\n${request}connection: close\r\n\r\n`);
    expect(received.map((reply) => unframed(bodyOf(reply)))).toEqual([whole, whole]);
  });

  test('say when a slow client can take more', async () => {
    const port = await serve((response) => {
      response.writeHead(200);
      fullAfter(response, 'begin');
      let full: ReturnType<typeof writeChunk>;
      while (full === undefined) full = writeChunk(response, Buffer.alloc(100_000, 'x'));
      full.once('drain', () => response.end('the end'));
    });
    const reply = await fetch(`http://127.0.0.1:${port}`);
    expect(await reply.text()).toMatch(/^beginx+the end$/);
  });
});
