/**
 * Images that a model made, in the form in which each caller gets and returns them, at vendors of
 * all wires (docs/rules/formats.md#images-in-answers).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { sse } from '../../support/half-answers.ts';
import { type Answer, sendJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

/** As long as a body must be for its texts to be looked at. */
const pixel = Buffer.alloc(6000, 'picture').toString('base64');

type Loose = Record<string, unknown>;
const listOf = (value: unknown) => (Array.isArray(value) ? (value as Loose[]) : []);

interface Caller {
  request(model: string, stream: boolean, earlier?: readonly Loose[]): [path: string, body: Loose];
  /** The answer as the client returns it. */
  answer(reply: Loose): readonly Loose[];
  /** How an image stands in a stream. */
  readonly streamed: string;
}

const markdown = `![image](data:image/png;base64,${pixel})`;
const user = { role: 'user', content: 'Draw.' };
const again = { role: 'user', content: 'And now?' };
const inTurns = (earlier: readonly Loose[]) =>
  earlier.length === 0 ? [user] : [user, ...earlier, again];

const callers: Readonly<Record<string, Caller>> = {
  chat: {
    request: (model, stream, earlier = []) => [
      '/v1/chat/completions',
      { model, stream, messages: inTurns(earlier) },
    ],
    answer: (reply) => [listOf(reply['choices'])[0]?.['message'] as Loose],
    streamed: '"images":[{"index":0,"type":"image_url"',
  },
  messages: {
    request: (model, stream, earlier = []) => [
      '/v1/messages',
      { model, stream, max_tokens: 100, messages: inTurns(earlier) },
    ],
    answer: (reply) => [{ role: 'assistant', content: reply['content'] }],
    streamed: markdown,
  },
  Responses: {
    request: (model, stream, earlier = []) => [
      '/v1/responses',
      { model, stream, store: false, input: inTurns(earlier) },
    ],
    answer: (reply) => listOf(reply['output']),
    streamed: '"type":"image_generation_call"',
  },
  Gemini: {
    request: (model, stream, earlier = []) => [
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      {
        contents: [
          { role: 'user', parts: [{ text: 'Draw.' }] },
          ...earlier,
          ...(earlier.length === 0 ? [] : [{ role: 'user', parts: [{ text: 'And now?' }] }]),
        ],
      },
    ],
    answer: (reply) => [listOf(reply['candidates'])[0]?.['content'] as Loose],
    streamed: '"inlineData"',
  },
  Cohere: {
    request: (model, stream, earlier = []) => [
      '/v2/chat',
      { model, stream, messages: inTurns(earlier) },
    ],
    answer: (reply) => [reply['message'] as Loose],
    streamed: markdown,
  },
};

/** `takes`: how they take images back; absent: only as a note. `own`: callers whose items they know. */
const vendors = {
  Gemini: { type: 24, model: 'gemini-2.5-flash-image', takes: 'parts' },
  Claude: { type: 14, model: 'claude-haiku-4-5' },
  OpenAI: { type: 1, model: 'gpt-5', use_responses: true, own: 'Responses' },
  chat: { type: 1, model: 'gpt-4o', use_responses: false },
  DeepSeek: { type: 43, model: 'deepseek-v4-pro' },
  Cohere: { type: 34, model: 'command-r' },
  Bedrock: { type: 33, model: 'nova-lite-v1:0' },
  OpenRouter: { type: 20, model: 'qwen/qwen3-32b', takes: 'images', own: 'Responses' },
} as const;
type VendorName = keyof typeof vendors;

let gateway: TestGateway;
let upstream: TestUpstream;
let key: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.set('SelfUseModeEnabled', true);
  for (const { type, model, ...setting } of Object.values(vendors)) {
    await gateway.addChannel({
      type,
      baseUrl: upstream.url,
      models: model,
      ...(type === 33 ? { key: 'AKIDEXAMPLE|secret|us-east-1' } : {}),
      ...('use_responses' in setting
        ? { setting: JSON.stringify({ use_responses: setting.use_responses }) }
        : {}),
    });
  }
  key = (await gateway.addCustomer(100_000_000)).key;
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

const drawn: Answer = (response, { path }) => {
  const parts = [{ text: 'Here: ' }, { inlineData: { mimeType: 'image/png', data: pixel } }];
  const reply = {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 9 },
  };
  if (!path.includes('stream')) return sendJson(response, 200, reply);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(sse(reply));
};

async function post([path, body]: readonly [string, Loose]): Promise<string> {
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return reply.text();
}

const image = vendors.Gemini.model;
const names = Object.keys(callers);

it.each(names)('a caller of %s gets it in its own form, streamed as well', async (name) => {
  const caller = callers[name] as Caller;
  upstream.answer(drawn);
  const text = await post(caller.request(image, true));
  expect(text).toContain(caller.streamed);
  expect(text).toContain(pixel);
});

const cases = names.flatMap((caller) =>
  (Object.keys(vendors) as VendorName[]).map((vendor) => [caller, vendor] as const),
);

it.each(cases)('what a caller of %s returns of it is no text for %s', async (name, vendor) => {
  const caller = callers[name] as Caller;
  upstream.answer(drawn);
  const answer = caller.answer(JSON.parse(await post(caller.request(image, false))) as Loose);
  expect(JSON.stringify(answer)).toContain(pixel);
  const { model, takes, own }: { model: string; takes?: string; own?: string } = vendors[vendor];
  await post(caller.request(model, false, answer));
  const { text = '', json = {} } = upstream.requests[1] ?? {};
  expect(text).toContain('And now?');
  expect(text).toContain('Here: ');
  if (own === name) {
    expect(listOf(json['input'])).toContainEqual(
      expect.objectContaining({ type: 'image_generation_call', result: pixel }),
    );
  } else if (takes === 'images') {
    expect(listOf(json['messages'])[1]).toMatchObject({
      content: 'Here: ',
      images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } }],
    });
  } else if (takes === 'parts') {
    const parts = listOf(listOf(json['contents'])[1]?.['parts']);
    expect(parts).toMatchObject([
      { text: 'Here: ' },
      { inlineData: { mimeType: 'image/png', data: pixel } },
    ]);
  } else {
    expect(text).toContain('[image]');
    expect(text).not.toContain(pixel);
  }
});

describe('a body in its own format', () => {
  const image = `![a cat](data:image/png;base64,${pixel})`;
  const sent = () => upstream.requests[0]?.json ?? {};

  it.each<[string, string, Loose]>([
    ['chat', 'gpt-4o', { role: 'assistant', content: [{ type: 'text', text: image }] }],
    ['messages', 'claude-haiku-4-5', { role: 'assistant', content: `Look: ${image}` }],
    ['Responses', 'gpt-5', { role: 'assistant', content: [{ type: 'output_text', text: image }] }],
    ['Gemini', 'gemini-2.5-flash-image', { role: 'model', parts: [{ text: image }] }],
    ['Cohere', 'command-r', { role: 'assistant', content: [{ type: 'text', text: image }] }],
  ])('of %s has a note for Markdown in an earlier answer', async (name, model, answer) => {
    await post((callers[name] as Caller).request(model, false, [answer]));
    expect(upstream.requests[0]?.text).toContain('[image]');
    expect(upstream.requests[0]?.text).not.toContain(pixel);
  });

  const ask = (message: Loose, fields: Loose = {}) =>
    post([
      '/v1/chat/completions',
      { model: 'gpt-4o', messages: [user, message, again], ...fields },
    ]);

  it('keeps what the user wrote', async () => {
    await ask({ role: 'user', content: image });
    expect(upstream.requests[0]?.text).toContain(pixel);
  });

  it('says the address of an image that has one, and keeps calls', async () => {
    const calls = [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }];
    const images = [
      { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
    ];
    await ask({ role: 'assistant', content: null, images, tool_calls: calls });
    expect(listOf(sent()['messages'])[1]).toEqual({
      role: 'assistant',
      content: 'https://example.com/cat.png[image]',
      tool_calls: calls,
    });
  });

  it('is sent as it came where the channel passes bodies through', async () => {
    await gateway.set('global.pass_through_request_enabled', true);
    await ask({ role: 'assistant', content: image });
    await gateway.set('global.pass_through_request_enabled', false);
    expect(upstream.requests[0]?.text).toContain(pixel);
  });
});
