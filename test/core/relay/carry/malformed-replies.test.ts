/**
 * What cannot be read as an answer of the format is no answer: another channel serves, and it costs
 * nothing.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import {
  type Answer,
  chatReply,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let bench: CallBench;
let claude: TestUpstream;
let spare: TestUpstream;

beforeAll(async () => {
  bench = await startCallBench('gpt-4o-mini,gpt-4o,text-embedding-3-small');
  [claude, spare] = await Promise.all([startUpstream(), startUpstream()]);
  await bench.gateway.addChannel({
    type: 14,
    baseUrl: claude.url,
    models: 'claude-3-5-haiku-20241022',
  });
  await bench.gateway.addChannel({
    type: 24,
    baseUrl: bench.upstream.url,
    models: 'gemini-2.0-flash',
  });
  await bench.gateway.set('RetryTimes', 0);
});
afterAll(async () => {
  await bench.close();
  await Promise.all([claude.close(), spare.close()]);
});

const many = 200_000;
const deep = '['.repeat(many) + ']'.repeat(many);
const send =
  (body: string, contentType = 'application/json'): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': contentType });
    response.end(body);
  };

const messages = [{ role: 'user', content: 'hi' }];
const chat = { model: 'gpt-4o-mini', messages };
const embedding = { model: 'text-embedding-3-small', input: 'hi' };
const generate = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
const geminiPath = '/v1beta/models/gemini-2.0-flash:generateContent';
const usage = '"usage":{"prompt_tokens":5,"completion_tokens":7}';

it.each([
  ['deep brackets as choices', '/v1/chat/completions', chat, `{"id":"x","choices":${deep}}`],
  [
    'deep brackets inside a choice',
    '/v1/chat/completions',
    chat,
    `{"choices":[{"message":{"content":${deep}}}]}`,
  ],
  ['lists as choices beside usage', '/v1/chat/completions', chat, `{"choices":[[[]]],${usage}}`],
  [
    'broken JSON beside usage',
    '/v1/chat/completions',
    chat,
    `{"choices":[{"a" 1}],${usage},"pad":"${'x'.repeat(5000)}"}`,
  ],
  [
    'no choices',
    '/v1/chat/completions',
    chat,
    `{"object":"chat.completion","data":"${'[[['.repeat(1000)}"}`,
  ],
  ['an empty list of choices', '/v1/chat/completions', chat, `{"choices":[],${usage}}`],
  [
    'an empty list of choices',
    '/v1/completions',
    { model: 'gpt-4o-mini', prompt: 'hi' },
    `{"choices":[],${usage}}`,
  ],
  ['brackets alone', '/v1/chat/completions', chat, deep],
  ['no data', '/v1/embeddings', embedding, `{"object":"list",${usage}}`],
  [
    'no candidates',
    geminiPath,
    generate,
    '{"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":7}}',
  ],
  [
    'an empty list of candidates',
    geminiPath,
    generate,
    '{"candidates":[],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":7}}',
  ],
  [
    'no output',
    '/v1/responses',
    { model: 'gpt-4o-mini', input: 'hi' },
    `{"object":"response","text":${deep}}`,
  ],
  ['translated: deep brackets', '/v1/messages', { ...chat, max_tokens: 50 }, `{"choices":${deep}}`],
  [
    'translated: no choices',
    '/v1/messages',
    { ...chat, max_tokens: 50 },
    `{"choices":[],${usage}}`,
  ],
] as const)('a reply with %s on %s', async (_name, path, body, reply) => {
  bench.upstream.answer(send(reply));
  const { key, userId, username } = await bench.gateway.addCustomer(startQuota);
  const answer = await bench.post(path, key, JSON.stringify(body));
  expect([answer.status, await answer.text()]).toEqual([502, expect.any(String)]);
  expect(await bench.spent(userId)).toBe(0);
  expect((await bench.gateway.client.log.list({ username, type: 2 })).items).toEqual([]);
});

it.each([
  ['brackets', `data: ${'['.repeat(5000)}\n\n`.repeat(20)],
  ['lists', 'data: [[[]]]\n\n'.repeat(20)],
  ['objects of another kind', 'data: {"status":[[]]}\n\n'.repeat(20)],
])('a stream of %s is no answer', async (_name, body) => {
  bench.upstream.answer(send(body, 'text/event-stream'));
  const { key, userId } = await bench.gateway.addCustomer(startQuota);
  const answer = await bench.post(
    '/v1/chat/completions',
    key,
    JSON.stringify({ ...chat, stream: true }),
  );
  expect([answer.status, await answer.text()]).toEqual([502, expect.any(String)]);
  expect(await bench.spent(userId)).toBe(0);
});

it('another channel serves in its place', async () => {
  await bench.gateway.set('RetryTimes', 1);
  bench.upstream.answer(send(`{"choices":${deep}}`));
  const id = await bench.gateway.addChannel({
    type: 1,
    baseUrl: spare.url,
    models: 'gpt-4o',
    priority: -1,
  });
  spare.answer(chatReply('from the spare'));
  const { key, userId } = await bench.gateway.addCustomer(startQuota);
  const answer = await bench.post(
    '/v1/chat/completions',
    key,
    JSON.stringify({ ...chat, model: 'gpt-4o' }),
  );
  expect(await answer.text()).toContain('from the spare');
  expect(await bench.spent(userId)).toBeGreaterThan(0);
  await bench.gateway.client.channel.remove({ id });
  await bench.gateway.set('RetryTimes', 0);
});

it('Gemini that refuses a prompt has answered', async () => {
  const refused =
    '{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":5}}';
  bench.upstream.answer(send(refused));
  const { key } = await bench.gateway.addCustomer(startQuota);
  expect(await (await bench.post(geminiPath, key, JSON.stringify(generate))).text()).toBe(refused);
  bench.upstream.answer(send(`data: ${refused}\r\n\r\n`, 'text/event-stream'));
  const stream = await bench.post(
    geminiPath.replace(':generateContent', ':streamGenerateContent?alt=sse'),
    key,
    JSON.stringify(generate),
  );
  expect(await stream.text()).toBe(`data: ${refused}\r\n\r\n`);
});
