import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  bearer,
  created,
  createRealtimeBench,
  done,
  greet,
  model,
  session,
} from '../../../support/realtime-bench.ts';
import { openSocket, refusedSocket } from '../../../support/socket-client.ts';
import {
  refusal,
  type SocketScript,
  type SocketUpstream,
  startSocketUpstream,
} from '../../../support/socket-upstream.ts';

const bench = createRealtimeBench();

describe('before a realtime session', () => {
  it('errors are ordinary JSON replies, and every hold is released', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const poor = await bench.gateway.addCustomer(10);
    const unknown = await refusedSocket(bench.address(), bearer('sk-nobody'));
    expect(unknown).toMatchObject({ status: 401, body: { error: { code: 'token_unknown' } } });
    expect(unknown.headers['x-should-retry']).toBe('false');
    expect(await refusedSocket(bench.address(), {})).toMatchObject({
      status: 401,
      body: { error: { code: 'token_missing' } },
    });
    const noModel = `${bench.gateway.url.replace('http', 'ws')}/v1/realtime`;
    expect(await refusedSocket(noModel, bearer(customer.key))).toMatchObject({
      status: 400,
      body: { error: { code: 'model_required' } },
    });
    expect(await refusedSocket(bench.address('nothing'), bearer(customer.key))).toMatchObject({
      status: 503,
    });
    expect(await refusedSocket(bench.address(), bearer(poor.key))).toMatchObject({
      status: 403,
      body: { error: { code: 'insufficient_user_quota' } },
    });
    const other = `${bench.gateway.url.replace('http', 'ws')}/v1/elsewhere`;
    expect(await refusedSocket(other, bearer(customer.key))).toMatchObject({ status: 404 });
    expect(await refusedSocket(bench.gateway.url.replace('http', 'ws'), {})).toMatchObject({
      status: 404,
    });
    expect(bench.upstream.connections).toHaveLength(0);
    await bench.expectSettled(customer);
  });

  it('a broken handshake is rejected before the upstream is contacted', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const reply = await rawUpgrade(customer.key, { 'sec-websocket-key': 'short' });
    expect(reply).toMatch(/^HTTP\/1.1 400 /);
    expect(reply).toContain('Sec-WebSocket-Key');
    expect(bench.upstream.connections).toHaveLength(0);
    await bench.expectSettled(customer);
  });

  it('a plain GET gets Upgrade Required; clients that offer HTTP/2 get a reply', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { headers } = bearer(customer.key);
    const plain = await fetch(bench.address().replace('ws', 'http'), { headers });
    expect(plain.status).toBe(426);
    expect(plain.headers.get('upgrade')).toBe('websocket');
    const reply = await rawUpgrade(customer.key, { upgrade: 'h2c' }, '/v1/models');
    expect(reply).toMatch(/^HTTP\/1.1 200 /);
  });

  it('a rejection by the upstream is forwarded with a masked message', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const body = JSON.stringify({
      error: {
        message: 'No such model at https://secret.example/x',
        type: 'invalid_request_error',
        code: 'model_not_found',
      },
    });
    bench.upstream.script(refusal(404, body, { 'content-type': 'application/json' }));
    const refused = await refusedSocket(bench.address(), bearer(customer.key));
    expect(refused).toMatchObject({
      status: 404,
      body: { error: { code: 'model_not_found', type: 'invalid_request_error' } },
    });
    expect(JSON.stringify(refused.body)).not.toContain('secret.example');
    await bench.expectSettled(customer);
  });

  it('a client that disconnects while the upstream connects leaves no open state', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    let asked = () => undefined as unknown;
    const waiting = new Promise<void>((resolve) => {
      asked = resolve as () => unknown;
    });
    const hung = new Promise<void>((resolve) => {
      bench.upstream.script({
        refuse: (socket) => {
          socket.on('end', resolve).resume();
          asked();
        },
      });
    });
    const socket = new WebSocket(bench.address(), bearer(customer.key));
    socket.on('error', () => undefined);
    await waiting;
    socket.terminate();
    await hung;
    await bench.expectSettled(customer);
  });
});

describe('failover of a realtime session', () => {
  const names = 'gpt-4o-realtime-preview-2024-12-17';
  let second: SocketUpstream;
  let channels: number[] = [];
  beforeAll(async () => {
    second = await startSocketUpstream();
    await bench.gateway.set('RetryTimes', 2);
    channels = [
      await bench.gateway.addChannel({
        type: 1,
        baseUrl: bench.upstream.url,
        models: names,
        priority: 10,
      }),
      await bench.gateway.addChannel({ type: 1, baseUrl: second.url, models: names, priority: 1 }),
    ];
  });
  afterAll(async () => {
    await bench.gateway.set('RetryTimes', 0);
    for (const id of channels) await bench.gateway.client.channel.remove({ id });
    await second.close();
  });
  beforeEach(() => {
    second.connections.length = 0;
    second.script({ connect: greet });
  });

  it('does not happen after the first frame', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    bench.upstream.script({
      connect: (connection) =>
        connection.socket.send(JSON.stringify({ type: 'session.created', session }), () =>
          connection.socket.terminate(),
        ),
    });
    const client = await openSocket(bench.address(names), bearer(customer.key));
    await client.next();
    await client.closed;
    expect(second.connections).toHaveLength(0);
    await bench.expectSettled(customer);
  });

  it.each<[string, SocketScript]>([
    ['refuses', refusal(503, '{"error":{"message":"busy"}}')],
    ['cannot be reached', { refuse: (socket) => void socket.destroy() }],
    ['hangs up before its first frame', { connect: ({ socket }) => socket.close() }],
    [
      'begins with an error',
      {
        connect: (connection) =>
          connection.send({ type: 'error', error: { type: 'server_error', message: 'sorry' } }),
      },
    ],
  ])('happens when an upstream %s', async (_, script) => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    bench.upstream.script(script);
    const client = await openSocket(bench.address(names), bearer(customer.key));
    expect(await client.next()).toMatchObject({ type: 'session.created' });
    second.connections[0]?.send(created('r1'));
    second.connections[0]?.send(done('r1'));
    await client.next();
    await client.next();
    const [log] = await bench.logsOf(customer.username);
    expect(log?.channel).toBe(channels[1]);
    expect(log?.parsed.admin_info?.use_channel).toEqual(channels.map(String));
    client.socket.close();
    await client.closed;
    await bench.expectSettled(customer);
  });

  it('repeats the client’s frames sent meanwhile, once', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    bench.upstream.script({
      connect: async (connection) => {
        await connection.next();
        await connection.next();
        connection.socket.terminate();
      },
    });
    const client = await openSocket(bench.address(names), bearer(customer.key));
    client.send({ type: 'session.update', session: {} });
    client.send({ type: 'response.create' });
    expect(await client.next()).toMatchObject({ type: 'session.created' });
    const server = second.connections[0];
    expect(JSON.parse(String(await server?.next()))).toMatchObject({ type: 'session.update' });
    expect(JSON.parse(String(await server?.next()))).toMatchObject({ type: 'response.create' });
    client.send({ type: 'last' });
    expect(JSON.parse(String(await server?.next()))).toMatchObject({ type: 'last' });
    client.socket.close();
    await client.closed;
  });

  it('ends where the next upstream would miss frames that came while none was there', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const models = 'gpt-4o-mini-realtime-preview-2024-12-17';
    const own = [
      { baseUrl: bench.upstream.url, priority: 10 },
      { baseUrl: second.url, priority: 1 },
    ];
    for (const fields of own)
      channels.push(await bench.gateway.addChannel({ type: 1, models, ...fields }));
    bench.upstream.script({ connect: ({ socket }) => socket.terminate() });
    let connecting = () => undefined as unknown;
    const between = new Promise((resolve) => {
      connecting = () => resolve(undefined);
    });
    second.script({ refuse: () => void connecting() });
    const client = await openSocket(bench.address(models), bearer(customer.key));
    await between;
    client.send({ type: 'session.update', session: {} });
    client.send({ type: 'input_audio_buffer.append', audio: 'A'.repeat(1024 * 1024) });
    expect(await client.next()).toMatchObject({ type: 'error', error: { code: 'upstream_cut' } });
    expect(await client.closed).toMatchObject({ code: 1011 });
    expect(await bench.quotaOf(customer.userId)).toBe(1_000_000);
    await bench.expectSettled(customer);
  });

  it('ends with an error frame when the client is connected and no channel remains', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    for (const one of [bench.upstream, second])
      one.script({ connect: ({ socket }) => socket.close() });
    const client = await openSocket(bench.address(names), bearer(customer.key));
    expect(await client.next()).toMatchObject({ type: 'error', error: { code: 'upstream_cut' } });
    expect(await client.closed).toMatchObject({ code: 1011 });
    await bench.expectSettled(customer);
    expect(await bench.quotaOf(customer.userId)).toBe(1_000_000);
  });
});

/** One request by hand, as no client library would send it; the reply's text. */
async function rawUpgrade(
  key: string,
  headers: Record<string, string>,
  path = `/v1/realtime?model=${model}`,
): Promise<string> {
  const { port } = new URL(bench.gateway.url);
  const all = {
    host: 'gateway',
    authorization: `Bearer ${key}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  };
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    `GET ${path} HTTP/1.1\r\n${Object.entries(all)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  );
  let text = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    text += chunk.toString('latin1');
    if (text.includes('}')) break;
  }
  socket.destroy();
  return text;
}
