/**
 * What callers read whose answers the stop of the gateway cuts off, in every format, and what they
 * are charged.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readLogOther } from '../../src/core/contract/log-other.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { half, type Wire } from '../support/half-answers.ts';
import { openSocket, refusedSocket, type SocketClient } from '../support/socket-client.ts';
import { type SocketUpstream, startSocketUpstream } from '../support/socket-upstream.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';

/** Milliseconds that answers have to end: none does. */
const drainMs = 300;

/** What upstreams speak, on which channels. */
const channels = {
  chat: { type: 1, model: 'gpt-4o-mini', setting: {} },
  completions: { type: 1, model: 'gpt-3.5-turbo-instruct', setting: {} },
  messages: { type: 14, model: 'claude-3-5-haiku-20241022', setting: {} },
  gemini: { type: 24, model: 'gemini-2.0-flash', setting: {} },
  responses: { type: 1, model: 'gpt-4o', setting: { use_responses: true } },
  cohere: { type: 34, model: 'command-r', setting: {} },
} as const satisfies Record<Wire, object>;
const wires = Object.keys(channels) as Wire[];

const paths: readonly (readonly [RegExp, Wire])[] = [
  [/\/chat\/completions$/, 'chat'],
  [/\/completions$/, 'completions'],
  [/\/messages$/, 'messages'],
  [/:(streamG|g)enerateContent/, 'gemini'],
  [/\/responses$/, 'responses'],
  [/\/v2\/chat$/, 'cohere'],
];

type Format = Wire | 'gemini array';

interface Caller {
  request(model: string, stream: boolean): { readonly path: string; readonly body: object };
  /** The error at the end of a stream. */
  readonly error: RegExp;
  /** A normal ending. */
  readonly ending: RegExp;
}

const messages = [{ role: 'user', content: 'hi' }];
const words = 'shutting down|going down|restarting|stopping';
const openAiError = /data: \{"error":\{[^\n]*"code":"shutting_down"[^\n]*\}\n\n$/;
const openAiEnding = /"finish_reason":"|\[DONE\]/;
const geminiBody = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };

const callers: Readonly<Record<Format, Caller>> = {
  chat: {
    request: (model, stream) => ({
      path: '/v1/chat/completions',
      body: { model, messages, stream },
    }),
    error: openAiError,
    ending: openAiEnding,
  },
  completions: {
    request: (model, stream) => ({
      path: '/v1/completions',
      body: { model, prompt: 'hi', stream },
    }),
    error: openAiError,
    ending: openAiEnding,
  },
  messages: {
    request: (model, stream) => ({
      path: '/v1/messages',
      body: { model, messages, max_tokens: 100, stream },
    }),
    error: /event: error\ndata: \{"type":"error","error":\{[^\n]*\}\n\n$/,
    ending: /message_delta|message_stop/,
  },
  gemini: {
    request: (model, stream) => ({
      path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      body: geminiBody,
    }),
    error:
      /data: \{"error":\{"code":503,[^\n]*"status":"UNAVAILABLE"\}\}\r\n\r\n\{"error":\{"code":503,.*\}\}$/,
    ending: /finishReason|DONE/,
  },
  'gemini array': {
    request: (model, stream) => ({
      path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent' : 'generateContent'}`,
      body: geminiBody,
    }),
    error: /,\s*\{"error":\{"code":503,[^\n]*"status":"UNAVAILABLE"\}\}\s*\]\s*$/,
    ending: /finishReason|DONE/,
  },
  responses: {
    request: (model, stream) => ({ path: '/v1/responses', body: { model, input: 'hi', stream } }),
    error:
      /event: error\n[^\n]*"code":"shutting_down"[\s\S]*event: response\.failed\n[^\n]*"code":"shutting_down"/,
    ending: /response\.completed|response\.incomplete|\[DONE\]/,
  },
  cohere: {
    request: (model, stream) => ({ path: '/v2/chat', body: { model, messages, stream } }),
    error:
      /event: message-end\ndata: \{"type":"message-end","delta":\{"finish_reason":"ERROR","error":"[^\n]*\}\n\n$/,
    ending: /"finish_reason":"COMPLETE"|\[DONE\]/,
  },
};
const formats = Object.keys(callers) as Format[];

interface Cut {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}
type Customer = Awaited<ReturnType<TestGateway['addCustomer']>>;

const metricsToken = 'metrics';
const english = { 'accept-language': 'en' };
const realtimeModel = 'gpt-4o-realtime-preview';
const streams = new Map<string, Cut>();
const wholes = new Map<string, Cut>();
const caseOf = (format: Format, wire: Wire) => `${format} from ${wire}`;
const cases = formats.flatMap((format) => wires.map((wire) => [format, wire] as const));

let gateway: TestGateway;
let upstream: TestUpstream;
let sockets: SocketUpstream;
let rows: readonly {
  type: number;
  quota: number;
  tokens: number;
  other: ReturnType<typeof readLogOther>;
}[];
let sent: { readonly streams: number; readonly others: number };
let realtime: { readonly frames: readonly Record<string, unknown>[]; readonly code: number };
let frames: { readonly frames: readonly Record<string, unknown>[]; readonly code: number };
let opening: Awaited<ReturnType<typeof refusedSocket>>;
let slowBody: Cut;

async function activeRequests(): Promise<number> {
  const reply = await fetch(`${gateway.url}/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}` },
  });
  return Number(/^turnpike_requests_active (\d+)/m.exec(await reply.text())?.[1]);
}

/** Everything that comes until the connection closes. */
async function readOut(
  client: SocketClient,
): Promise<{ frames: Record<string, unknown>[]; code: number }> {
  const seen: Record<string, unknown>[] = [];
  client.socket.on('message', (data) =>
    seen.push(JSON.parse(String(data)) as Record<string, unknown>),
  );
  const { code } = await client.closed;
  return { frames: seen, code };
}

function post(
  path: string,
  { key }: Customer,
  body: BodyInit,
  more: RequestInit = {},
): Promise<Response> {
  const headers = {
    ...english,
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  };
  return fetch(gateway.url + path, { method: 'POST', headers, body, ...more });
}

/**
 * Sends a request; resolves with what came once it is over. `begun` is called with the first half
 * of a stream.
 */
async function cutOff(
  path: string,
  customer: Customer,
  body: object,
  begun: () => void,
): Promise<Cut> {
  const reply = await post(path, customer, JSON.stringify(body));
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of reply.body ?? []) {
      pieces.push(piece);
      if (Buffer.concat(pieces).includes('sentence')) begun();
    }
  } catch (error) {
    // Cohere's SDK notices only a connection that is cut.
    if (path !== '/v2/chat') throw error;
  }
  return { status: reply.status, headers: reply.headers, text: String(Buffer.concat(pieces)) };
}

beforeAll(async () => {
  gateway = await startTestGateway({ TURNPIKE_METRICS_TOKEN: metricsToken }, undefined, drainMs);
  upstream = await startUpstream();
  sockets = await startSocketUpstream();
  for (const { type, model, setting } of Object.values(channels))
    await gateway.addChannel({
      type,
      baseUrl: upstream.url,
      models: model,
      setting: JSON.stringify(setting),
    });
  await gateway.addChannel({ type: 1, baseUrl: sockets.url, models: realtimeModel });
  upstream.answer((response, { path, json }) => {
    const wire = paths.find(([pattern]) => pattern.test(path.split('?')[0] ?? ''))?.[1] ?? 'chat';
    const isStream = json['stream'] === true || path.includes('streamGenerateContent');
    if (!isStream) return; // nothing ever comes
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(half[wire]);
  });
  sockets.script(
    {
      connect: (connection) => {
        connection.send({ type: 'session.created', session: { id: 's' } });
        connection.send({
          type: 'response.created',
          response: { id: 'r1', status: 'in_progress' },
        });
        connection.send({
          type: 'response.output_text.delta',
          response_id: 'r1',
          delta: 'Half a sentence',
        });
      },
    },
    { refuse: () => undefined },
  );
  const customer = await gateway.addCustomer(1_000_000_000);
  const ends: Promise<unknown>[] = [];
  const begun: Promise<void>[] = [];
  for (const [format, wire] of cases) {
    for (const stream of [true, false]) {
      const { path, body } = callers[format].request(channels[wire].model, stream);
      const { promise, resolve } = Promise.withResolvers<void>();
      if (stream) begun.push(promise);
      const into = stream ? streams : wholes;
      ends.push(
        cutOff(path, customer, body, resolve).then((cut) => into.set(caseOf(format, wire), cut)),
      );
    }
  }
  const webSocket = gateway.url.replace('http', 'ws');
  const options = { headers: { ...english, authorization: `Bearer ${customer.key}` } };
  const talk = await openSocket(`${webSocket}/v1/realtime?model=${realtimeModel}`, options);
  while ((await talk.next())['type'] !== 'response.output_text.delta');
  ends.push(readOut(talk).then((seen) => (realtime = seen)));
  const responses = await openSocket(`${webSocket}/v1/responses`, options);
  responses.send({ type: 'response.create', model: channels.chat.model, input: 'hi' });
  while ((await responses.next())['type'] !== 'response.output_text.delta');
  responses.send({
    type: 'response.create',
    model: channels.chat.model,
    input: 'the next one waits',
  });
  ends.push(readOut(responses).then((seen) => (frames = seen)));
  ends.push(
    refusedSocket(`${webSocket}/v1/realtime?model=${realtimeModel}`, options).then(
      (seen) => (opening = seen),
    ),
  );
  const pieces = new TransformStream<Uint8Array, Uint8Array>();
  const writer = pieces.writable.getWriter();
  void writer.write(Buffer.from('{"model":'));
  ends.push(
    post('/v1/chat/completions', customer, pieces.readable, { duplex: 'half' } as RequestInit).then(
      async (reply) => {
        slowBody = { status: reply.status, headers: reply.headers, text: await reply.text() };
      },
    ),
  );
  await Promise.all(begun);
  // The realtime session, the other WebSocket, the one that is opened, the slow body.
  await vi.waitFor(async () => expect(await activeRequests()).toBe(cases.length * 2 + 4));
  await vi.waitFor(() => expect(upstream.requests).toHaveLength(cases.length * 2 + 1));
  sent = { streams: cases.length + 2, others: cases.length + 1 };
  await gateway.restart();
  await Promise.all(ends);
  const { items } = await gateway.client.log.list({ username: customer.username, page_size: 200 });
  rows = items
    .filter(({ request_id: id }) => id !== '')
    .map(({ type, quota, completion_tokens: tokens, other }) => ({
      type,
      quota,
      tokens,
      other: readLogOther(other),
    }));
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
  await sockets.close();
});

describe('an answer that the stop of the gateway cuts off', () => {
  it.each(cases)(
    'is a stream that ends with an error: %s from an upstream of %s',
    (format, wire) => {
      const { error, ending } = callers[format];
      const { status, text } = streams.get(caseOf(format, wire)) ?? {};
      expect(status).toBe(200);
      expect(text).toContain('sentence');
      expect(text).toMatch(error);
      expect(text).not.toMatch(ending);
    },
  );

  it.each(cases)(
    'is a whole reply that is refused instead: %s from an upstream of %s',
    (format, wire) => {
      const { status, headers, text } = wholes.get(caseOf(format, wire)) ?? {};
      expect(status).toBe(503);
      expect(headers?.get('retry-after')).toBe('1');
      const body = JSON.parse(text ?? '') as { error?: object; type?: string; message?: string };
      if (format === 'cohere') expect(body.message).toMatch(new RegExp(words, 'i'));
      else if (format === 'messages')
        expect(body).toMatchObject({ type: 'error', error: { type: 'api_error' } });
      else if (format.startsWith('gemini'))
        expect(body).toMatchObject({ error: { code: 503, status: 'UNAVAILABLE' } });
      else expect(body).toMatchObject({ error: { code: 'shutting_down' } });
    },
  );

  it('is a realtime session that ends with an error event and code 1001', () => {
    expect(realtime.frames.at(-1)).toMatchObject({
      type: 'error',
      error: { code: 'shutting_down' },
    });
    expect(realtime.code).toBe(1001);
  });

  it('is a response on a WebSocket that fails; the one behind it is refused, and the connection ends with code 1001', () => {
    const types = frames.frames.map(({ type }) => type);
    expect(types).toEqual(['error', 'response.failed', 'error']);
    expect(frames.frames.at(-1)).toMatchObject({ status: 503, error: { code: 'shutting_down' } });
    expect(frames.code).toBe(1001);
  });

  it('is a WebSocket that is still being opened and gets a status', () => {
    expect(opening.status).toBe(503);
    expect(opening.headers['retry-after']).toBe('1');
    expect(opening.body).toMatchObject({ error: { code: 'shutting_down' } });
  });

  it('is a request whose body never came to its end', () => {
    expect(slowBody.status).toBe(503);
    expect(JSON.parse(slowBody.text)).toMatchObject({ error: { code: 'shutting_down' } });
  });

  it('is charged for what was delivered, and its row says why it ended', () => {
    const charged = rows.filter(({ type }) => type === 2);
    expect(charged).toHaveLength(sent.streams);
    for (const { quota, tokens, other } of charged) {
      expect(other.ended).toBe('gateway_stopped');
      expect(tokens).toBeGreaterThan(2);
      expect(quota).toBeGreaterThan(0);
    }
  });

  it('costs nothing where no answer had begun, and its row says why', () => {
    // At most thirty rows of errors a minute.
    const failed = rows.filter(({ type, other }) => type === 5 && other.ended === undefined);
    for (const { quota, other } of failed) {
      expect(quota).toBe(0);
      expect(other).toMatchObject({ status_code: 503, error_code: 'shutting_down' });
    }
    expect(failed.length).toBeGreaterThan(0);
  });
});
