/**
 * Images that a model made, in the form in which each caller gets and returns them, at vendors of
 * all wires (docs/rules/formats.md#images-in-answers).
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { sse } from '../../support/half-answers.ts';
import { type Answer, sendJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { pixel } from './scenarios.ts';

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

/** `own`: callers whose bodies are forwarded there as they come. */
const vendors = {
  Gemini: { type: 24, model: 'gemini-2.5-flash-image', own: ['Gemini'], note: false },
  Claude: { type: 14, model: 'claude-haiku-4-5', own: ['messages'], note: true },
  OpenAI: { type: 1, model: 'gpt-5', own: ['Responses'], note: true, use_responses: true },
  chat: { type: 1, model: 'gpt-4o', own: ['chat'], note: true, use_responses: false },
  DeepSeek: { type: 43, model: 'deepseek-v4-pro', own: ['chat', 'messages'], note: true },
  Cohere: { type: 34, model: 'command-r', own: ['Cohere'], note: true },
  Bedrock: { type: 33, model: 'nova-lite-v1:0', own: [], note: true },
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
      ...{ type, baseUrl: upstream.url, models: model },
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
  (Object.keys(vendors) as VendorName[])
    .filter((vendor) => !(vendors[vendor].own as readonly string[]).includes(caller))
    .map((vendor) => [caller, vendor] as const),
);

it.each(cases)('what a caller of %s returns of it is no text for %s', async (name, vendor) => {
  const caller = callers[name] as Caller;
  upstream.answer(drawn);
  const answer = caller.answer(JSON.parse(await post(caller.request(image, false))) as Loose);
  expect(JSON.stringify(answer)).toContain(pixel);
  const { model, note } = vendors[vendor];
  await post(caller.request(model, false, answer));
  const { text = '', json = {} } = upstream.requests[1] ?? {};
  expect(text).toContain('And now?');
  expect(text).toContain('Here: ');
  if (note) {
    expect(text).toContain('[image]');
    expect(text).not.toContain(pixel);
  } else {
    const parts = listOf(listOf(json['contents'])[1]?.['parts']);
    expect(parts).toMatchObject([
      { text: 'Here: ' },
      { inlineData: { mimeType: 'image/png', data: pixel } },
    ]);
  }
});
