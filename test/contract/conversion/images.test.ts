/** Images that a model made reach callers as images, and go back as such or as a short note. */
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { sse } from '../../support/half-answers.ts';
import { type Answer, sendJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { pixel } from './scenarios.ts';

const address = `data:image/png;base64,${pixel}`;
const models = {
  gemini: 'gemini-2.5-flash-image',
  claude: 'claude-sonnet-4-5',
  responses: 'gpt-5',
  cohere: 'command-r',
} as const;

let gateway: TestGateway;
let upstream: TestUpstream;
let openAi: OpenAI;

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.set('SelfUseModeEnabled', true);
  const add = (type: number, model: string, setting: object = {}) =>
    gateway.addChannel({
      type,
      baseUrl: upstream.url,
      models: model,
      setting: JSON.stringify(setting),
    });
  await add(24, models.gemini);
  await add(14, models.claude);
  await add(1, models.responses, { use_responses: true });
  await add(34, models.cohere);
  const { key } = await gateway.addCustomer(100_000_000);
  openAi = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
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
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(sse(reply));
};

const question = { role: 'user' as const, content: 'Draw.' };
const image = { type: 'image_url', image_url: { url: address } };

it.each([true, false])('chat: in images beside the text (streamed: %s)', async (stream) => {
  upstream.answer(drawn);
  const request = { model: models.gemini, messages: [question] };
  const { choices } = stream
    ? await openAi.chat.completions.stream(request).finalChatCompletion()
    : await openAi.chat.completions.create(request);
  expect(choices[0]?.message).toMatchObject({ content: 'Here: ', images: [image] });
});

const turns = {
  'images beside the text': { role: 'assistant', content: 'Here: ', images: [image] },
  Markdown: { role: 'assistant', content: `Here: ![image](${address})` },
} as const;

it.each(
  Object.keys(turns).flatMap((form) =>
    (['claude', 'responses', 'cohere'] as const).map((vendor) => [form, vendor] as const),
  ),
)('an earlier image as %s is a note for %s', async (form, vendor) => {
  const earlier = turns[form as keyof typeof turns] as OpenAI.ChatCompletionMessageParam;
  const messages = [question, earlier, question];
  await openAi.chat.completions.create({ model: models[vendor], messages }).catch(() => undefined);
  const { text = '' } = upstream.requests[0] ?? {};
  expect(text).toContain('Here: ');
  expect(text).toContain('[image]');
  expect(text).not.toContain(pixel);
});

it('an earlier image is an image again for a vendor whose answers hold images', async () => {
  upstream.answer(drawn);
  for (const earlier of Object.values(turns)) {
    const messages = [question, earlier as OpenAI.ChatCompletionMessageParam, question];
    await openAi.chat.completions.create({ model: models.gemini, messages });
    const contents = upstream.requests.at(-1)?.json['contents'] as { parts: object[] }[];
    expect(contents[1]?.parts).toMatchObject([
      { text: 'Here: ' },
      { inlineData: { mimeType: 'image/png', data: pixel } },
    ]);
  }
});
