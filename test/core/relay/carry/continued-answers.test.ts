/** Gemini 4 ends long answers with CONTINUATION (docs/rules/providers.md#gemini-continuation). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallBench, startCallBench } from '../../../support/calls.ts';
import {
  type Answer,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

const model = 'gemini-4-argon';
let bench: CallBench;
let google: TestUpstream;
let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;

beforeAll(async () => {
  bench = await startCallBench('none');
  google = await startUpstream();
  await bench.gateway.addChannel({ type: 24, baseUrl: google.url, models: model });
  customer = await bench.gateway.addCustomer(1e9);
});
beforeEach(() => google.requests.splice(0));
afterAll(async () => {
  await bench.close();
  await google.close();
});

/** One reply of 100 tokens for a prompt of 1,000, in two events. */
function part(text: string, finishReason: string, continuationToken?: string): Answer {
  return (response) => {
    const usageMetadata = {
      promptTokenCount: 1000,
      candidatesTokenCount: 100,
      totalTokenCount: 1100,
    };
    const content = { role: 'model', parts: [{ text }] };
    const last = { index: 0, finishReason, ...(continuationToken && { continuationToken }) };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const candidate of [{ content, index: 0 }, last])
      response.write(`data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\n\n`);
    response.end();
  };
}

const inThree = () =>
  google.answer(
    part('One ', 'CONTINUATION', 'a'),
    part('two ', 'CONTINUATION', 'b'),
    part('three.', 'STOP'),
  );
/** Dollars per million: 2 in, 10 out. */
const priceOf = (replies: number) => (replies * (1000 * 2 + 100 * 10) * 500_000) / 1e6;

const messages = [{ role: 'user', content: 'Count.' }];
const callers = {
  chat: {
    path: '/v1/chat/completions',
    body: { model, messages },
    ends: { stop: 'stop', length: 'length' },
  },
  messages: {
    path: '/v1/messages',
    body: { model, messages, max_tokens: 4000 },
    ends: { stop: 'end_turn', length: 'max_tokens' },
  },
  responses: {
    path: '/v1/responses',
    body: { model, input: 'Count.' },
    ends: { stop: 'completed', length: 'incomplete' },
  },
  completions: {
    path: '/v1/completions',
    body: { model, prompt: 'Count.' },
    ends: { stop: 'stop', length: 'length' },
  },
  cohere: {
    path: '/v2/chat',
    body: { model, messages },
    ends: { stop: 'COMPLETE', length: 'MAX_TOKENS' },
  },
} as const;
type Caller = keyof typeof callers;

async function ask(caller: Caller, stream: boolean, more: object = {}) {
  const { path, body } = callers[caller];
  const before = await bench.spent(customer.userId);
  const reply = await bench.post(path, customer.key, JSON.stringify({ ...body, ...more, stream }));
  const text = await reply.text();
  return { status: reply.status, text, cost: (await bench.spent(customer.userId)) - before };
}

describe.each(Object.keys(callers) as Caller[])('a %s caller', (caller) => {
  const { ends } = callers[caller];

  it.each([false, true])('gets one answer and one charge, streamed: %s', async (stream) => {
    inThree();
    const { status, text, cost } = await ask(caller, stream);
    expect(status).toBe(200);
    for (const word of ['One ', 'two ', 'three.']) expect(text).toContain(word);
    expect(text).toContain(`"${ends.stop}"`);
    expect(text).not.toMatch(/CONTINUATION|content_filter|"refusal"[,}]|"incomplete"/);
    expect(google.requests.map(({ json }) => json.continuationToken)).toEqual([
      undefined,
      'a',
      'b',
    ]);
    const [first, second] = google.requests.map(
      ({ json: { continuationToken: _, ...rest } }) => rest,
    );
    expect(second).toEqual(first);
    expect(cost).toBe(priceOf(3));
    const { row } = await bench.newestLog(customer.username);
    expect(row).toMatchObject({ prompt_tokens: 3000, completion_tokens: 300, quota: priceOf(3) });
  });

  it.each([false, true])(
    'keeps what came where a further reply is refused, streamed: %s',
    async (stream) => {
      google.answer(part('One ', 'CONTINUATION', 'a'), (response) =>
        sendJson(response, 400, {
          error: { code: 400, status: 'INVALID_ARGUMENT', message: 'gone' },
        }),
      );
      const { status, text, cost } = await ask(caller, stream);
      expect([status, google.requests.length]).toEqual([200, 2]);
      expect(text).toContain('One ');
      expect(text).toMatch(new RegExp(`"(response\\.)?${ends.length}"`));
      expect(cost).toBe(priceOf(1));
    },
  );
});

it.each<[string, number, number]>([
  ['of no reply', 1000, 1],
  ['of each reply', 999, 3],
])('costs the step of a long prompt that is that %s', async (_, above, factor) => {
  const details = { [model]: { steps: [{ above, input: 3, output: 3 }] } };
  await bench.gateway.set('ModelPriceDetails', details);
  inThree();
  const { cost } = await ask('chat', true);
  await bench.gateway.set('ModelPriceDetails', {});
  expect(cost).toBe(priceOf(3) * factor);
});

it('goes on where the thinking is part of the text', async () => {
  const asText = 'gemini-4-argon-text';
  await bench.gateway.addChannel({
    type: 24,
    baseUrl: google.url,
    models: asText,
    setting: '{"thinking_to_content":true}',
    model_mapping: JSON.stringify({ [asText]: model }),
  });
  await bench.gateway.set('ModelPrice', { [asText]: 0.01 });
  inThree();
  const { text } = await ask('chat', true, { model: asText });
  expect(google.requests).toHaveLength(3);
  expect(text).toContain('three.');
});

it('goes on only to the limit of the caller', async () => {
  inThree();
  const { text } = await ask('messages', true, { max_tokens: 200 });
  expect(google.requests).toHaveLength(2);
  expect(text).toContain('max_tokens');
});

it('without a token the answer was cut', async () => {
  google.answer(part('One ', 'CONTINUATION'));
  const { text } = await ask('chat', false);
  expect(google.requests).toHaveLength(1);
  expect(JSON.parse(text).choices[0].finish_reason).toBe('length');
});

it('tells the client of a reply that breaks amid the answer', async () => {
  google.answer(part('One ', 'CONTINUATION', 'a'), (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const candidates = [{ content: { role: 'model', parts: [{ text: 'two ' }] }, index: 0 }];
    response.write(`data: ${JSON.stringify({ candidates })}\n\n`, () => response.destroy());
  });
  const { text } = await ask('chat', true);
  expect(text).toContain('two ');
  expect(text).not.toContain('"finish_reason":"');
});

it("callers of Gemini's own format get each reply as it is", async () => {
  inThree();
  const path = `/v1beta/models/${model}:streamGenerateContent?alt=sse`;
  const reply = await bench.post(
    path,
    customer.key,
    JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Count.' }] }] }),
  );
  expect(await reply.text()).toContain('"continuationToken":"a"');
  expect(google.requests).toHaveLength(1);
});
