/**
 * Every method of the official SDKs, with ids of nobody and bodies of nothing: what is not served
 * is an error that the SDK reads, no upstream is called, and nothing is charged.
 */
import Anthropic, { APIError as AnthropicError } from '@anthropic-ai/sdk';
import { ApiError, GoogleGenAI } from '@google/genai';
import OpenAI, { APIError as OpenAIError } from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';

let bench: CallBench;
let key: string;
let userId: number;

beforeAll(async () => {
  bench = await startCallBench('gpt-4o,claude-haiku-5-5,gemini-2.0-flash');
  ({ key, userId } = await bench.gateway.addCustomer(startQuota));
});
afterAll(async () => {
  expect(bench.upstream.requests).toEqual([]);
  expect(await bench.spent(userId)).toBe(0);
  await bench.close();
});

/** Any member that ends in `_id` is an id; others are not there. */
const ids = new Proxy(
  {},
  {
    get: (_, name) => (String(name).endsWith('_id') ? 'some_id' : undefined),
    has: () => false,
    ownKeys: () => [],
    getOwnPropertyDescriptor: () => undefined,
  },
);
const argumentLists = [['some_id', ids], [ids], ['some_id', 'other_id', ids]] as const;
type Send = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The requests that all methods of a client make, each once: method and address. */
async function requestsOf(make: (send: Send) => object): Promise<readonly [string, string][]> {
  const found = new Map<string, [string, string]>();
  const send: Send = (url, init) => {
    const { pathname, search } = new URL(String(url));
    if (!pathname.startsWith('/v1')) return Promise.reject(new Error('no address of the API'));
    const method = (init?.method ?? 'GET').toUpperCase();
    found.set(`${method} ${pathname}`, [method, pathname + search]);
    return Promise.reject(new Error('noted'));
  };
  const seen = new Set<object>();
  const walk = async (resource: object, depth: number): Promise<void> => {
    if (seen.has(resource) || depth > 6) return;
    seen.add(resource);
    for (let proto = Object.getPrototypeOf(resource); depth > 0 && proto !== Object.prototype; ) {
      for (const name of Object.getOwnPropertyNames(proto)) {
        const method: unknown = Reflect.get(resource, name);
        if (name === 'constructor' || name.startsWith('_') || typeof method !== 'function')
          continue;
        for (const given of argumentLists) await attempt(() => method.apply(resource, given));
      }
      proto = Object.getPrototypeOf(proto);
    }
    for (const [name, inner] of Object.entries(resource))
      if (
        !name.startsWith('_') &&
        typeof inner === 'object' &&
        inner !== null &&
        '_client' in inner
      )
        await walk(inner, depth + 1);
  };
  await walk(make(send), 0);
  return [...found.values()];
}

/** Methods throw at once, reject, or return something that listens. */
async function attempt(call: () => unknown): Promise<void> {
  try {
    const made = call();
    if (made instanceof Object && 'on' in made && typeof made.on === 'function')
      made.on('error', () => undefined);
    if (made instanceof Object && 'then' in made) await Promise.race([made, settled()]);
  } catch {
    // It needs other arguments, or its request was noted.
  }
}

/** What waits for events is not waited for. */
const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

async function reply([method, path]: readonly [string, string], headers: Record<string, string>) {
  const hasBody = method !== 'GET';
  const answer = await fetch(bench.gateway.url + path, {
    method,
    headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: '{}' }),
  });
  const text = await answer.text();
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', text };
}

/** Paths that answer although nothing is named. */
const served = /^GET \/v1\/models\b|^POST \/v1\/conversations$/;

const clients = [
  [
    'OpenAI',
    (send: Send) => new OpenAI({ apiKey: 'k', baseURL: 'http://x/v1', maxRetries: 0, fetch: send }),
    () => ({ authorization: `Bearer ${key}` }),
    100,
  ],
  [
    'Anthropic',
    (send: Send) => new Anthropic({ apiKey: 'k', baseURL: 'http://x', maxRetries: 0, fetch: send }),
    () => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    60,
  ],
] as const;

it.each(clients)('of %s', { timeout: 120_000 }, async (name, make, headersOf, least) => {
  // Pages that begin to load by themselves are rejected later.
  const ignore = () => undefined;
  process.on('unhandledRejection', ignore);
  const requests = await requestsOf(make).finally(() => process.off('unhandledRejection', ignore));
  const outside = /^\/v1\/(?:organization|compliance)\b/;
  const ours = requests.filter(([, path]) => !outside.test(path));
  expect(ours.length).toBeGreaterThan(least);
  for (const request of ours) {
    const { status, type, text } = await reply(request, headersOf());
    const at = request.join(' ');
    expect([at, type]).toEqual([at, expect.stringMatching(/^application\/json/)]);
    const body = JSON.parse(text) as { type?: string; error?: { message?: string } };
    if (served.test(at.split('?')[0] ?? '')) continue;
    expect([at, status, typeof body.error?.message]).toEqual([
      at,
      expect.toSatisfy((code: number) => code >= 400 && code !== 500),
      'string',
    ]);
    if (name === 'Anthropic') expect([at, body.type]).toEqual([at, 'error']);
  }
});

it('errors of what is not served have the SDK’s own class', async () => {
  const { gateway } = bench;
  const openAi = bench.openAi(key);
  const anthropic = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 });
  const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.url } });
  const caught = (work: () => PromiseLike<unknown>) =>
    Promise.resolve(work()).catch((error: unknown) => error);
  for (const work of [
    () =>
      openAi.batches.create({
        input_file_id: 'f',
        endpoint: '/v1/responses',
        completion_window: '24h',
      }),
    () => openAi.vectorStores.list(),
    () => openAi.containers.retrieve('cntr_1'),
    () => openAi.fineTuning.jobs.list(),
    () => openAi.videos.retrieve('video_1'),
    () => openAi.videos.delete('video_1'),
  ])
    expect(await caught(work)).toBeInstanceOf(OpenAIError);
  for (const work of [
    () => anthropic.messages.batches.list(),
    () => anthropic.files.list(),
    () => anthropic.models.retrieve('nobody'),
  ])
    expect(await caught(work)).toBeInstanceOf(AnthropicError);
  for (const work of [
    () => google.caches.get({ name: 'cachedContents/c' }),
    () => google.files.get({ name: 'files/f' }),
    () => google.batches.get({ name: 'batches/b' }),
    () => google.models.get({ model: 'nobody' }),
  ])
    expect(await caught(work)).toBeInstanceOf(ApiError);
});
