// Covers src/core/relay/formats/gemini-generate.
/** Gemini's own wire, in and out, with the official SDK. */
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { generateReply } from '../../../support/gemini-upstream.ts';
import { chatReply, startUpstream, type TestUpstream } from '../../../support/upstream.ts';

let gateway: TestGateway;
let gemini: TestUpstream;
let openAi: TestUpstream;

beforeAll(async () => {
  gateway = await startTestGateway();
  gemini = await startUpstream();
  openAi = await startUpstream();
  await gateway.addChannel({ type: 24, baseUrl: gemini.url, models: 'gemini-2.0-flash' });
  await gateway.addChannel({ type: 1, baseUrl: openAi.url, models: 'gpt-4o' });
  await gateway.addChannel({ type: 43, baseUrl: openAi.url, models: 'deepseek-chat' });
  await gateway.addChannel({ type: 34, baseUrl: openAi.url, models: 'command-r' });
});
afterAll(async () => {
  await gateway.close();
  await gemini.close();
  await openAi.close();
});
beforeEach(() => {
  gemini.answer(generateReply());
  gemini.requests.length = 0;
});

const newGoogle = (apiKey: string) =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gateway.url } });
const spent = async (userId: number) =>
  1_000_000 - (await gateway.client.user.get({ id: userId })).quota;
// ((100 − 40) + 40 × 1 + 25 × 4) × 0.05, rounded
const cost = 10;

it('passes plain and streamed requests through, key and model in place', async () => {
  const { key, userId } = await gateway.addCustomer(1_000_000);
  const client = newGoogle(key);
  const request = { model: 'gemini-2.0-flash', contents: 'hi', config: { maxOutputTokens: 100 } };
  expect((await client.models.generateContent(request)).text).toBe('Hello from Gemini');
  expect(await spent(userId)).toBe(cost);
  let text = '';
  for await (const chunk of await client.models.generateContentStream(request))
    text += chunk.text ?? '';
  expect(text).toBe('Hello from Gemini');
  expect(await spent(userId)).toBe(2 * cost);
  expect(gemini.requests.map(({ path }) => path)).toEqual([
    '/v1beta/models/gemini-2.0-flash:generateContent',
    '/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse',
  ]);
  expect(gemini.requests[0]?.headers['x-goog-api-key']).toBe('upstream-key');
  expect(gemini.requests[0]?.json).not.toHaveProperty('model');
  expect(JSON.stringify(gemini.requests)).not.toContain(key.slice(3));
});

it('removes fields that break its SDK from any upstream’s reply', async () => {
  const event = (text: string, fields: object = {}) =>
    JSON.stringify(
      { candidates: [{ content: { role: 'model', parts: [{ text }] }, ...fields }] },
      null,
      text === 'c' ? 1 : 0,
    );
  gemini.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`: PING\n\nevent: message\ndata: ${event('a')}\n\n: PING\n\n`);
    response.write(`data:${event('b')}\n\ndata: ${event('c').replaceAll('\n', '\ndata: ')}\n\n`);
    response.end(`id: 7\ndata: ${event('ü', { finishReason: 'STOP' })}\n\ndata: [DONE]\n\n`);
  });
  const { key } = await gateway.addCustomer(1_000_000);
  let text = '';
  for await (const chunk of await newGoogle(key).models.generateContentStream({
    model: 'gemini-2.0-flash',
    contents: 'hi',
  }))
    text += chunk.text ?? '';
  expect(text).toBe('abcü');
  const raw = await fetch(
    `${gateway.url}/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse`,
    {
      method: 'POST',
      headers: { 'x-goog-api-key': key },
      body: JSON.stringify({ contents: [{ parts: [{ text: 'hi' }] }] }),
    },
  );
  const lines = (await raw.text()).split('\n').map((line) => line.trim());
  expect(lines.filter((line) => line !== '' && !line.startsWith('data: {'))).toEqual([]);
});

it('is converted for an OpenAI channel', async () => {
  openAi.answer(chatReply('Hello from upstream'));
  const { key } = await gateway.addCustomer(1_000_000);
  const client = newGoogle(key);
  expect((await client.models.generateContent({ model: 'gpt-4o', contents: 'hi' })).text).toBe(
    'Hello from upstream',
  );
  const parts: string[] = [];
  for await (const chunk of await client.models.generateContentStream({
    model: 'gpt-4o',
    contents: 'hi',
  }))
    parts.push(chunk.text ?? '');
  expect(parts.join('')).toBe('Hello from upstream');
});

it('serves chat callers, streamed and not, at the same price', async () => {
  const { key, userId } = await gateway.addCustomer(1_000_000);
  const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1` });
  const request = {
    model: 'gemini-2.0-flash',
    messages: [{ role: 'user' as const, content: 'hi' }],
  };
  const plain = await client.chat.completions.create(request);
  expect(plain.choices[0]?.message.content).toBe('Hello from Gemini');
  let text = '';
  for await (const chunk of await client.chat.completions.create({ ...request, stream: true }))
    text += chunk.choices[0]?.delta.content ?? '';
  expect(text).toBe('Hello from Gemini');
  expect(await spent(userId)).toBe(2 * cost);
});

it('writes a JSON array where no SSE was requested, and errors in its own shape', async () => {
  const { key } = await gateway.addCustomer(1_000_000);
  const post = (path: string, auth: string, body: object) =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'x-goog-api-key': auth, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
  const array = await post('/v1beta/models/gemini-2.0-flash:streamGenerateContent', key, {
    contents,
  });
  expect(Array.isArray(await array.json())).toBe(true);
  const refused = await post('/v1beta/models/gemini-2.0-flash:generateContent', 'sk-nobody', {
    contents,
  });
  expect([refused.status, await refused.json()]).toMatchObject([
    401,
    { error: { code: 401, status: 'UNAUTHENTICATED' } },
  ]);
  const wrong = await post('/v1beta/models/gemini-2.0-flash:generateContent', key, {});
  expect([wrong.status, await wrong.json()]).toMatchObject([
    400,
    { error: { code: 400, status: 'INVALID_ARGUMENT' } },
  ]);
  const counted = await post('/v1beta/models/gpt-4o:countTokens', key, { contents });
  expect(((await counted.json()) as { totalTokens: number }).totalTokens).toBeGreaterThan(0);
});

it.each(['gpt-4o', 'deepseek-chat', 'command-r'])(
  'joins parallel calls, each its own content in its SDK, for %s',
  async (model) => {
    openAi.requests.length = 0;
    const { key } = await gateway.addCustomer(1_000_000);
    const names = ['left', 'right'];
    const call = (name: string) => ({ functionCall: { name, args: { at: name } } });
    const result = (name: string) => ({ functionResponse: { name, response: { found: name } } });
    await newGoogle(key)
      .models.generateContent({
        model,
        contents: [
          { role: 'user', parts: [{ text: 'Look.' }] },
          { role: 'model', parts: [{ text: 'I look ' }] },
          { role: 'model', parts: [{ text: 'twice.' }] },
          ...names.map((name) => ({ role: 'model', parts: [call(name)] })),
          ...names.map((name) => ({ role: 'user', parts: [result(name)] })),
        ],
      })
      // Only what is sent matters: the upstream replies in one wire for all.
      .catch(() => undefined);
    const messages = openAi.requests.at(-1)?.json['messages'] as {
      role: string;
      content?: string;
      tool_plan?: string;
      tool_call_id?: string;
      tool_calls?: { id: string; function: { name: string } }[];
    }[];
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
    const answer = messages[1];
    expect(answer?.content ?? answer?.tool_plan).toBe('I look twice.');
    expect(answer?.tool_calls?.map(({ function: { name } }) => name)).toEqual(names);
    const ids = answer?.tool_calls?.map(({ id }) => id);
    expect(messages.slice(2).map((message) => message.tool_call_id)).toEqual(ids);
  },
);
