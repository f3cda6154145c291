import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Exchange, FailureKind, UpstreamSink } from '../../../src/core/upstream/exchange.ts';
import { createUpstream } from '../../../src/core/upstream/send.ts';
import { type Answer, startUpstream, type TestUpstream } from '../../support/upstream.ts';

let server: TestUpstream;
const upstream = createUpstream();
const unheard: unknown[] = [];
const hear = (reason: unknown) => unheard.push(reason);

beforeAll(async () => {
  server = await startUpstream();
  process.on('unhandledRejection', hear).on('uncaughtException', hear);
});
afterAll(async () => {
  process.off('unhandledRejection', hear).off('uncaughtException', hear);
  await upstream.close();
  await server.close();
});
afterEach(() => expect(unheard).toEqual([]));

describe('a sink that throws', () => {
  /** Sends a request to a sink that throws at `stage`, and returns how the exchange ended. */
  const tripping = (stage: 'start' | 'data' | 'end') =>
    new Promise<[FailureKind, string]>((resolve, reject) => {
      const at = (here: string) => () => {
        if (here === stage) throw new Error(`tripped at ${here}`);
        if (here === 'end') reject(new Error('nothing was thrown'));
      };
      const sink: UpstreamSink = {
        start: at('start'),
        data: at('data'),
        end: at('end'),
        fail: (kind, error) => resolve([kind, error.message]),
      };
      upstream.send(
        { method: 'GET', url: server.url, headers: {}, firstByteTimeout: 5000, idleTimeout: 5000 },
        sink,
      );
    });

  it.each(['plain', 'gzip'])('is told once that the exchange failed (%s)', async (encoding) => {
    server.answer((response) => {
      const text = Buffer.from('a reply');
      if (encoding === 'gzip') response.setHeader('content-encoding', 'gzip');
      response.end(encoding === 'gzip' ? gzipSync(text) : text);
    });
    for (const stage of ['start', 'data', 'end'] as const) {
      expect(await tripping(stage)).toEqual(['reset', `tripped at ${stage}`]);
    }
  });
});

describe('a compressed reply', () => {
  it('that expands a lot is delivered with back-pressure and completely', async () => {
    const size = 64 * 1024 * 1024;
    server.answer((response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(Buffer.alloc(size)));
    });
    let taken = 0;
    let exchange: Exchange | undefined;
    const paused = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const sink: UpstreamSink = {
      start: () => undefined,
      data: (chunk) => {
        if (taken === 0) exchange?.pause();
        taken += chunk.length;
        paused.resolve();
      },
      end: ended.resolve,
      fail: (_, error) => ended.reject(error),
    };
    exchange = upstream.send(
      { method: 'GET', url: server.url, headers: {}, firstByteTimeout: 5000, idleTimeout: 5000 },
      sink,
    );
    await paused.promise;
    // Another exchange, so that pending events of the first have been delivered.
    await upstream.collect(
      { method: 'GET', url: server.url, headers: {}, firstByteTimeout: 5000, idleTimeout: 5000 },
      2 * size,
    );
    expect(taken).toBeLessThan(1024 * 1024);
    exchange.resume();
    await ended.promise;
    expect(taken).toBe(size);
  });
});

it('1xx responses do not extend the first-byte limit', async () => {
  const announcing = createServer((socket) => {
    socket.on('error', () => undefined).resume();
    const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 10);
    socket.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => announcing.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(announcing.address() as AddressInfo).port}/`;
  try {
    const reply = upstream.collect(
      { method: 'GET', url, headers: {}, firstByteTimeout: 100, idleTimeout: 5000 },
      1024,
    );
    await expect(reply).rejects.toMatchObject({ code: 'upstream_timeout' });
  } finally {
    announcing.close();
  }
});

it('a slow reply ends at the total time limit, even if bytes keep arriving', async () => {
  server.answer((response) => {
    const timer = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(timer));
  });
  const limits = { firstByteTimeout: 5000, idleTimeout: 5000, totalTimeout: 150 };
  const reply = upstream.collect(
    { method: 'GET', url: server.url, headers: {}, ...limits },
    1024 * 1024,
  );
  await expect(reply).rejects.toMatchObject({ code: 'upstream_timeout' });
});

describe('a reply after leave()', () => {
  it('is read to its end if short, so that the connection is reused; otherwise it is cut', async () => {
    const own = createUpstream();
    const ports: (number | undefined)[] = [];
    const begin = (then: (response: ServerResponse) => void): Answer => {
      return (response) => {
        ports.push(response.req.socket.remotePort);
        response.write('enough');
        then(response);
      };
    };
    const request = {
      method: 'GET',
      url: server.url,
      headers: {},
      firstByteTimeout: 5000,
      idleTimeout: 5000,
    } as const;
    const leave = (grace: number) =>
      new Promise<void>((resolve, reject) => {
        const exchange = own.send(request, {
          start: () => undefined,
          data: () => {
            exchange.leave(grace);
            resolve();
          },
          end: () => reject(new Error('it was left')),
          fail: (_, error) => reject(error),
        });
      });
    let rest: (() => void) | undefined;
    const left = server.aborted;
    server.answer(
      begin((response) => {
        rest = () => response.end('and the rest');
      }),
      begin((response) => response.end()),
    );
    try {
      await leave(60_000);
      rest?.();
      const nextPort = async () => {
        await own.collect(request, 1024);
        return ports.at(-1);
      };
      await expect.poll(nextPort).toBe(ports[0]);
      server.answer(
        begin((response) => response.write('x'.repeat(1024 * 1024))),
        begin(() => undefined),
      );
      await leave(60_000);
      await expect.poll(() => server.aborted).toBe(left + 1);
      await leave(10);
      await expect.poll(() => server.aborted).toBe(left + 2);
    } finally {
      await own.close();
    }
  });
});

describe('connections to many servers', () => {
  it('are dropped after their running replies have ended', async () => {
    const many = createUpstream();
    let finish: (() => void) | undefined;
    const ports: (number | undefined)[] = [];
    server.answer(
      (response) => {
        ports.push(response.req.socket.remotePort);
        response.write('slow');
        finish = () => response.end(' and complete');
      },
      (response) => {
        ports.push(response.req.socket.remotePort);
        response.end('quick');
      },
    );
    const request = (url: string) => ({
      method: 'GET' as const,
      url,
      headers: {},
      firstByteTimeout: 5000,
      idleTimeout: 5000,
    });
    const slow = many.collect(request(server.url), 1000);
    await expect.poll(() => finish).toBeDefined();
    // Nothing listens on port 1.
    for (let host = 1; host <= 600; host++) {
      await many
        .collect(request(`http://127.0.${host >> 8}.${host & 255}:1`), 1000)
        .catch(() => undefined);
    }
    finish?.();
    expect(String((await slow).bytes)).toBe('slow and complete');
    await new Promise((resolve) => setImmediate(resolve));
    expect(String((await many.collect(request(server.url), 1000)).bytes)).toBe('quick');
    // Otherwise the connection would have been reused.
    expect(new Set(ports).size).toBe(2);
    await many.close();
  });
});

describe('chunks that come with one read', () => {
  const big = 'x'.repeat(5000);
  const framed = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

  /** A server that writes all at once, and what its reply is to a sink that does `act` with it. */
  async function received(reply: string, act: (text: string, exchange: Exchange) => void) {
    const plain = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end(reply));
    });
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`;
    const calls: string[] = [];
    const over = Promise.withResolvers<void>();
    const note = (text: string) => {
      calls.push(text);
      if (text === 'end' || text.startsWith('fail')) over.resolve();
    };
    plain.on('connection', (socket) => socket.on('close', () => over.resolve()));
    const exchange = upstream.send(
      { method: 'GET', url, headers: {}, firstByteTimeout: 5000, idleTimeout: 5000 },
      {
        start: () => undefined,
        data: (chunk) => {
          note(`${chunk}`);
          act(`${chunk}`, exchange);
        },
        end: () => note('end'),
        fail: (kind) => note(`fail ${kind}`),
      },
    );
    await over.promise;
    plain.close();
    return calls;
  }

  it.each([
    ['the end', `${framed('a')}${framed('b')}${framed('c')}0\r\n\r\n`, ['a', 'bc', 'end']],
    [
      'a large one',
      `${framed('a')}${framed('b')}${framed(big)}${framed('c')}0\r\n\r\n`,
      ['a', 'b', big, 'c', 'end'],
    ],
    ['a break', `${framed('a')}${framed('b')}${framed('c')}`, ['a', 'bc', 'fail reset']],
  ])('are passed on together, before %s', async (_, body, calls) => {
    expect(await received(head + body, () => undefined)).toEqual(calls);
  });

  it('are not passed on after the exchange was aborted', async () => {
    const body = `${framed('a')}${framed('b')}0\r\n\r\n`;
    const abort = (text: string, exchange: Exchange) => text === 'a' && exchange.abort();
    expect(await received(head + body, abort)).toEqual(['a']);
  });

  it('fail the exchange once where the sink throws', async () => {
    const body = `${framed('a')}${framed('b')}${framed('c')}`;
    const trip = (text: string) => {
      if (text === 'bc') throw new Error('tripped');
    };
    expect(await received(head + body, trip)).toEqual(['a', 'bc', 'fail reset']);
  });
});
