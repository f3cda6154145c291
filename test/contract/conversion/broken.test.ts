/**
 * Upstreams that break off or send malformed replies: every caller gets a reply or an error in its
 * own format and is charged accordingly.
 */
import { describe, expect, it } from 'vitest';
import { parseObject } from '../../../src/core/kernel/json.ts';
import type { Answer, TestUpstream } from '../../support/upstream.ts';
import { createConversionBench } from './bench.ts';
import { scenarios } from './scenarios.ts';
import { type UpstreamFormat, upstreamFormats } from './upstream-formats.ts';

const plain = scenarios[0];
if (plain?.text === undefined) throw new Error('no scenario');
const spoken = plain.text;

interface Caller {
  readonly name: 'chat' | 'messages' | 'Gemini' | 'Responses';
  readonly ask: (model: string, stream: boolean) => readonly [path: string, body: object];
  /** The reply's text, read from the values of a stream. */
  readonly text: (value: Record<string, unknown>) => string;
  /** Whether a value ends the stream properly. */
  readonly ends: (value: Record<string, unknown>) => boolean;
}

type Loose = Record<string, unknown>;
const question = [{ role: 'user', content: 'Hi' }];
const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Loose | undefined)?.[key], value);
const textAt = (value: unknown, ...path: readonly (string | number)[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
};

const callers: readonly Caller[] = [
  {
    name: 'chat',
    ask: (model, stream) => ['/v1/chat/completions', { model, messages: question, stream }],
    text: (value) => textAt(value, 'choices', 0, 'delta', 'content'),
    ends: (value) => textAt(value, 'choices', 0, 'finish_reason') !== '',
  },
  {
    name: 'messages',
    ask: (model, stream) => [
      '/v1/messages',
      { model, max_tokens: 100, messages: question, stream },
    ],
    text: (value) => textAt(value, 'delta', 'text'),
    ends: (value) => value['type'] === 'message_stop',
  },
  {
    name: 'Gemini',
    ask: (model, stream) => [
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    ],
    text: (value) => textAt(value, 'candidates', 0, 'content', 'parts', 0, 'text'),
    ends: (value) => textAt(value, 'candidates', 0, 'finishReason') !== '',
  },
  {
    name: 'Responses',
    ask: (model, stream) => ['/v1/responses', { model, input: 'Hi', stream }],
    text: (value) => (value['type'] === 'response.output_text.delta' ? textAt(value, 'delta') : ''),
    ends: (value) => value['type'] === 'response.completed',
  },
];

/** An error event of each upstream wire. */
const errorEvents: Readonly<Record<UpstreamFormat['name'], string>> = {
  chat: 'data: {"error":{"message":"the engine stalled","type":"server_error","code":null}}\n\n',
  messages:
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"the engine stalled"}}\n\n',
  Gemini: 'data: {"error":{"code":503,"message":"the engine stalled","status":"UNAVAILABLE"}}\n\n',
  Responses:
    'event: error\ndata: {"type":"error","code":"server_error","message":"the engine stalled","param":null}\n\n',
};

/** A stream as its upstream sends it, event by event, blank lines included. */
const recorded = new Map<string, readonly string[]>();
const eventsOf = (provider: UpstreamFormat) => recorded.get(provider.name) ?? [];
const sse = { 'content-type': 'text/event-stream' };

interface Breakage {
  readonly name: string;
  readonly answer: (provider: UpstreamFormat) => Answer;
  /**
   * whole: the complete reply. ended: the received part, properly ended or followed by an error.
   * failed: an error status.
   */
  readonly outcome: 'whole' | 'ended' | 'failed';
}

const streams: readonly Breakage[] = [
  {
    name: 'lines that end in CR LF',
    outcome: 'whole',
    answer: (provider) => (response) => {
      response.writeHead(200, sse).end(eventsOf(provider).join('').replaceAll('\n', '\r\n'));
    },
  },
  {
    name: 'comments between the events',
    outcome: 'whole',
    answer: (provider) => (response) => {
      response.writeHead(200, sse).end(`: hello\n\n${eventsOf(provider).join(': still here\n\n')}`);
    },
  },
  {
    name: 'its opening event twice',
    outcome: 'whole',
    answer: (provider) => (response) => {
      const [first = '', ...rest] = eventsOf(provider);
      // Gemini's first event is content already.
      const opening = provider.name === 'Gemini' ? '' : first;
      response.writeHead(200, sse).end([opening, first, ...rest].join(''));
    },
  },
  {
    name: 'no terminator',
    outcome: 'ended',
    answer: (provider) => (response) => {
      response.writeHead(200, sse).end(eventsOf(provider).slice(0, -1).join(''));
    },
  },
  {
    name: 'half a character at its end',
    outcome: 'ended',
    answer: (provider) => (response) => {
      const bytes = Buffer.from(eventsOf(provider).join(''));
      const cut = bytes.indexOf('你');
      response.writeHead(200, sse);
      response.write(bytes.subarray(0, cut + 1), () => response.destroy());
    },
  },
  {
    name: 'an event that is no JSON',
    outcome: 'whole',
    answer: (provider) => (response) => {
      const [first = '', ...rest] = eventsOf(provider);
      response.writeHead(200, sse).end([first, 'data: {"broken\n\n', ...rest].join(''));
    },
  },
  {
    name: 'an error in the middle',
    outcome: 'ended',
    answer: (provider) => async (response) => {
      const events = eventsOf(provider);
      response.writeHead(200, sse).write(events.slice(0, Math.ceil(events.length / 2)).join(''));
      // In one piece with what came before it would still be an error before the first byte.
      await begun;
      response.end(errorEvents[provider.name]);
    },
  },
  {
    name: 'an error as first event',
    outcome: 'failed',
    answer: (provider) => (response) =>
      void response.writeHead(200, sse).end(errorEvents[provider.name]),
  },
  {
    name: 'no event at all',
    outcome: 'failed',
    answer: () => (response) => void response.writeHead(200, sse).end(),
  },
];

const wholes: readonly Breakage[] = [
  {
    name: 'a page of HTML',
    outcome: 'failed',
    answer: () => (response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'),
  },
  {
    name: 'half a JSON document',
    outcome: 'failed',
    answer: () => (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"x","cho'),
  },
  {
    name: 'JSON of another kind',
    outcome: 'failed',
    answer: () => (response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('[1,2,3]'),
  },
  {
    name: 'nothing',
    outcome: 'failed',
    answer: () => (response) => void response.writeHead(200).end(),
  },
  {
    name: 'a closed connection',
    outcome: 'failed',
    answer: () => (response) => void response.destroy(),
  },
];

/** The caller has the first bytes of the reply. */
let begun: Promise<void> = Promise.resolve();

async function record(provider: UpstreamFormat, upstream: TestUpstream): Promise<void> {
  upstream.answer(provider.answer(plain as (typeof scenarios)[number]));
  const path = provider.name === 'Gemini' ? '/x:streamGenerateContent' : '/x';
  const reply = await fetch(upstream.url + path, { method: 'POST', body: '{"stream":true}' });
  const text = await reply.text();
  recorded.set(
    provider.name,
    text.split(/(?<=\n\n)/).filter((event) => event !== ''),
  );
}

const bench = createConversionBench({ environment: { STREAMING_TIMEOUT: '5' }, ready: record });

const quota = 1_000_000_000;

/** Where both wires are the same, what is no JSON goes on untouched too. */
function valuesOf(text: string): Record<string, unknown>[] {
  const lines = text.split(/\r?\n/).filter((line) => line.startsWith('data: '));
  return lines.map((line) => parseObject(line.slice(6))).filter((value) => value !== undefined);
}

const isError = (value: Record<string, unknown>) =>
  value['error'] !== undefined || value['type'] === 'error' || value['type'] === 'response.failed';

function expectErrorOf(caller: Caller, body: unknown): void {
  const error = at(body, 'error');
  expect(typeof at(error, 'message')).toBe('string');
  if (caller.name === 'messages') expect(at(body, 'type')).toBe('error');
  if (caller.name === 'Gemini') expect(typeof at(error, 'code')).toBe('number');
  if (caller.name === 'chat' || caller.name === 'Responses') expect(error).toHaveProperty('type');
}

async function run(
  caller: Caller,
  provider: UpstreamFormat,
  breakage: Breakage,
  stream: boolean,
): Promise<void> {
  bench.upstream(provider.name).answer(breakage.answer(provider));
  const { promise, resolve: begin } = Promise.withResolvers<void>();
  begun = promise;
  const customer = await bench.gateway.addCustomer(quota);
  const [path, body] = caller.ask(provider.model, stream);
  const reply = await fetch(bench.gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${customer.key}`,
      'content-type': 'application/json',
      'accept-language': 'en',
    },
    body: JSON.stringify(body),
  });
  begin();
  const text = await reply.text();
  const left = (await bench.gateway.client.user.get({ id: customer.userId })).quota;
  if (breakage.outcome === 'failed') {
    expect(reply.status, text).toBeGreaterThanOrEqual(500);
    expectErrorOf(caller, JSON.parse(text));
    expect(left).toBe(quota);
    return;
  }
  expect(reply.status, text).toBe(200);
  const values = valuesOf(text);
  const said = values.map(caller.text).join('');
  if (breakage.outcome === 'whole') expect(said).toBe(spoken);
  else expect(spoken.startsWith(said), said).toBe(true);
  const last = values.filter((value) => caller.ends(value) || isError(value));
  expect(last.length, text).toBeGreaterThan(0);
  if (breakage.outcome === 'whole') expect(values.some(isError), text).toBe(false);
  expect(left).toBeLessThan(quota);
}

for (const caller of callers) {
  for (const provider of upstreamFormats) {
    describe(`${caller.name} → ${provider.name}, whose`, () => {
      for (const breakage of streams)
        it(`stream has ${breakage.name}`, () => run(caller, provider, breakage, true));
      for (const breakage of wholes)
        it(`reply is ${breakage.name}`, () => run(caller, provider, breakage, false));
    });
  }
}

it('leaves every balance equal to its postings', async () => {
  expect(await bench.gateway.client.ledger.verify({})).toMatchObject({ ok: true });
});
