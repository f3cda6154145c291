/**
 * Requests as clients write them: other versions, two slashes, a host, connections that end; and
 * whose errors they read.
 */
import { request } from 'node:http';
import { connect } from 'node:net';
import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { ApiError, GoogleGenAI } from '@google/genai';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { generateReply } from '../../../support/gemini-upstream.ts';
import { chatReply } from '../../../support/upstream.ts';

let bench: CallBench;
let key: string;

beforeAll(async () => {
  bench = await startCallBench('gpt-4o');
  const { gateway, upstream } = bench;
  await gateway.addChannel({ type: 24, baseUrl: upstream.url, models: 'gemini-2.0-flash' });
  ({ key } = await gateway.addCustomer(startQuota));
});
afterAll(() => bench.close());
beforeEach(() => {
  bench.upstream.requests.length = 0;
  bench.upstream.answer(chatReply());
});

/** `fetch` would tidy the path up. */
function chatAt(path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(bench.gateway.url);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method: 'POST', headers }, (reply) => {
      reply.resume().on('end', () => resolve(reply.statusCode));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }));
  });
}

it('a base address that ends with a slash, and a whole address as proxies get it', async () => {
  expect(await chatAt('//v1/chat/completions')).toBe(200);
  expect(await chatAt(`${bench.gateway.url}/v1/chat/completions`)).toBe(200);
  expect(await chatAt('//v1//chat/completions')).toBe(404);
  expect(bench.upstream.requests.map(({ path }) => path)).toEqual([
    '/v1/chat/completions',
    '/v1/chat/completions',
  ]);
});

it('Google’s SDK set to v1alpha', async () => {
  bench.upstream.answer(generateReply());
  const httpOptions = { baseUrl: bench.gateway.url, apiVersion: 'v1alpha' };
  const client = new GoogleGenAI({ apiKey: key, httpOptions });
  const question = { model: 'gemini-2.0-flash', contents: 'hi' };
  expect((await client.models.generateContent(question)).text).toBe('Hello from Gemini');
  let text = '';
  for await (const chunk of await client.models.generateContentStream(question))
    text += chunk.text ?? '';
  expect(text).toBe('Hello from Gemini');
  const names: (string | undefined)[] = [];
  for await (const { name } of await client.models.list()) names.push(name);
  expect(names).toContain('models/gemini-2.0-flash');
  expect((await client.models.get({ model: 'gemini-2.0-flash' })).name).toBe(
    'models/gemini-2.0-flash',
  );
  const missing = await client.caches.get({ name: 'cachedContents/c' }).catch((error) => error);
  expect(missing).toBeInstanceOf(ApiError);
  expect(missing).toMatchObject({ status: 501 });
  expect(String(missing)).toContain('UNIMPLEMENTED');
});

it('Anthropic’s SDK reads its own errors where OpenAI has the address, too', async () => {
  const client = new Anthropic({ apiKey: key, baseURL: bench.gateway.url, maxRetries: 0 });
  const failed = async (work: PromiseLike<unknown>) => {
    const error = await Promise.resolve(work).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(APIError);
    const { status, error: body } = error as APIError;
    return { status, body };
  };
  expect(await failed(client.files.list())).toMatchObject({
    status: 501,
    body: { type: 'error', error: { type: 'api_error' } },
  });
  expect(await failed(client.skills.list())).toMatchObject({
    status: 404,
    body: { type: 'error', error: { type: 'not_found_error' } },
  });
  const openAi = await bench
    .openAi(key)
    .files.list()
    .catch((error: unknown) => error);
  expect(openAi).toMatchObject({ status: 501, code: 'api_not_implemented' });
});

/** All that comes until the gateway closes the connection. */
function rawChat(version: string, head: string): Promise<string> {
  const { hostname, port } = new URL(bench.gateway.url);
  const messages = [{ role: 'user', content: 'hi' }];
  const body = JSON.stringify({ model: 'gpt-4o', stream: true, messages });
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
    socket.write(
      `POST /v1/chat/completions HTTP/${version}\r\nhost: gate.test\r\nauthorization: Bearer ${key}\r\n` +
        `${head}content-length: ${body.length}\r\n\r\n${body}`,
    );
  });
}

it.each([
  ['1.1', 'connection: close\r\n'],
  ['1.0', ''],
])(
  'a stream by HTTP/%s on a connection that ends with it says so and ends it',
  async (version, head) => {
    const reply = await rawChat(version, head);
    expect(reply).toMatch(/^connection: close\r$/im);
    expect(reply).not.toMatch(/^connection: keep-alive/im);
    expect(reply).toContain('[DONE]');
  },
);
