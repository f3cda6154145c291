/** `100 Continue` that nobody asked for, and other interim responses, before a reply. */

import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createUpstream, type Upstream } from '../../../src/core/upstream/send.ts';
import { withoutContinue } from '../../../src/core/upstream/skip-continue.ts';
import { startHttpProxy, startSocksProxy } from './support/proxies.ts';

let server: Server;
let upstream: Upstream;
afterEach(async () => {
  await upstream.close();
  server.close();
});

const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
const reply = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello';

async function replyTo(pieces: readonly string[], proxy?: string) {
  server = createServer((socket) =>
    socket.on('data', () => {
      for (const [position, piece] of pieces.entries())
        setTimeout(() => socket.write(piece), position * 20);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  upstream = createUpstream();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const request = {
    method: 'POST',
    url,
    headers: {},
    body: 'x',
    firstByteTimeout: 2000,
    idleTimeout: 2000,
    proxy,
  } as const;
  const replies = [await upstream.collect(request, 1000), await upstream.collect(request, 1000)];
  return replies.map(({ status, bytes }) => [status, bytes.toString()]);
}

it.each([
  ['in one piece with the reply', [interim + reply]],
  ['in a piece of its own', [interim, reply]],
  ['several times', [interim + interim, interim, reply]],
  [
    'before other interim responses',
    [`${interim}HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${reply}`],
  ],
])('are skipped, twice on one connection: %s', async (_name, pieces) => {
  expect(await replyTo(pieces)).toEqual([
    [200, 'hello'],
    [200, 'hello'],
  ]);
});

describe('through a proxy', () => {
  it.each(['http', 'socks5'])('of kind %s they are skipped', async (kind) => {
    const { port, targets } = kind === 'http' ? await startHttpProxy() : await startSocksProxy();
    expect(
      await replyTo([interim, interim + reply], `${kind}://user:secret@127.0.0.1:${port}`),
    ).toEqual([
      [200, 'hello'],
      [200, 'hello'],
    ]);
    expect(targets.length).toBeGreaterThan(0);
  });
});

it('bytes of a body stay as they are', () => {
  for (const text of [
    'HTTP/1.1 200 OK\r\n\r\n',
    'Hello',
    `x${interim}`,
    'HTTP/1.1 100 Continue\r\n',
  ])
    expect(withoutContinue(Buffer.from(text)).toString()).toBe(text);
});
