/**
 * Single models, as each API's own client requests them, and the neighbouring endpoints
 * (docs/rules/relay.md#model-list-shapes).
 */
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownModels } from '../../../../src/core/models/known-models.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';

const models = ['gpt-4o', 'llama3:8b', 'deepseek-ai/DeepSeek-V3'];
let gateway: TestGateway;
let key: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.set('SelfUseModeEnabled', true);
  await gateway.addChannel({ type: 1, baseUrl: 'http://127.0.0.1:9', models: models.join(',') });
  key = (await gateway.addCustomer(1_000_000)).key;
});
afterAll(() => gateway.close());

describe('a model by its name', () => {
  it.each(models)('%s, in the caller’s shape', async (id) => {
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0 });
    expect(await openai.models.retrieve(id)).toMatchObject({
      id,
      object: 'model',
      owned_by: 'openai',
    });
    const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: key, maxRetries: 0 });
    expect(await anthropic.models.retrieve(id)).toMatchObject({
      id,
      type: 'model',
      display_name: id,
    });
    const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.url } });
    expect(
      await google.models.get({ model: id.includes('/') ? `models/${id}` : id }),
    ).toMatchObject({
      name: `models/${id}`,
      displayName: id,
    });
  });

  it('is found at Google’s OpenAI-compatible path, too', async () => {
    const openai = new OpenAI({
      baseURL: `${gateway.url}/v1beta/openai`,
      apiKey: key,
      maxRetries: 0,
    });
    expect(await openai.models.retrieve('llama3:8b')).toMatchObject({
      id: 'llama3:8b',
      object: 'model',
    });
  });

  it.each([
    [
      '/v1/models/no:body',
      {},
      { error: { type: 'invalid_request_error', param: 'model', code: 'model_not_found' } },
    ],
    [
      '/v1/models/nobody',
      { 'anthropic-version': '2023-06-01' },
      { type: 'error', error: { type: 'not_found_error' } },
    ],
    [
      '/v1/models/nobody',
      { 'x-goog-api-key': 'AIza' },
      { error: { code: 404, status: 'NOT_FOUND' } },
    ],
    ['/v1beta/models/nobody', {}, { error: { code: 404, status: 'NOT_FOUND' } }],
  ])('that no channel serves is not found: %s for %j', async (path, headers, error) => {
    const reply = await fetch(gateway.url + path, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    expect([reply.status, reply.headers.get('x-should-retry'), await reply.json()]).toMatchObject([
      404,
      'false',
      error,
    ]);
  });
});

it.each([
  ['/v1/models', {}, { error: { code: 'token_unknown' } }],
  ['/v1/models?client_version=0.169.0', {}, { error: { code: 'token_unknown' } }],
  [
    '/v1/models',
    { 'anthropic-version': '2023-06-01' },
    { type: 'error', error: { type: 'authentication_error' } },
  ],
  ['/v1/models', { 'x-goog-api-key': 'AIza' }, { error: { code: 401, status: 'UNAUTHENTICATED' } }],
  ['/v1beta/openai/models', { 'x-goog-api-key': 'AIza' }, { error: { code: 'token_unknown' } }],
])('a list is rejected in the caller’s shape: %s for %j', async (path, headers, error) => {
  const reply = await fetch(gateway.url + path, {
    headers: { authorization: 'Bearer sk-nobody', ...headers },
  });
  expect([reply.status, await reply.json()]).toMatchObject([401, error]);
});

describe('what is known of a model', () => {
  const get = async (path: string, headers: Record<string, string> = {}) =>
    (
      await fetch(gateway.url + path, { headers: { authorization: `Bearer ${key}`, ...headers } })
    ).json();

  it('stands beside its name: limits, modalities, its end and its successor', async () => {
    expect(await get('/v1/models/gpt-4o')).toEqual({
      id: 'gpt-4o',
      object: 'model',
      created: 1_626_777_600,
      owned_by: 'openai',
      ends: '2027-01-14',
      successor: 'gpt-6-luna',
      context_length: 128_000,
      max_output_tokens: 16_384,
      input_modalities: ['text', 'image', 'file'],
    });
    expect(await get('/v1/models/gpt-4o', { 'anthropic-version': '2023-06-01' })).toMatchObject({
      max_input_tokens: 128_000,
      max_tokens: 16_384,
      ends: '2027-01-14',
    });
    expect(await get('/v1beta/models/gpt-4o')).toMatchObject({
      inputTokenLimit: 128_000,
      outputTokenLimit: 16_384,
      ends: '2027-01-14',
    });
    expect(await get('/v1/models/llama3:8b')).not.toHaveProperty('ends');
  });

  it('shows an end that is near or past in a header of each reply, also of one that failed', async () => {
    const ended = 'gpt-4-0613';
    await gateway.addChannel({ type: 1, baseUrl: 'http://127.0.0.1:9', models: ended });
    const endShown = async (model: string) => {
      const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
      });
      await reply.arrayBuffer();
      return reply.headers.get('x-turnpike-model-ends');
    };
    expect(await endShown(ended)).toBe('2026-10-23');
    expect(await endShown('llama3:8b')).toBeNull();
  });

  const messages = [{ role: 'user', content: 'hi' }];
  const ended = 'gpt-4-32k';
  it.each([
    ['/v1/chat/completions', { messages, stream: true }],
    ['/v1/completions', { prompt: 'hi' }],
    ['/v1/messages', { messages, max_tokens: 9 }],
    ['/v1/responses', { input: 'hi' }],
    ['/v2/chat', { messages }],
    [`/v1beta/models/${ended}:generateContent`, { contents: [{ parts: [{ text: 'hi' }] }] }],
    ['/v1/embeddings', { input: 'hi' }],
    ['/v1/images/generations', { prompt: 'a cat' }],
    ['/v1/audio/speech', { input: 'hi', voice: 'alloy' }],
    ['/v1/moderations', { input: 'hi' }],
    ['/v1/rerank', { query: 'a', documents: ['b'] }],
  ])('shows the end on %s', async (path, body) => {
    const id = await gateway.addChannel({ type: 1, baseUrl: 'http://127.0.0.1:9', models: ended });
    const reply = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: ended, ...body }),
    });
    await reply.arrayBuffer();
    expect(reply.headers.get('x-turnpike-model-ends')).toBe(knownModels.find(ended).row?.ends);
    await gateway.client.channel.remove({ id });
  });
});

describe('neighbouring endpoints', () => {
  const send = (
    method: string,
    path: string,
    headers: Record<string, string> = { authorization: `Bearer ${key}` },
  ) => fetch(gateway.url + path, { method, headers });

  it('models cannot be deleted', async () => {
    const reply = await send('DELETE', '/v1/models/gpt-4o');
    expect([reply.status, await reply.json()]).toMatchObject([
      501,
      { error: { code: 'api_not_implemented' } },
    ]);
    expect((await send('DELETE', '/v1/models/gpt-4o', {})).status).toBe(401);
  });

  it('a greeting needs no key', async () => {
    expect((await send('HEAD', '/api/hello', {})).status).toBe(200);
  });

  it('WebSocket-only endpoints report that', async () => {
    const reply = await send('GET', '/v1/responses');
    expect([
      reply.status,
      reply.headers.get('upgrade'),
      reply.headers.get('x-should-retry'),
    ]).toEqual([426, 'websocket', 'false']);
  });

  it('unknown paths return errors in the shape of their API', async () => {
    const body = async (path: string) => (await send('POST', path)).json();
    expect(await body('/v1/nothing')).toEqual({
      error: {
        message: 'Invalid URL (POST /v1/nothing)',
        type: 'invalid_request_error',
        param: '',
        code: '',
      },
    });
    expect(await body('/v1/messages/nothing')).toEqual({
      type: 'error',
      error: { type: 'not_found_error', message: 'Invalid URL (POST /v1/messages/nothing)' },
    });
    expect(await body('/v1beta/models/m:nothing')).toMatchObject({
      error: { code: 501, status: 'UNIMPLEMENTED' },
    });
  });
});

it('a token’s list has what its entries with a * allow', async () => {
  const limits = { model_limits_enabled: true, model_limits: 'llama*,gpt-4o,gpt-4o*,absent' };
  const limited = (await gateway.addCustomer(1_000_000, limits)).key;
  const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: limited, maxRetries: 0 });
  const { data } = await openai.models.list();
  expect(data.map(({ id }) => id)).toEqual(['llama3:8b', 'gpt-4o']);
  expect(await openai.models.retrieve('llama3:8b')).toMatchObject({ id: 'llama3:8b' });
});
