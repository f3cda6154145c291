/**
 * Clients that leave at any stage of a request: it ends, holds nothing, and does not keep the
 * gateway from stopping.
 */
import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryCluster } from '../../../../src/core/cluster/memory-cluster.ts';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { createHttpServer, type DrainableServer } from '../../../../src/server/http-server.ts';
import { createTestApp, type TestApp } from '../../../support/app.ts';
import {
  chatStream,
  errorReply,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

/** Far beyond the time limit of a test: a gateway that waits for a request to end fails it. */
const drainMs = 60_000;

const ways = {
  closes: (socket: Socket) => void socket.destroy(),
  resets: (socket: Socket) => void socket.resetAndDestroy(),
  'closes its half': (socket: Socket) => void socket.end(),
} as const;
type Way = keyof typeof ways;

/** Where a request waits until the test lets it go on. */
interface Gate {
  readonly reached: Promise<unknown>;
  open(): void;
}

let site: TestApp;
let http: DrainableServer;
let port: number;
let key: string;
let userId: number;
let upstream: TestUpstream;
let silent: { readonly server: Server; readonly sockets: Set<Socket> } | undefined;

beforeEach(async () => {
  // Its log is one that has to be waited for, as that of several processes is.
  site = await createTestApp({}, true, (clock) => {
    const cluster = createMemoryCluster(clock);
    const log = cluster.slidingLog('relay.requests');
    return {
      ...cluster,
      slidingLog: () => ({ ...log, take: async (...args) => log.take(...args) }),
    };
  });
  const { gateway } = site.app.relay;
  http = createHttpServer((request, response) => void gateway.handle(request, response));
  http.server.on('upgrade', (request, socket, head) =>
    gateway.handleUpgrade(request, socket as Socket, head),
  );
  http.server.listen(0, '127.0.0.1');
  await once(http.server, 'listening');
  port = (http.server.address() as AddressInfo).port;
  upstream = await startUpstream();
  userId = await site.addUser('customer', { quota: 1_000_000_000 });
  await newKey();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await upstream.close();
  for (const socket of silent?.sockets ?? []) socket.destroy();
  silent?.server.close();
  silent = undefined;
});

/** One that is not in memory yet. */
async function newKey(): Promise<void> {
  ({ key } = await site.operator.userTokens.create({
    name: 't',
    unlimited_quota: true,
    user: 'customer',
  }));
}

async function addChannel(
  baseUrl = upstream.url,
  fields: Record<string, unknown> = {},
): Promise<void> {
  const models = 'gpt-4o,claude-sonnet-4-5,gpt-4o-realtime-preview,text-embedding-3-small';
  await site.operator.channel.create({
    name: 'c',
    type: 1,
    key: 'k',
    base_url: baseUrl,
    models,
    ...fields,
  });
}

/** An upstream that accepts connections and never says anything. */
async function atSilentUpstream(protocol: 'http' | 'https'): Promise<Gate> {
  if (silent === undefined) {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      socket.resume();
    });
    silent = { server, sockets };
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    await addChannel(`${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  // Several requests may wait for one connection.
  return {
    ...already,
    reached: expect
      .poll(async () => (await site.app.ledger.balance(userId)).held)
      .toBeGreaterThan(0),
  };
}

/** Holds a method up at its first call. */
function gateAt<Name extends string>(
  owner: { [N in Name]: (...args: never[]) => unknown },
  name: Name,
): Gate {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const given = owner[name].bind(owner);
  vi.spyOn(owner as Record<string, (...args: never[]) => unknown>, name).mockImplementationOnce(
    async (...args) => {
      reached.resolve();
      await opened.promise;
      return given(...args);
    },
  );
  return { reached: reached.promise, open: () => opened.resolve() };
}

const already: Pick<Gate, 'open'> = { open: () => undefined };
/** The upstream has got another request. */
async function whenAsked(): Promise<void> {
  const before = upstream.requests.length;
  await expect.poll(() => upstream.requests.length).toBeGreaterThan(before);
}

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
  /** Bytes of the body that are not sent. */
  readonly missing?: number;
}

const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] };

function textOf({
  path = '/v1/chat/completions',
  method = 'POST',
  headers = {},
  body = chat,
  missing = 0,
}: Sent): string {
  const text = method === 'POST' ? (typeof body === 'string' ? body : JSON.stringify(body)) : '';
  const all = {
    host: 'gateway',
    authorization: `Bearer sk-${key}`,
    'content-type': 'application/json',
    ...(method === 'POST' &&
      headers['transfer-encoding'] === undefined && { 'content-length': String(text.length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text.slice(0, text.length - missing)}`;
}

/** Sends it on a connection of its own; `leave` resolves when the gateway has noticed. */
async function send(text: string): Promise<{ leave(way: Way): Promise<void> }> {
  const accepted = once(http.server, 'connection') as Promise<[Socket]>;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(text);
  const [server] = await accepted;
  return {
    leave: async (way) => {
      const closed = new Promise((resolve) => server.once('close', resolve));
      ways[way](socket);
      await closed;
      socket.destroy();
    },
  };
}

/** Nothing is under way, nothing is held, and the gateway stops at once. */
async function expectNothingLeft(): Promise<void> {
  const { gateway } = site.app.relay;
  await expect.poll(() => gateway.active).toBe(0);
  expect((await site.app.ledger.balance(userId)).held).toBe(0);
  await http.drain(drainMs, gateway.drain(drainMs));
  expect(gateway.active).toBe(0);
}

const upgrade = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': Buffer.alloc(16, 'k').toString('base64'),
};
const realtime: Sent = {
  method: 'GET',
  path: '/v1/realtime?model=gpt-4o-realtime-preview',
  headers: upgrade,
};
const big = { ...chat, messages: [{ role: 'user', content: 'Hello '.repeat(10_000) }] };

interface Stage {
  readonly sent?: Sent;
  /** Sets up where the request will wait. */
  arrange(): Promise<Gate> | Gate;
}

/** Waits for the answer of the upstream. */
const atUpstream = async (): Promise<Gate> => {
  await addChannel();
  upstream.answer(() => undefined);
  return { ...already, reached: whenAsked() };
};
const beforeToken = async (): Promise<Gate> => {
  await addChannel();
  return gateAt(site.app.storage.tokens, 'findByKeyHash');
};

const stages: Readonly<Record<string, Stage>> = {
  'its key is looked up': { arrange: beforeToken },
  'its key is looked up, with a body that is kept in one piece': {
    sent: { body: big },
    arrange: beforeToken,
  },
  'its key is looked up, with an announced body': {
    sent: { headers: { expect: '100-continue' }, missing: JSON.stringify(chat).length },
    arrange: beforeToken,
  },
  'its key is looked up, with a compressed body': {
    sent: { headers: { 'content-encoding': 'gzip' } },
    arrange: beforeToken,
  },
  'its key is looked up, with a body in chunks': {
    sent: { headers: { 'transfer-encoding': 'chunked' }, body: '5\r\nhello\r\n' },
    arrange: beforeToken,
  },
  'its key is looked up, without a body': {
    sent: { method: 'HEAD', path: '/v1/models' },
    arrange: beforeToken,
  },
  'its key is looked up for an upgrade': { sent: realtime, arrange: beforeToken },
  'its user’s requests are counted': {
    arrange: async () => {
      await addChannel();
      await site.operator.option.set({ key: 'ModelRequestRateLimitEnabled', value: true });
      await site.operator.option.set({ key: 'ModelRequestRateLimitCount', value: 100 });
      return { ...already, reached: Promise.resolve() };
    },
  },
  'its balance is looked up': {
    sent: { headers: { 'transfer-encoding': 'chunked' }, body: '5\r\nhello\r\n' },
    arrange: async () => {
      await addChannel();
      return gateAt(site.app.ledger, 'balance');
    },
  },
  'its body is read': {
    sent: { missing: 5 },
    arrange: () => ({ ...already, reached: Promise.resolve() }),
  },
  'its quota is held': {
    arrange: async () => {
      await addChannel();
      return gateAt(site.app.ledger, 'hold');
    },
  },
  'its upstream is connected to': { arrange: () => atSilentUpstream('https') },
  'its upstream is silent': { arrange: atUpstream },
  'its translated upstream is silent': {
    sent: { path: '/v1/messages', body: { ...chat, max_tokens: 9 } },
    arrange: atUpstream,
  },
  'its upstream has sent half a reply': {
    arrange: async () => {
      await addChannel();
      upstream.answer((response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"id":');
      });
      return { ...already, reached: whenAsked() };
    },
  },
  'its tokens are counted by an upstream': {
    sent: { path: '/v1/messages/count_tokens', body: { ...chat, model: 'claude-sonnet-4-5' } },
    arrange: async () => {
      await addChannel(upstream.url, { type: 14 });
      upstream.answer(() => undefined);
      return { ...already, reached: whenAsked() };
    },
  },
  'its WebSocket is opened': { sent: realtime, arrange: () => atSilentUpstream('http') },
  'its charge is written': {
    sent: { body: { ...chat, stream: true } },
    arrange: async () => {
      await addChannel();
      upstream.answer(chatStream(['Hello ', 'you']));
      return gateAt(site.app.ledger, 'settle');
    },
  },
};

describe('a client that closes, resets or half-closes its connection', () => {
  it.each(Object.entries(stages))('while %s', async (_, { sent = {}, arrange }) => {
    for (const way of Object.keys(ways) as Way[]) {
      await newKey();
      const gate = await arrange();
      const client = await send(textOf(sent));
      await gate.reached;
      await client.leave(way);
      gate.open();
    }
    await expectNothingLeft();
  });
});

it('a client that leaves amid several requests on one connection leaves none of them', async () => {
  await addChannel();
  const chunk = 'word '.repeat(10_000);
  upstream.answer(chatStream(Array.from({ length: 40 }, () => chunk)));
  const client = await send(textOf({ body: { ...chat, stream: true } }).repeat(3));
  await expect.poll(() => upstream.requests.length).toBe(3);
  await client.leave('closes');
  await expectNothingLeft();
});

it('a client that leaves between two channels costs the second one nothing', async () => {
  await addChannel();
  await addChannel();
  let leave: Promise<void> | undefined;
  const client = await send(textOf({}));
  upstream.answer(async (response, request) => {
    leave = client.leave('closes');
    errorReply(500, { message: 'no' })(response, request);
  });
  await whenAsked();
  await leave;
  await expectNothingLeft();
});

/** Rows of requests. */
async function rows() {
  const { items } = await site.operator.log.list({ username: 'customer' });
  return items.filter(({ request_id: id }) => id !== '');
}

it('a request whose client left before its upstream was called calls none, and has no row', async () => {
  const gate = await (stages['its quota is held'] as Stage).arrange();
  const client = await send(textOf({}));
  await gate.reached;
  await client.leave('closes');
  gate.open();
  await expectNothingLeft();
  expect(upstream.requests).toHaveLength(0);
  await site.app.logs.outcomes.save();
  expect(await rows()).toHaveLength(0);
});

it('a request that reached an upstream has one row, although nothing reached its client', async () => {
  await atUpstream();
  const client = await send(textOf({}));
  await whenAsked();
  await client.leave('closes');
  await expect.poll(() => site.app.relay.gateway.active).toBe(0);
  await site.app.logs.outcomes.save();
  const items = await rows();
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({
    type: 5,
    quota: 0,
    content: expect.stringMatching(/disconnected|断开/),
  });
  expect(readLogOther(items[0]?.other ?? '')).toMatchObject({
    status_code: 499,
    error_code: 'client_gone',
  });
});

it('a refused upgrade whose client keeps its connection open does not keep the gateway from stopping', async () => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on(
    'error',
    () => undefined,
  );
  socket.write(
    textOf({ ...realtime, headers: { ...upgrade, authorization: 'Bearer sk-unknown' } }),
  );
  const [reply] = (await once(socket, 'data')) as [Buffer];
  expect(String(reply)).toContain('401');
  await expectNothingLeft();
  socket.destroy();
});
