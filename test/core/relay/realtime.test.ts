import { connect } from 'node:net';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { readLogOther } from '../../../src/core/contract/log-other.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { openSocket, refusedSocket, type SocketClient } from '../../support/socket-client.ts';
import {
  refusal,
  type SocketScript,
  type SocketUpstream,
  startSocketUpstream,
  type UpstreamConnection,
} from '../../support/socket-upstream.ts';
import { startTlsFront } from '../../support/tls-front.ts';
import { errorReply, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const model = 'gpt-4o-realtime-preview';
let gateway: TestGateway;
let upstream: SocketUpstream;
let chats: TestUpstream;

beforeAll(async () => {
  gateway = await startTestGateway({ STREAMING_TIMEOUT: '2' });
  upstream = await startSocketUpstream();
  chats = await startUpstream();
  chats.answer(errorReply(400, { message: 'no' }));
  await gateway.addChannel({ type: 1, baseUrl: chats.url, models: 'gpt-4' });
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: `${model},gpt-4o-mini-realtime-preview` });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  await chats.close();
});
beforeEach(() => {
  upstream.connections.length = 0;
  upstream.script({ connect: greet });
});

const session = { id: 'sess_1', object: 'realtime.session', model: 'upstream-model', modalities: ['text', 'audio'] };
const greet = (connection: UpstreamConnection) => connection.send({ type: 'session.created', event_id: 'event_1', session });

const address = (name = model) => `${gateway.url.replace('http', 'ws')}/v1/realtime?model=${name}`;
const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
/** An open session past its greeting. */
async function start(key: string): Promise<{ client: SocketClient; server: UpstreamConnection }> {
  const client = await openSocket(address(), bearer(key));
  expect(await client.next()).toMatchObject({ type: 'session.created' });
  const server = upstream.connections.at(-1);
  if (server === undefined) throw new Error('no upstream connection');
  return { client, server };
}

/** Text 20 of which 10 cached, audio 80 of which 30 cached; answered by 40 text and 60 audio tokens. */
const usage = {
  total_tokens: 200,
  input_tokens: 100,
  output_tokens: 100,
  input_token_details: {
    cached_tokens: 40,
    text_tokens: 20,
    audio_tokens: 80,
    cached_tokens_details: { text_tokens: 10, audio_tokens: 30 },
  },
  output_token_details: { text_tokens: 40, audio_tokens: 60 },
};
/** (10 + 40 × 0.5 + 50 × 8 + 40 × 4 + 60 × 8 × 2) × 2.5 */
const cost = 3875;

const created = (id: string) => ({ type: 'response.created', response: { id, status: 'in_progress', usage: null } });
const done = (id: string, told: object | null = usage, status = 'completed') => ({
  type: 'response.done',
  response: { id, status, usage: told },
});

const quotaOf = async (userId: number) => (await gateway.client.user.get({ id: userId })).quota;
async function logsOf(username: string) {
  const { items } = await gateway.client.log.list({ username, type: 2 });
  return items.map((log) => ({ ...log, parsed: readLogOther(log.other) }));
}
/** A request beyond the balance is let in (and turned down by its upstream) on a smaller hold, but not while anything is held. */
async function isHeld(key: string): Promise<boolean> {
  const body = JSON.stringify({ model: 'gpt-4', max_tokens: 1_000_000, messages: [{ role: 'user', content: 'Hi' }] });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { status } = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
  expect([400, 429]).toContain(status);
  return status === 429;
}
async function expectSettled({ key }: { key: string }) {
  await expect.poll(() => isHeld(key)).toBe(false);
}

describe('a realtime session', () => {
  it('works with the OpenAI SDK, and each answer is charged by its own usage', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const front = await startTlsFront(gateway.url);
    const client = new OpenAI({ apiKey: customer.key, baseURL: `${front.url}/v1` });
    const realtime = new OpenAIRealtimeWS({ model, options: { ca: front.ca } }, client);
    const events: string[] = [];
    realtime.on('error', (error) => events.push(String(error)));
    realtime.on('event', (event) => events.push(event.type));
    const doneTwice = new Promise<void>((resolve) => {
      let count = 0;
      realtime.on('response.done', () => {
        count += 1;
        if (count === 2) resolve();
        else realtime.send({ type: 'response.create' });
      });
    });
    upstream.script({
      connect: async (connection) => {
        greet(connection);
        for (const id of ['resp_1', 'resp_2']) {
          expect(JSON.parse(String(await connection.next()))).toMatchObject({ type: 'response.create' });
          connection.send(created(id));
          connection.send({ type: 'response.output_text.delta', response_id: id, delta: 'Hi' });
          connection.send(done(id));
        }
      },
    });
    realtime.socket.once('open', () => realtime.send({ type: 'response.create' }));
    await doneTwice;
    const answer = ['response.created', 'response.output_text.delta', 'response.done'];
    expect(events).toEqual(['session.created', ...answer, ...answer]);
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - 2 * cost);
    realtime.close();
    await upstream.connections[0]?.closed;
    front.close();

    const { url, headers } = upstream.connections[0]?.request ?? {};
    expect(url).toBe(`/v1/realtime?model=${model}`);
    expect(headers?.authorization).toBe('Bearer upstream-key');
    const logs = await logsOf(customer.username);
    expect(logs).toHaveLength(2);
    expect(new Set(logs.map((log) => log.request_id)).size).toBe(2);
    for (const log of logs) {
      expect(log).toMatchObject({ quota: cost, prompt_tokens: 100, completion_tokens: 100, model_name: model, is_stream: true });
      expect(log.parsed).toMatchObject({
        ws: true,
        audio_input: 50,
        audio_output: 60,
        text_input: 50,
        text_output: 40,
        audio_ratio: 8,
        audio_completion_ratio: 2,
        cache_tokens: 40,
        usage_source: 'upstream',
        request_path: '/v1/realtime',
      });
    }
    await expectSettled(customer);
  });

  it('passes frames on untouched, both ways, text and binary', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const { client, server } = await start(customer.key);
    const odd = '{ "type" : "x.unknown", "n": 1.50,\n"text": "\\u4f60\ud83d\ude00" }';
    client.send(odd);
    expect(await server.next()).toBe(odd);
    client.socket.send(Buffer.from([0, 1, 255]));
    expect(await server.next()).toEqual(Buffer.from([0, 1, 255]));
    server.send(odd);
    expect(await client.nextRaw()).toBe(odd);
    server.socket.send(Buffer.from([9, 8]));
    expect(await client.nextRaw()).toEqual(Buffer.from([9, 8]));
    server.send('no JSON at all');
    expect(await client.nextRaw()).toBe('no JSON at all');
    client.socket.close();
    await server.closed;
    await expectSettled(customer);
    expect(await quotaOf(customer.userId)).toBe(1_000_000);
  });

  it('takes the key from the subprotocols, answers `realtime`, and lets any origin in', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const protocols = ['realtime', `openai-insecure-api-key.${customer.key}`, 'openai-beta.realtime-v1'];
    const client = await openSocket(address(), { origin: 'https://elsewhere.example' }, protocols);
    expect(client.socket.protocol).toBe('realtime');
    expect(await client.next()).toMatchObject({ type: 'session.created' });
    const { headers } = upstream.connections[0]?.request ?? {};
    expect(headers?.['openai-beta']).toBe('realtime=v1');
    expect(headers?.['sec-websocket-protocol']).toBeUndefined();
    expect(JSON.stringify(headers)).not.toContain(customer.key);
    client.socket.close();
    await client.closed;
  });

  it('asks for the mapped model and charges by the requested one', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const alias = 'gpt-4o-realtime-preview-2024-10-01';
    const id = await gateway.addChannel({
      type: 1,
      baseUrl: upstream.url,
      models: alias,
      model_mapping: JSON.stringify({ [alias]: 'voice-2' }),
    });
    const client = await openSocket(address(alias), bearer(customer.key));
    await client.next();
    expect(upstream.connections[0]?.request.url).toBe('/v1/realtime?model=voice-2');
    upstream.connections[0]?.send(created('r'));
    upstream.connections[0]?.send(done('r', { input_tokens: 100, output_tokens: 100 }));
    await client.next();
    await client.next();
    // Text only: (100 + 100 × 4) × 2.5
    const [log] = await logsOf(customer.username);
    expect(log).toMatchObject({ quota: 1250, model_name: alias });
    expect(log?.parsed).toMatchObject({ ws: true, is_model_mapped: true, upstream_model_name: 'voice-2', audio_input: 0 });
    client.socket.close();
    await client.closed;
    await gateway.client.channel.remove({ id });
  });
});

describe('answers without usage', () => {
  it('are counted: audio by its length and format, texts, and tools from the second answer on', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const { client, server } = await start(customer.key);
    const seconds = (count: number, rate: number) => Buffer.alloc(count * rate).toString('base64');
    client.send({
      type: 'session.update',
      session: { input_audio_format: 'g711_ulaw', output_audio_format: 'pcm16', tools: [{ type: 'function', name: 'look' }] },
    });
    client.send({ type: 'input_audio_buffer.append', audio: seconds(6, 8000) });
    for (let count = 0; count < 2; count++) await server.next();
    server.send(created('r1'));
    server.send({ type: 'response.audio.delta', response_id: 'r1', delta: seconds(3, 48_000) });
    server.send(done('r1', null));
    for (let count = 0; count < 3; count++) await client.next();
    const [first] = await logsOf(customer.username);
    // 6 s ⁄ 60 × 100 ⁄ 0.06 = 166.7 and 3 s ⁄ 60 × 200 ⁄ 0.24 = 41.7 tokens
    expect(first).toMatchObject({ prompt_tokens: 167, completion_tokens: 42, quota: (167 * 8 + 42 * 16) * 2.5 });
    expect(first?.parsed).toMatchObject({
      audio_input: 167,
      audio_output: 42,
      text_input: 0,
      text_output: 0,
      usage_source: 'counted',
    });

    client.send({
      type: 'conversation.item.create',
      item: { type: 'message', content: [{ type: 'input_text', text: 'How are you' }] },
    });
    await server.next();
    server.send(created('r2'));
    server.send({ type: 'response.audio_transcript.delta', response_id: 'r2', delta: 'Well' });
    server.send(done('r2', null));
    for (let count = 0; count < 3; count++) await client.next();
    const [second] = await logsOf(customer.username);
    expect(second?.parsed).toMatchObject({ audio_input: 0, audio_output: 0 });
    // Three words, two blanks: 3.9, rounded up; the tool 8 and its JSON.
    expect(second?.prompt_tokens).toBeGreaterThan(4 + 8);
    expect(second?.prompt_tokens).toBeLessThan(40);
    expect(second?.completion_tokens).toBe(2);
    client.socket.close();
    await client.closed;
    await expectSettled(customer);
  });

  it('that failed before they said anything cost nothing', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const { client, server } = await start(customer.key);
    server.send(created('r1'));
    server.send(done('r1', null, 'failed'));
    await client.next();
    expect(await client.next()).toMatchObject({ type: 'response.done', response: { status: 'failed' } });
    await expectSettled(customer);
    expect(await quotaOf(customer.userId)).toBe(1_000_000);
    client.socket.close();
    await client.closed;
  });
});

describe('a realtime session that ends early', () => {
  const speech = { type: 'response.output_audio.delta', response_id: 'r1', delta: Buffer.alloc(48_000 * 3).toString('base64') };
  const spoken = 42 * 16 * 2.5;

  it.each([
    ['says goodbye', (client: SocketClient) => client.socket.close()],
    ['is cut off', (client: SocketClient) => client.socket.terminate()],
  ])('charges what had come when the client %s, and hangs up on the upstream', async (_, leave) => {
    const customer = await gateway.addCustomer(1_000_000);
    const { client, server } = await start(customer.key);
    server.send(created('r1'));
    server.send(speech);
    await client.next();
    await client.next();
    leave(client);
    await server.closed;
    await expect.poll(() => quotaOf(customer.userId)).toBe(1_000_000 - spoken);
    await expectSettled(customer);
    const [log] = await logsOf(customer.username);
    expect(log?.parsed).toMatchObject({ ended: 'client_gone', usage_source: 'counted', audio_output: 42 });
  });

  it('charges what had come when the upstream is cut off, and passes the end on', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const { client, server } = await start(customer.key);
    server.send(created('r1'));
    server.send(speech);
    await client.next();
    await client.next();
    server.socket.terminate();
    expect(await client.closed).toMatchObject({ code: 1011 });
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - spoken);
    expect((await logsOf(customer.username))[0]?.parsed).toMatchObject({ ended: 'upstream_cut' });
    await expectSettled(customer);
  });

  it('passes the upstream’s close code and words on, after the last charge', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const { client, server } = await start(customer.key);
    server.send(created('r1'));
    server.send(done('r1'));
    server.socket.close(4001, 'session expired');
    expect(await client.next()).toMatchObject({ type: 'response.created' });
    expect(await client.next()).toMatchObject({ type: 'response.done' });
    expect(await client.closed).toEqual({ code: 4001, reason: 'session expired' });
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - cost);
    expect((await logsOf(customer.username))[0]?.parsed.ended).toBeUndefined();
  });

  it('gives up on an upstream that falls silent in the middle of an answer', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const { client, server } = await start(customer.key);
    server.send(created('r1'));
    server.send(speech);
    await client.next();
    await client.next();
    expect(await client.next()).toMatchObject({ type: 'error', error: { code: 'upstream_timeout' } });
    expect(await client.closed).toMatchObject({ code: 1011 });
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - spoken);
    expect((await logsOf(customer.username))[0]?.parsed).toMatchObject({ ended: 'idle_timeout' });
  });

  it('closes when a client sends more than the limit in one message', async () => {
    const small = await startTestGateway({ MAX_REQUEST_BODY_MB: '1' });
    try {
      await small.addChannel({ type: 1, baseUrl: upstream.url, models: model });
      const customer = await small.addCustomer(1_000_000);
      const client = await openSocket(`${small.url.replace('http', 'ws')}/v1/realtime?model=${model}`, bearer(customer.key));
      await client.next();
      client.send('x'.repeat(1024 * 1024 + 1));
      expect(await client.closed).toMatchObject({ code: 1009 });
      await upstream.connections[0]?.closed;
    } finally {
      await small.close();
    }
  });
});

describe('the money of a realtime session', () => {
  it('is charged beyond the hold, then nothing more is begun: the documented frame, and the connection closes', async () => {
    const customer = await gateway.addCustomer(20_000);
    const { client, server } = await start(customer.key);
    client.send({ type: 'response.create' });
    await server.next();
    server.send(created('r1'));
    server.send(done('r1', { input_tokens: 0, output_tokens: 1000, output_token_details: { audio_tokens: 1000 } }));
    await client.next();
    expect(await client.next()).toMatchObject({ type: 'response.done' });
    expect(await quotaOf(customer.userId)).toBe(20_000 - 40_000);
    client.send({ type: 'response.create' });
    const frame = await client.next();
    expect(frame).toMatchObject({ type: 'error', error: { code: 'insufficient_user_quota', type: 'new_api_error' } });
    expect(frame['event_id']).toMatch(/^evt_\d{23}\w{8}$/);
    expect(await client.closed).toMatchObject({ code: 1008 });
    await server.closed;
    expect(await quotaOf(customer.userId)).toBe(-20_000);
    expect((await logsOf(customer.username))[0]?.parsed).toMatchObject({ debt: 20_000 });
  });

  it('is held for each of several answers at once', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const { client, server } = await start(customer.key);
    expect(await isHeld(customer.key)).toBe(true);
    server.send(created('r1'));
    server.send(created('r2'));
    await client.next();
    await client.next();
    server.send(done('r2'));
    await client.next();
    expect(await isHeld(customer.key)).toBe(true);
    server.send(done('r1'));
    await client.next();
    // (500 + 1024 spoken × 8 × 2) × 2.5, each
    for (const log of await logsOf(customer.username)) expect(log.parsed.admin_info?.held).toBe(42_210);
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - 2 * cost);
    await expectSettled(customer);
    client.socket.close();
    await client.closed;
  });

  it('is charged for answers that the upstream never announced', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const { client, server } = await start(customer.key);
    server.send(done('r1'));
    server.send(done('r2'));
    await client.next();
    await client.next();
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - 2 * cost);
    client.socket.close();
    await client.closed;
    await expectSettled(customer);
  });

  it('ends when the caller may no longer: banned between two answers', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const { client, server } = await start(customer.key);
    server.send(created('r1'));
    server.send(done('r1'));
    await client.next();
    await client.next();
    await gateway.client.user.manage({ id: customer.userId, action: 'disable' });
    client.send({ type: 'response.create' });
    expect(await client.next()).toMatchObject({ type: 'error', error: { code: 'user_banned' } });
    expect(await client.closed).toMatchObject({ code: 1008 });
    await gateway.client.user.manage({ id: customer.userId, action: 'enable' });
    await expectSettled(customer);
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - cost);
  });
});

describe('before a realtime session', () => {
  it('errors are ordinary answers in JSON, and nothing stays held', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const poor = await gateway.addCustomer(10);
    const unknown = await refusedSocket(address(), bearer('sk-nobody'));
    expect(unknown).toMatchObject({ status: 401, body: { error: { code: 'token_unknown' } } });
    expect(unknown.headers['x-should-retry']).toBe('false');
    expect(await refusedSocket(address(), {})).toMatchObject({ status: 401, body: { error: { code: 'token_missing' } } });
    const noModel = `${gateway.url.replace('http', 'ws')}/v1/realtime`;
    expect(await refusedSocket(noModel, bearer(customer.key))).toMatchObject({
      status: 400,
      body: { error: { code: 'model_required' } },
    });
    expect(await refusedSocket(address('nothing'), bearer(customer.key))).toMatchObject({ status: 503 });
    expect(await refusedSocket(address(), bearer(poor.key))).toMatchObject({
      status: 403,
      body: { error: { code: 'insufficient_user_quota' } },
    });
    const other = `${gateway.url.replace('http', 'ws')}/v1/elsewhere`;
    expect(await refusedSocket(other, bearer(customer.key))).toMatchObject({ status: 404 });
    expect(await refusedSocket(gateway.url.replace('http', 'ws'), {})).toMatchObject({ status: 404 });
    expect(upstream.connections).toHaveLength(0);
    await expectSettled(customer);
  });

  it('a broken handshake is refused before the upstream is asked', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const reply = await rawUpgrade(customer.key, { 'sec-websocket-key': 'short' });
    expect(reply).toMatch(/^HTTP\/1.1 400 /);
    expect(reply).toContain('Sec-WebSocket-Key');
    expect(upstream.connections).toHaveLength(0);
    await expectSettled(customer);
  });

  it('a plain GET is told to upgrade; clients that offer HTTP/2 are answered', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const { headers } = bearer(customer.key);
    const plain = await fetch(address().replace('ws', 'http'), { headers });
    expect(plain.status).toBe(426);
    expect(plain.headers.get('upgrade')).toBe('websocket');
    const reply = await rawUpgrade(customer.key, { upgrade: 'h2c' }, '/v1/models');
    expect(reply).toMatch(/^HTTP\/1.1 200 /);
  });

  it('a refusal of the upstream is passed on, its words masked', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const body = JSON.stringify({
      error: { message: 'No such model at https://secret.example/x', type: 'invalid_request_error', code: 'model_not_found' },
    });
    upstream.script(refusal(404, body, { 'content-type': 'application/json' }));
    const refused = await refusedSocket(address(), bearer(customer.key));
    expect(refused).toMatchObject({ status: 404, body: { error: { code: 'model_not_found', type: 'invalid_request_error' } } });
    expect(JSON.stringify(refused.body)).not.toContain('secret.example');
    await expectSettled(customer);
  });

  it('a client that leaves while the upstream is asked leaves nothing behind', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    let asked = () => undefined as unknown;
    const waiting = new Promise<void>((resolve) => {
      asked = resolve as () => unknown;
    });
    const hung = new Promise<void>((resolve) => {
      upstream.script({
        refuse: (socket) => {
          socket.on('end', resolve).resume();
          asked();
        },
      });
    });
    const socket = new WebSocket(address(), bearer(customer.key));
    socket.on('error', () => undefined);
    await waiting;
    socket.terminate();
    await hung;
    await expectSettled(customer);
  });
});

describe('failover of a realtime session', () => {
  const names = 'gpt-4o-realtime-preview-2024-12-17';
  let second: SocketUpstream;
  let channels: number[] = [];
  beforeAll(async () => {
    second = await startSocketUpstream();
    await gateway.set('RetryTimes', 2);
    channels = [
      await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: names, priority: 10 }),
      await gateway.addChannel({ type: 1, baseUrl: second.url, models: names, priority: 1 }),
    ];
  });
  afterAll(async () => {
    await gateway.set('RetryTimes', 0);
    for (const id of channels) await gateway.client.channel.remove({ id });
    await second.close();
  });
  beforeEach(() => {
    second.connections.length = 0;
    second.script({ connect: greet });
  });

  it('does not happen after the first frame', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    upstream.script({
      connect: (connection) =>
        connection.socket.send(JSON.stringify({ type: 'session.created', session }), () => connection.socket.terminate()),
    });
    const client = await openSocket(address(names), bearer(customer.key));
    await client.next();
    await client.closed;
    expect(second.connections).toHaveLength(0);
    await expectSettled(customer);
  });

  it.each<[string, SocketScript]>([
    ['refuses', refusal(503, '{"error":{"message":"busy"}}')],
    ['cannot be reached', { refuse: (socket) => void socket.destroy() }],
    ['hangs up before its first frame', { connect: ({ socket }) => socket.close() }],
    [
      'begins with an error',
      { connect: (connection) => connection.send({ type: 'error', error: { type: 'server_error', message: 'sorry' } }) },
    ],
  ])('happens when an upstream %s', async (_, script) => {
    const customer = await gateway.addCustomer(1_000_000);
    upstream.script(script);
    const client = await openSocket(address(names), bearer(customer.key));
    expect(await client.next()).toMatchObject({ type: 'session.created' });
    second.connections[0]?.send(created('r1'));
    second.connections[0]?.send(done('r1'));
    await client.next();
    await client.next();
    const [log] = await logsOf(customer.username);
    expect(log?.channel).toBe(channels[1]);
    expect(log?.parsed.admin_info?.use_channel).toEqual(channels.map(String));
    client.socket.close();
    await client.closed;
    await expectSettled(customer);
  });

  it('repeats what the client said meanwhile, once', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    upstream.script({
      connect: async (connection) => {
        await connection.next();
        await connection.next();
        connection.socket.terminate();
      },
    });
    const client = await openSocket(address(names), bearer(customer.key));
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

  it('ends with the error in a frame when the client is let in and nobody is left', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    for (const one of [upstream, second]) one.script({ connect: ({ socket }) => socket.close() });
    const client = await openSocket(address(names), bearer(customer.key));
    expect(await client.next()).toMatchObject({ type: 'error', error: { code: 'do_request_failed' } });
    expect(await client.closed).toMatchObject({ code: 1011 });
    await expectSettled(customer);
    expect(await quotaOf(customer.userId)).toBe(1_000_000);
  });
});

describe('a gateway that stops', () => {
  it('lets the answer under way finish and closes quiet sessions at once', async () => {
    const own = await startTestGateway();
    await own.addChannel({ type: 1, baseUrl: upstream.url, models: model });
    const customer = await own.addCustomer(1_000_000);
    const url = `${own.url.replace('http', 'ws')}/v1/realtime?model=${model}`;
    const quiet = await openSocket(url, bearer(customer.key));
    await quiet.next();
    const busy = await openSocket(url, bearer(customer.key));
    await busy.next();
    const server = upstream.connections[1];
    server?.send(created('r1'));
    await busy.next();
    const stopped = own.close();
    expect(await quiet.closed).toMatchObject({ code: 1001 });
    expect(busy.socket.readyState).toBe(busy.socket.OPEN);
    server?.send(done('r1'));
    expect(await busy.next()).toMatchObject({ type: 'response.done' });
    expect(await busy.closed).toMatchObject({ code: 1001 });
    await stopped;
  });
});

/** One request by hand, as no client library would send it; the reply's text. */
async function rawUpgrade(key: string, headers: Record<string, string>, path = `/v1/realtime?model=${model}`): Promise<string> {
  const { port } = new URL(gateway.url);
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
