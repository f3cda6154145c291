import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/kernel/errors.ts';
import type {
  Exchange,
  FailureKind,
  ResponseHeaders,
  WireRequest,
} from '../../../src/core/upstream/exchange.ts';
import { guardedConnector } from '../../../src/core/upstream/guarded-connector.ts';
import {
  createUpstream,
  type Upstream,
  type UpstreamSettings,
} from '../../../src/core/upstream/send.ts';
import { makeCertificate } from '../../support/certificate.ts';
import {
  refusal,
  type SocketUpstream,
  startSocketUpstream,
} from '../../support/socket-upstream.ts';
import { startHttpProxy, startMuteProxy, startSocksProxy } from './support/proxies.ts';

let server: SocketUpstream;
const opened: Upstream[] = [];

beforeAll(async () => {
  server = await startSocketUpstream();
});
afterAll(() => server.close());
beforeEach(() => {
  server.connections.length = 0;
});
afterEach(async () => {
  for (const upstream of opened.splice(0)) await upstream.close();
});

interface Heard {
  status: number;
  headers: ResponseHeaders;
  text: string;
  /** How it ended; null: by the abort of the test. */
  ending: 'end' | FailureKind | null;
  error?: Error;
}

/** Runs an exchange; `onData` can control it. */
function exchange(
  fields: Partial<WireRequest> = {},
  settings: UpstreamSettings = {},
  onData?: (exchange: Exchange, text: string) => void,
) {
  const upstream = createUpstream(settings);
  opened.push(upstream);
  const heard: Heard = { status: 0, headers: {}, text: '', ending: null };
  let running: Exchange | null = null;
  const done = new Promise<Heard>((resolve) => {
    running = upstream.send(
      {
        method: 'POST',
        url: server.socketUrl,
        headers: { authorization: 'Bearer upstream-key' },
        body: '{"question":1}',
        firstByteTimeout: 5000,
        idleTimeout: 5000,
        ...fields,
      },
      {
        start: (status, headers) => Object.assign(heard, { status, headers }),
        data: (chunk) => {
          heard.text += chunk.toString('utf8');
          if (running !== null) onData?.(running, heard.text);
        },
        end: () => resolve({ ...heard, ending: 'end' }),
        fail: (kind, error) => resolve({ ...heard, ending: kind, error }),
      },
    );
  });
  return { done, abort: () => running?.abort(), heard };
}

const words = {
  connect: (connection: { send(text: string): void; socket: { close(code?: number): void } }) => {
    connection.send('{"word":\n"one"}');
    connection.send('{"word":"two"}\r\n');
    connection.socket.close(1000);
  },
};

describe('an exchange by WebSocket', () => {
  it('sends the body as one text message and passes every message on as a line', async () => {
    let asked: unknown;
    server.script({
      connect: async (connection) => {
        asked = await connection.next();
        words.connect(connection);
      },
    });
    const heard = await exchange({ url: `${server.socketUrl}/chat?x=1` }).done;
    expect(heard).toMatchObject({
      status: 200,
      ending: 'end',
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(heard.text).toBe('{"word": "one"}\n{"word":"two"} \n');
    expect(asked).toBe('{"question":1}');
    expect(server.connections[0]?.request.url).toBe('/chat?x=1');
    expect(server.connections[0]?.request.headers.authorization).toBe('Bearer upstream-key');
  });

  it('works with collect', async () => {
    server.script(words);
    const upstream = createUpstream();
    opened.push(upstream);
    const request = {
      method: 'POST',
      url: server.socketUrl,
      headers: {},
      firstByteTimeout: 5000,
      idleTimeout: 5000,
    } as const;
    const reply = await upstream.collect(request, 1000);
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.bytes.toString()).toBe('{"word": "one"}\n{"word":"two"} \n');
    server.script(words);
    await expect(upstream.collect(request, 20)).rejects.toMatchObject({
      code: 'bad_response_body',
    });
  });

  it('passes the reply of a refused handshake on', async () => {
    server.script(
      refusal(401, '{"error":{"message":"bad key"}}', {
        'content-type': 'application/json',
        'retry-after': '7',
      }),
    );
    const heard = await exchange().done;
    expect(heard).toMatchObject({
      status: 401,
      text: '{"error":{"message":"bad key"}}',
      ending: 'end',
    });
    expect(heard.headers['retry-after']).toBe('7');
  });

  it('a failure before the first message starts no reply, so another channel can be tried', async () => {
    server.script({ connect: ({ socket }) => socket.close(1000) });
    expect(await exchange().done).toMatchObject({ status: 0, ending: 'reset' });
    server.script({ refuse: (socket) => void socket.destroy() });
    expect(await exchange().done).toMatchObject({ status: 0, ending: 'connect' });
    expect(await exchange({ url: 'ws://127.0.0.1:1' }).done).toMatchObject({
      status: 0,
      ending: 'connect',
    });
  });

  it.each([
    ['a code that tells of trouble', (socket: { close(code: number): void }) => socket.close(1011)],
    ['a connection cut off', (socket: { terminate(): void }) => socket.terminate()],
  ])('takes %s in the middle for a failure', async (_, end) => {
    server.script({
      connect: ({ socket }) => socket.send('{"word":"one"}', () => end(socket)),
    });
    expect(await exchange().done).toMatchObject({
      status: 200,
      text: '{"word":"one"}\n',
      ending: 'reset',
    });
  });

  it('waits no longer than the limits for the first message and between messages', async () => {
    server.script({});
    expect(await exchange({ firstByteTimeout: 50 }).done).toMatchObject({
      status: 0,
      ending: 'first-byte-timeout',
    });
    expect(await server.connections[0]?.closed).toBe(1006);
    server.script({ connect: (connection) => connection.send('{}') });
    expect(await exchange({ idleTimeout: 50 }).done).toMatchObject({
      status: 200,
      ending: 'idle-timeout',
    });
    server.script({ refuse: () => undefined });
    expect(await exchange({ firstByteTimeout: 50 }).done).toMatchObject({
      status: 0,
      ending: 'first-byte-timeout',
    });
  });

  it('stops silently when aborted, whether open or still connecting', async () => {
    server.script({ connect: (connection) => connection.send('{}') });
    const open = exchange({}, {}, (running) => running.abort());
    await expect.poll(() => server.connections.length).toBe(1);
    expect(await server.connections[0]?.closed).toBe(1006);
    expect(open.heard).toMatchObject({ text: '{}\n', ending: null });
    const connecting = exchange();
    connecting.abort();
    const outcome = await Promise.race([
      connecting.done,
      new Promise((resolve) => setTimeout(resolve, 50, 'silence')),
    ]);
    expect(outcome).toBe('silence');
  });

  it('applies back-pressure while its reader pauses, and loses no message', async () => {
    const big = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
    let sent = 0;
    server.script({
      connect: ({ socket }) => {
        for (let count = 0; count < 32; count++) socket.send(big, () => (sent += 1));
        socket.close(1000);
      },
    });
    let paused: Exchange | undefined;
    const { done } = exchange({ idleTimeout: 1000 }, {}, (running) => {
      if (paused !== undefined) return;
      paused = running;
      running.pause();
    });
    await expect.poll(() => paused).toBeDefined();
    // Longer than the idle limit, whose timer is stopped meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 1300));
    expect(sent).toBeLessThan(32);
    paused?.resume();
    expect(await done).toMatchObject({ ending: 'end', text: `${big}\n`.repeat(32) });
  });

  it('refuses an oversized message', async () => {
    server.script({ connect: ({ socket }) => socket.send(Buffer.alloc(65 * 1024 * 1024)) });
    expect(await exchange().done).toMatchObject({ status: 0, ending: 'reset' });
  });
});

describe('the connection of an exchange', () => {
  it('is checked by the outbound guard', async () => {
    const guard = guardedConnector({ allowPrivate: false, ports: [], hosts: [] });
    const direct = await exchange({}, { connect: guard }).done;
    expect(direct).toMatchObject({ status: 0, ending: 'connect' });
    expect(direct.error).toBeInstanceOf(AppError);
    expect(direct.error).toMatchObject({ code: 'address_not_allowed' });
    const byName = await exchange(
      { url: server.socketUrl.replace('127.0.0.1', 'localhost') },
      { connect: guard },
    ).done;
    expect(byName.error).toMatchObject({ code: 'address_not_allowed' });
    expect(server.connections).toHaveLength(0);
  });

  it('uses an HTTP proxy', async () => {
    const proxy = await startHttpProxy();
    server.script(words);
    const heard = await exchange({ proxy: `http://user:secret@127.0.0.1:${proxy.port}` }).done;
    expect(heard).toMatchObject({ status: 200, ending: 'end' });
    expect(proxy.targets).toEqual([server.url.slice('http://'.length)]);
    const refused = await exchange({ proxy: `http://user:wrong@127.0.0.1:${proxy.port}` }).done;
    expect(refused).toMatchObject({ status: 0, ending: 'connect' });
  });

  it('uses a SOCKS proxy, which resolves names', async () => {
    const proxy = await startSocksProxy();
    server.script(words);
    const { port } = new URL(server.url);
    const byName = await exchange({
      url: `ws://upstream.invalid:${port}`,
      proxy: `socks5://user:secret@127.0.0.1:${proxy.port}`,
    }).done;
    expect(byName).toMatchObject({ status: 200, ending: 'end' });
    server.script(words);
    const byAddress = await exchange({ proxy: `socks5://user:secret@127.0.0.1:${proxy.port}` })
      .done;
    expect(byAddress).toMatchObject({ status: 200, ending: 'end' });
    expect(proxy.targets).toEqual([`upstream.invalid:${port}`, `127.0.0.1:${port}`]);
    for (const login of ['user:wrong@', '']) {
      const refused = await exchange({ proxy: `socks5://${login}127.0.0.1:${proxy.port}` }).done;
      expect(refused).toMatchObject({ status: 0, ending: 'connect' });
    }
  });

  it('fails on a proxy that hangs up or does not reply, and on one of unknown kind', async () => {
    const mute = await startMuteProxy();
    for (const scheme of ['http', 'socks5']) {
      const proxy = `${scheme}://127.0.0.1:${mute.port}`;
      expect(await exchange({ proxy, firstByteTimeout: 100 }).done).toMatchObject({
        status: 0,
        ending: 'first-byte-timeout',
      });
    }
    await mute.closed(2);
    const noSocks = server.url.replace('http:', 'socks5:');
    expect(await exchange({ proxy: noSocks }).done).toMatchObject({ ending: 'connect' });
    expect((await exchange({ proxy: 'ftp://127.0.0.1:1' }).done).error).toMatchObject({
      code: 'do_request_failed',
    });
  });

  it('is encrypted for wss, with or without a proxy, and only with a trusted certificate', async () => {
    const trusted = getCACertificates('default');
    const pair = makeCertificate();
    const secure = await startSocketUpstream(createServer(pair) as never);
    const url = secure.socketUrl.replace('ws:', 'wss:');
    secure.script(words);
    const unknown = await exchange({ url }).done;
    expect(unknown).toMatchObject({ status: 0, ending: 'connect' });
    expect(unknown.error).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    setDefaultCACertificates([...trusted, pair.cert]);
    try {
      const proxies = [await startHttpProxy(), await startSocksProxy()];
      const ways = [
        undefined,
        `http://user:secret@127.0.0.1:${proxies[0]?.port}`,
        `socks5://user:secret@127.0.0.1:${proxies[1]?.port}`,
      ];
      for (const proxy of ways) {
        for (const address of [url, url.replace('127.0.0.1', 'localhost')]) {
          secure.script(words);
          expect(
            await exchange({ url: address, ...(proxy === undefined ? {} : { proxy }) }).done,
          ).toMatchObject({
            status: 200,
            ending: 'end',
          });
        }
      }
      const otherName = url.replace('127.0.0.1', 'upstream.invalid');
      const wrong = await exchange({ url: otherName, proxy: ways[2] ?? '' }).done;
      expect(wrong.error).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    } finally {
      setDefaultCACertificates(trusted);
      await secure.close();
    }
  });
});
