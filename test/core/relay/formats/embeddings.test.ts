// Covers src/core/relay/formats/gemini-embed, src/core/relay/formats/openai-embeddings.
import { GoogleGenAI } from '@google/genai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import {
  type Answer,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let bench: CallBench;
let gemini: TestUpstream;

beforeAll(async () => {
  bench = await startCallBench('text-embedding-3-small');
  gemini = await startUpstream();
  await bench.gateway.addChannel({
    type: 24,
    baseUrl: gemini.url,
    models: 'gemini-embedding-001,text-embedding-004',
    model_mapping: '{"text-embedding-004":"gemini-embedding-001"}',
  });
});
afterAll(async () => {
  await bench.close();
  await gemini.close();
});
beforeEach(() => {
  bench.upstream.requests.length = 0;
  gemini.requests.length = 0;
});

const google = (apiKey: string) =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: bench.gateway.url } });
const floats = (...numbers: number[]) =>
  Buffer.from(new Float32Array(numbers).buffer).toString('base64');

/** Vectors as OpenAI returns them, in the requested encoding. */
const vectors = (...all: number[][]): Answer => {
  return (response, { json }) => {
    const data = all.map((embedding, index) => ({
      object: 'embedding',
      index,
      embedding: json['encoding_format'] === 'base64' ? floats(...embedding) : embedding,
    }));
    const usage = { prompt_tokens: 800, total_tokens: 800 };
    sendJson(response, 200, { object: 'list', data, model: json['model'], usage });
  };
};
const geminiVectors = (...all: number[][]): Answer => {
  return (response, { path }) => {
    const embeddings = all.map((values) => ({ values }));
    sendJson(
      response,
      200,
      path.includes(':batch') ? { embeddings } : { embedding: embeddings[0] },
    );
  };
};

describe('OpenAI callers', () => {
  it('are passed through to OpenAI, charged by the reported tokens', async () => {
    bench.upstream.answer(vectors([0.5, -1], [0.25, 2]));
    const customer = await bench.gateway.addCustomer(startQuota);
    const reply = await bench
      .openAi(customer.key)
      .embeddings.create({ model: 'text-embedding-3-small', input: ['one', 'two'], dimensions: 2 });
    expect(reply.data.map(({ embedding }) => [...embedding])).toEqual([
      [0.5, -1],
      [0.25, 2],
    ]);
    // The SDK requests base64 by default.
    expect(bench.upstream.requests[0]?.json).toEqual({
      model: 'text-embedding-3-small',
      input: ['one', 'two'],
      dimensions: 2,
      encoding_format: 'base64',
    });
    expect(await bench.spent(customer.userId)).toBe(8);
    expect((await bench.newestLog(customer.username)).row).toMatchObject({
      prompt_tokens: 800,
      completion_tokens: 0,
    });
  });

  it.each([
    ['base64', floats(0.5, -1)],
    ['float', [0.5, -1]],
  ] as const)(
    'get %s from Gemini, and all texts in one batch',
    async (encoding_format, expected) => {
      gemini.answer(geminiVectors([0.5, -1], [0.25, 2]));
      const customer = await bench.gateway.addCustomer(startQuota);
      const body = { model: 'gemini-embedding-001', input: ['one', 'two'], encoding_format };
      const reply = await bench.post('/v1/embeddings', customer.key, JSON.stringify(body));
      const { data } = (await reply.json()) as { data: { index: number; embedding: unknown }[] };
      expect(data[0]).toEqual({ object: 'embedding', index: 0, embedding: expected });
      expect(data).toHaveLength(2);
      expect(gemini.requests[0]?.path).toBe(
        '/v1beta/models/gemini-embedding-001:batchEmbedContents',
      );
      const { row, other } = await bench.newestLog(customer.username);
      expect(other.usage_source).toBe('counted');
      expect(row['prompt_tokens']).toBeGreaterThan(0);
    },
  );

  it.each([
    ['one list', [15339, 220, 57668, 53901, 1917], ['hello 你好 world']],
    ['several lists', [[15339], [15339, 220, 57668, 53901, 1917]], ['hello', 'hello 你好 world']],
  ])('send tokens as text to a provider that accepts texts only: %s', async (_, input, texts) => {
    gemini.answer(geminiVectors(...texts.map(() => [0.5, -1])));
    const { key } = await bench.gateway.addCustomer(startQuota);
    const reply = await bench.post(
      '/v1/embeddings',
      key,
      JSON.stringify({ model: 'gemini-embedding-001', input }),
    );
    expect(reply.status).toBe(200);
    const requests = gemini.requests.at(-1)?.json['requests'] as
      | { content: { parts: { text: string }[] } }[]
      | undefined;
    const sent = requests?.map(({ content }) => content.parts[0]?.text) ?? [
      gemini.requests.at(-1)?.json['content'],
    ];
    expect(JSON.stringify(sent)).toContain(JSON.stringify(texts).slice(1, -1));
  });

  it.each([
    ['a number that is no token', [1, 999_999_999]],
    ['more than 300000 tokens', new Array(300_001).fill(1)],
  ])('cannot decode %s', async (words, input) => {
    const { key, userId } = await bench.gateway.addCustomer(startQuota);
    const reply = await bench.post(
      '/v1/embeddings',
      key,
      JSON.stringify({ model: 'gemini-embedding-001', input }),
    );
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining(words)]);
    expect(await bench.spent(userId)).toBe(0);
  });

  it.each([
    ['{"model":"text-embedding-3-small"}', 'field input is required'],
    ['{"model":"text-embedding-3-small","input":5}', 'must be string or array'],
    ['{"model":"gemini-embedding-001","input":[]}', 'input is empty'],
  ])('get an error for %s', async (body, words) => {
    const { key } = await bench.gateway.addCustomer(startQuota);
    const reply = await bench.post('/v1/embeddings', key, body);
    expect(reply.status).toBe(400);
    const { error } = (await reply.json()) as { error: { code: string; message: string } };
    expect(error).toMatchObject({
      code: 'invalid_embedding_request',
      message: expect.stringContaining(words),
    });
  });
});

describe('Gemini callers', () => {
  it('pass to Gemini untouched', async () => {
    gemini.answer(geminiVectors([1, 2], [3, 4]));
    const customer = await bench.gateway.addCustomer(startQuota);
    const config = { outputDimensionality: 2, taskType: 'RETRIEVAL_QUERY' };
    const contents = ['one text', 'another text'];
    const reply = await google(customer.key).models.embedContent({
      model: 'gemini-embedding-001',
      contents,
      config,
    });
    expect(reply.embeddings?.map(({ values }) => values)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(gemini.requests[0]?.path).toBe('/v1beta/models/gemini-embedding-001:batchEmbedContents');
    expect(gemini.requests[0]?.json['requests']).toMatchObject([
      {
        model: 'models/gemini-embedding-001',
        content: { parts: [{ text: 'one text' }] },
        ...config,
      },
      { content: { parts: [{ text: 'another text' }] } },
    ]);
    expect(gemini.requests[0]?.headers['x-goog-api-key']).toBe('upstream-key');
    const { row } = await bench.newestLog(customer.username);
    expect(row).toMatchObject({ model_name: 'gemini-embedding-001', completion_tokens: 0 });
    expect(row['prompt_tokens']).toBeGreaterThanOrEqual(4);
    expect(await bench.spent(customer.userId)).toBe(1);
  });

  it('are mapped wherever the body names the model', async () => {
    gemini.answer(geminiVectors([1, 2]));
    const { key } = await bench.gateway.addCustomer(startQuota);
    await google(key).models.embedContent({ model: 'text-embedding-004', contents: 'one text' });
    expect(gemini.requests[0]?.path).toContain('/models/gemini-embedding-001:');
    expect(gemini.requests[0]?.json['requests']).toMatchObject([
      { model: 'models/gemini-embedding-001' },
    ]);
  });

  it.each([
    [
      'embedContent',
      { content: { parts: [{ text: 'one' }] } },
      { embedding: { values: [0.5, -1] } },
    ],
    [
      'batchEmbedContents',
      { requests: [{ content: { parts: [{ text: 'one' }] }, outputDimensionality: 2 }] },
      { embeddings: [{ values: [0.5, -1] }] },
    ],
  ])('%s is converted for OpenAI', async (action, body, expected) => {
    bench.upstream.answer(vectors([0.5, -1]));
    const customer = await bench.gateway.addCustomer(startQuota);
    const path = `/v1beta/models/text-embedding-3-small:${action}`;
    const reply = await bench.post(path, customer.key, JSON.stringify(body));
    expect(await reply.json()).toEqual(expected);
    expect(bench.upstream.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      json: { model: 'text-embedding-3-small', input: 'one', encoding_format: 'float' },
    });
    expect(await bench.spent(customer.userId)).toBe(8);
  });

  it('get errors in their own format', async () => {
    const { key } = await bench.gateway.addCustomer(startQuota);
    const reply = await bench.post(
      '/v1beta/models/gemini-embedding-001:embedContent',
      key,
      '{"text":"one"}',
    );
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({
      error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringContaining('content') },
    });
    const words = { content: { parts: [{ text: 'a test_sensitive text' }] } };
    const refused = await bench.post(
      '/v1beta/models/gemini-embedding-001:embedContent',
      key,
      JSON.stringify(words),
    );
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('sensitive words'),
    ]);
  });
});
