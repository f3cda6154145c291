/** Responses over WebSocket, as Codex uses it (docs/rules/realtime.md#responses-frames). */
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { generateReply } from '../../../support/gemini-upstream.ts';
import { messageItem, responsesReply } from '../../../support/responses-upstream.ts';
import { openSocket, refusedSocket, type SocketClient } from '../../../support/socket-client.ts';
import { statefulResponses } from '../../../support/stateful-upstream.ts';
import { startTlsFront } from '../../../support/tls-front.ts';
import {
  type Answer,
  chatReply,
  chatStream,
  errorReply,
  messagesReply,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

/** Models by the wire of the upstream that serves them. */
const models = {
  Responses: 'gpt-4o',
  chat: 'gpt-4o-mini',
  messages: 'claude-3-5-sonnet-20241022',
  Gemini: 'gemini-2.0-flash',
} as const;
type Wire = keyof typeof models;
type Event = Record<string, unknown>;

let gateway: TestGateway;
const upstreams = new Map<Wire, TestUpstream>();
const at = (wire: Wire): TestUpstream => upstreams.get(wire) as TestUpstream;

beforeAll(async () => {
  gateway = await startTestGateway({ STREAMING_TIMEOUT: '5' });
  const types = { Responses: 1, chat: 1, messages: 14, Gemini: 24 } as const;
  for (const wire of Object.keys(models) as Wire[]) {
    const upstream = await startUpstream();
    upstreams.set(wire, upstream);
    const setting = wire === 'chat' ? { setting: '{"use_responses":false}' } : {};
    await gateway.addChannel({
      type: types[wire],
      baseUrl: upstream.url,
      models: models[wire],
      ...setting,
    });
  }
  // Idle after a test.
  await gateway.addChannel({ type: 1, baseUrl: at('Responses').url, models: 'gpt-4.1' });
});
afterAll(async () => {
  await gateway.close();
  for (const upstream of upstreams.values()) await upstream.close();
});
beforeEach(() => {
  for (const upstream of upstreams.values()) upstream.requests.length = 0;
  at('Responses').answer(responsesReply());
  at('chat').answer(chatReply());
  at('messages').answer(messagesReply());
  at('Gemini').answer(generateReply());
});

const address = () => `${gateway.url.replace('http', 'ws')}/v1/responses`;
const codexHeaders = (key: string) => ({
  authorization: `Bearer ${key}`,
  originator: 'codex_exec',
  'openai-beta': 'responses_websockets=2026-02-06',
  'accept-language': 'en',
});
const connect = (key: string): Promise<SocketClient> =>
  openSocket(address(), { headers: codexHeaders(key) });
const quotaOf = async (userId: number) => (await gateway.client.user.get({ id: userId })).quota;
const logsOf = async (username: string) =>
  (await gateway.client.log.list({ username, type: 2 })).items;

const message = (text: string) => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});
const create = (fields: object) => ({
  type: 'response.create',
  store: false,
  stream: true,
  ...fields,
});

/** The events of one response, to its end or its error. */
async function readResponse(client: SocketClient): Promise<Event[]> {
  const events: Event[] = [];
  for (;;) {
    const event = await client.next();
    events.push(event);
    if (
      ['response.completed', 'response.incomplete', 'response.failed', 'error'].includes(
        String(event['type']),
      )
    )
      return events;
  }
}
const responseOf = (events: readonly Event[]) =>
  events.at(-1)?.['response'] as { id: string; output: Event[]; usage: Event };
const textOf = (events: readonly Event[]) =>
  events
    .map((event) => (event['type'] === 'response.output_text.delta' ? event['delta'] : ''))
    .join('');

describe('a Responses socket', () => {
  it('serves each frame as a separate request, in order, and charges each', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const client = await connect(customer.key);
    // Both at once: the second waits for its turn.
    client.send(create({ model: 'gpt-4o', input: [message('One')], x_unknown: [1.5] }));
    client.send(create({ model: 'gpt-4o', input: 'Two' }));
    const first = await readResponse(client);
    expect(first.map(({ type }) => type).slice(0, 3)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
    ]);
    expect(textOf(first)).toBe('Hello from Responses');
    expect(responseOf(first)).toMatchObject({
      id: 'resp_up',
      x_unknown: [1.5],
      usage: { total_tokens: 1500 },
    });
    expect(textOf(await readResponse(client))).toBe('Hello from Responses');
    const { requests } = at('Responses');
    expect(requests.map(({ path, json }) => [path, json['input']])).toEqual([
      ['/v1/responses', [message('One')]],
      ['/v1/responses', 'Two'],
    ]);
    expect(requests[0]?.json).toEqual({
      model: 'gpt-4o',
      input: [message('One')],
      x_unknown: [1.5],
      store: false,
      stream: true,
    });
    expect(requests[0]?.headers['openai-beta']).toBeUndefined();
    expect(requests[0]?.headers['upgrade']).toBeUndefined();
    // ((1000 − 400) + 400 × 0.5 + 500 × 4) × 1.25, twice
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - 2 * 3500);
    const logs = await logsOf(customer.username);
    expect(logs).toHaveLength(2);
    expect(new Set(logs.map((log) => log.request_id)).size).toBe(2);
    expect(logs[0]).toMatchObject({ quota: 3500, is_stream: true, model_name: 'gpt-4o' });
    expect(readLogOther(logs[0]?.other ?? '').request_path).toBe('/v1/responses');
    client.socket.close();
    await client.closed;
  });

  it('works with the official client', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const front = await startTlsFront(gateway.url);
    const openai = new OpenAI({ apiKey: customer.key, baseURL: `${front.url}/v1` });
    const client = new ResponsesWS(openai, { ca: front.ca });
    const done = new Promise<string>((resolve, reject) => {
      let text = '';
      client.on('response.output_text.delta', ({ delta }) => {
        text += delta;
      });
      client.on('response.completed', ({ response }) => resolve(`${response.model}: ${text}`));
      client.on('error', reject);
    });
    client.send({ type: 'response.create', model: 'claude-3-5-sonnet-20241022', input: 'Hi' });
    expect(await done).toBe('claude-3-5-sonnet-20241022: Hello from Claude');
    client.close();
    front.close();
  });

  it.each(Object.keys(models) as Wire[])(
    'continues a stored conversation at an upstream with format %s',
    async (wire) => {
      const customer = await gateway.addCustomer(1_000_000);
      const client = await connect(customer.key);
      const model = models[wire];
      client.send(create({ model, generate: false, input: [message('First words')] }));
      const warm = await readResponse(client);
      expect(warm.map(({ type }) => type)).toEqual(['response.created', 'response.completed']);
      expect(responseOf(warm)).toMatchObject({
        output: [],
        status: 'completed',
        usage: { total_tokens: 0 },
      });
      expect(at(wire).requests).toHaveLength(0);

      client.send(
        create({
          model,
          previous_response_id: responseOf(warm).id,
          input: [message('Second words')],
        }),
      );
      const second = await readResponse(client);
      client.send(
        create({ model, previous_response_id: responseOf(second).id, input: 'Third words' }),
      );
      const third = await readResponse(client);
      expect(textOf(third)).toMatch(/^Hello from/);
      const sent = at(wire).requests.map(({ text }) => text);
      expect(sent).toHaveLength(2);
      expect(sent.join()).not.toContain('previous_response_id');
      const order = ['First words', 'Second words', textOf(second), 'Third words'].map(
        (text) => sent[1]?.indexOf(text) ?? -1,
      );
      expect(order).toEqual([...order].sort((a, b) => a - b));
      expect(order[0]).toBeGreaterThan(0);
      expect(sent[0]).not.toContain('Third words');
      expect(await logsOf(customer.username)).toHaveLength(2);
      client.socket.close();
      await client.closed;
    },
  );

  it('sends signed thinking back, and drops items that were not stored', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const proven = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'proof' };
    const bare = { type: 'reasoning', id: 'rs_2', summary: [] };
    at('Responses').answer(responsesReply([proven, bare, messageItem('Done')]));
    const sent: string[][] = [];
    for (const store of [false, true]) {
      const client = await connect(customer.key);
      client.send(create({ model: 'gpt-4o', input: 'Think' }));
      const { id } = responseOf(await readResponse(client));
      client.send(create({ model: 'gpt-4o', previous_response_id: id, input: 'On', store }));
      await readResponse(client);
      const items = at('Responses').requests.at(-1)?.json['input'] as Event[];
      sent.push(items.map((item) => String(item['id'] ?? item['role'])));
      client.socket.close();
      await client.closed;
    }
    expect(sent[0]).toEqual(['user', 'rs_1', 'msg_up', 'user']);
    // Its own response was not stored, so no upstream can resolve its id now.
    expect(sent[1]).toEqual(sent[0]);
  });

  it('continues stored responses of other connections, and what it remembers after them', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    at('Responses').answer(statefulResponses().answer);
    const turn = async (client: Awaited<ReturnType<typeof connect>>, fields: object) => {
      client.send(create({ model: 'gpt-4o', ...fields }));
      return responseOf(await readResponse(client));
    };
    const one = await connect(customer.key);
    const first = await turn(one, { input: 'Weather?', store: true });
    one.socket.close();
    await one.closed;

    const two = await connect(customer.key);
    const callId = (first['output'] as Event[]).find(({ type }) => type === 'function_call')?.[
      'call_id'
    ];
    const output = { type: 'function_call_output', call_id: callId, output: 'sunny' };
    const second = await turn(two, {
      previous_response_id: first['id'],
      input: [output],
      store: false,
    });
    const third = await turn(two, {
      previous_response_id: second['id'],
      input: 'Thanks',
      store: false,
    });
    expect(third['output']).toMatchObject([{ content: [{ text: 'The tool said sunny' }] }]);
    const sent = at('Responses').requests.at(-1)?.json;
    expect(sent).toMatchObject({
      previous_response_id: first['id'],
      input: [output, { type: 'message' }, { role: 'user' }],
    });

    two.send(create({ model: 'gpt-4o', previous_response_id: 'resp_elsewhere', input: 'On' }));
    expect((await readResponse(two)).at(-1)).toMatchObject({
      type: 'error',
      status: 400,
      error: { code: 'previous_response_not_found', param: 'previous_response_id' },
    });
    two.socket.close();
    await two.closed;
  });
});

describe('errors on a Responses socket', () => {
  it('come as a frame with the status, and the next request is served', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const client = await connect(customer.key);
    const bad: [object | string, number, string][] = [
      ['{"type":"response.create",', 400, 'invalid_json'],
      [{ type: 'session.update' }, 400, 'invalid_request'],
      [create({ input: 'Hi' }), 400, 'model_required'],
      [create({ input: 'Hi', generate: false }), 400, 'model_required'],
      [create({ model: 'gpt-4o' }), 400, 'invalid_request'],
      [create({ model: 'nothing', input: 'Hi' }), 503, 'no_channel'],
    ];
    for (const [frame, status, code] of bad) {
      client.send(frame);
      const [error] = await readResponse(client);
      expect(error).toMatchObject({
        type: 'error',
        status,
        error: { code, message: expect.stringMatching(/request id/) },
      });
    }
    at('Responses').answer(
      errorReply(
        429,
        { message: 'slow down', code: 'rate_limit_exceeded' },
        { 'retry-after': '7' },
      ),
    );
    client.send(create({ model: 'gpt-4.1', input: 'Hi' }));
    expect((await readResponse(client))[0]).toMatchObject({
      type: 'error',
      status: 429,
      error: { code: 'rate_limit_exceeded' },
      headers: { 'retry-after': '7' },
    });
    client.send(create({ model: 'gpt-4o-mini', input: 'Hi' }));
    expect(textOf(await readResponse(client))).toBe('Hello from upstream');
    client.socket.close();
    await client.closed;
  });

  it('of the handshake are ordinary replies', async () => {
    expect(await refusedSocket(address(), { headers: codexHeaders('sk-nobody') })).toMatchObject({
      status: 401,
      body: { error: { code: 'token_unknown' } },
    });
    const customer = await gateway.addCustomer(10);
    const plain = await fetch(address().replace('ws', 'http'), {
      headers: codexHeaders(customer.key),
    });
    expect(plain.status).toBe(426);
  });

  it('end a conversation when the money is used up', async () => {
    const customer = await gateway.addCustomer(100);
    const client = await connect(customer.key);
    client.send(create({ model: 'gpt-4o', input: 'Hi' }));
    expect((await readResponse(client))[0]).toMatchObject({
      type: 'error',
      status: 403,
      error: { code: 'insufficient_user_quota' },
      headers: { 'x-should-retry': 'false' },
    });
    expect(at('Responses').requests).toHaveLength(0);
    client.socket.close();
    await client.closed;
  });

  it('report a stream that breaks in the middle, after its output was charged', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    at('Responses').answer(responsesReply([messageItem('Half')], { last: null, end: 'cut' }));
    const client = await connect(customer.key);
    client.send(create({ model: 'gpt-4o', input: 'Hi' }));
    const events = await readResponse(client);
    expect(events.at(-1)).toMatchObject({ type: 'error' });
    expect(await client.next()).toMatchObject({ type: 'response.failed' });
    expect(await quotaOf(customer.userId)).toBeLessThan(1_000_000);
    client.socket.close();
    await client.closed;
  });

  it('close the connection where requests pile up', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    at('Responses').answer(() => undefined);
    const client = await connect(customer.key);
    for (let count = 0; count < 18; count++) client.send(create({ model: 'gpt-4o', input: 'Hi' }));
    expect(await client.closed).toMatchObject({ code: 1008 });
    await expect.poll(() => at('Responses').aborted).toBeGreaterThan(0);
  });

  it('are nothing but one close for whatever comes after too many', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    at('Responses').answer(() => undefined);
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on('warning', note);
    const client = await connect(customer.key);
    for (let count = 0; count < 100; count++) client.send(create({ model: 'gpt-4o', input: 'Hi' }));
    expect(await client.closed).toMatchObject({ code: 1008 });
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });
});

describe('a client that leaves in the middle of a response', () => {
  it('is charged for the received part, and the upstream is disconnected', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    at('chat').answer(chatStream(['Hello ', 'world'], null, { end: 'hang' }));
    const { aborted } = at('chat');
    const client = await connect(customer.key);
    client.send(create({ model: 'gpt-4o-mini', input: 'Hi' }));
    while ((await client.next())['delta'] !== 'world');
    client.socket.terminate();
    await expect.poll(() => at('chat').aborted, { timeout: 30_000 }).toBe(aborted + 1);
    await expect.poll(() => logsOf(customer.username)).toHaveLength(1);
    const [log] = await logsOf(customer.username);
    expect(readLogOther(log?.other ?? '')).toMatchObject({
      ended: 'client_gone',
      usage_source: 'counted',
    });
    expect(log?.quota).toBeGreaterThan(0);
  });

  it('is served even if it reads slowly', async () => {
    const customer = await gateway.addCustomer(100_000_000);
    let written = 0;
    const flood: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x'.repeat(64 * 1024) } }] })}\n\n`;
      const pour = () => {
        while (!response.destroyed && response.write(event)) written += event.length;
        response.once('drain', pour);
      };
      pour();
    };
    at('chat').answer(flood);
    const { aborted } = at('chat');
    const client = await connect(customer.key);
    client.send(create({ model: 'gpt-4o-mini', input: 'Hi' }));
    await client.next();
    client.socket.pause();
    // Backpressure reaches the upstream: its writes stop.
    let before = -1;
    await expect
      .poll(
        () => {
          const still = written === before;
          before = written;
          return still;
        },
        { interval: 200, timeout: 30_000 },
      )
      .toBe(true);
    expect(written).toBeLessThan(64 * 1024 * 1024);
    client.socket.terminate();
    await expect.poll(() => at('chat').aborted, { timeout: 30_000 }).toBe(aborted + 1);
  });
});

describe('requests with stream ids', () => {
  it('are served side by side, each in its order, each request charged once', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const client = await connect(customer.key);
    const gate = Promise.withResolvers<void>();
    const slow = responsesReply([messageItem('slow')]);
    at('Responses').answer(
      async (response, request) => {
        await gate.promise;
        return slow(response, request);
      },
      responsesReply([messageItem('quick')]),
    );
    client.send(create({ model: 'gpt-4o', input: 'one', stream_id: 'a' }));
    await expect.poll(() => at('Responses').requests.length).toBe(1);
    client.send(create({ model: 'gpt-4o', input: 'two', stream_id: 'a' }));
    client.send(create({ model: 'gpt-4o', input: 'three', stream_id: 'b' }));
    const quick = await readResponse(client);
    expect(textOf(quick)).toBe('quick');
    expect(new Set(quick.map((event) => event['stream_id']))).toEqual(new Set(['b']));
    expect(at('Responses').requests.map(({ json }) => json['stream_id'])).toEqual([
      undefined,
      undefined,
    ]);
    gate.resolve();
    expect(textOf(await readResponse(client))).toBe('slow');
    const last = await readResponse(client);
    expect([textOf(last), last.at(-1)?.['stream_id']]).toEqual(['quick', 'a']);
    client.socket.close();
    await client.closed;
    expect(await logsOf(customer.username)).toHaveLength(3);
  });

  it('with a name that is none and background work are refused with their stream id', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const client = await connect(customer.key);
    client.send(create({ model: 'gpt-4o', input: 'x', stream_id: 7 }));
    expect(await client.next()).toMatchObject({ type: 'error', status: 400 });
    client.send(create({ model: 'gpt-4o', input: 'x', stream_id: 'a', background: true }));
    expect(await client.next()).toMatchObject({ type: 'error', status: 400, stream_id: 'a' });
    expect(at('Responses').requests).toHaveLength(0);
    client.socket.close();
    await client.closed;
  });
});

describe('a gateway that stops', () => {
  it('lets the running response finish', async () => {
    const own = await startTestGateway();
    const upstream = await startUpstream();
    let finish = () => undefined as unknown;
    const waiting = new Promise<void>((resolve) => {
      finish = resolve as () => unknown;
    });
    const slow = responsesReply();
    upstream.answer(async (response, request) => {
      await waiting;
      await slow(response, request);
    });
    await own.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-4o' });
    const customer = await own.addCustomer(1_000_000);
    const url = `${own.url.replace('http', 'ws')}/v1/responses`;
    const quiet = await openSocket(url, { headers: codexHeaders(customer.key) });
    const busy = await openSocket(url, { headers: codexHeaders(customer.key) });
    busy.send(create({ model: 'gpt-4o', input: 'Hi' }));
    await expect.poll(() => upstream.requests.length).toBe(1);
    const stopped = own.close();
    expect(await quiet.closed).toMatchObject({ code: 1001 });
    finish();
    expect(textOf(await readResponse(busy))).toBe('Hello from Responses');
    expect(await busy.closed).toMatchObject({ code: 1001 });
    await stopped;
    await upstream.close();
  });
});
