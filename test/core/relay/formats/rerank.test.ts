// Covers src/core/relay/formats/cohere-rerank, src/core/relay/formats/jina-rerank.
import { CohereClient } from 'cohere-ai';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import {
  errorReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let bench: CallBench;
let spare: TestUpstream;

beforeAll(async () => {
  bench = await startCallBench('ranker');
  spare = await startUpstream();
  await bench.gateway.addChannel({ type: 1, baseUrl: spare.url, models: 'ranker', priority: -1 });
  await bench.gateway.set('ModelRatio', { ranker: 2 });
});
afterAll(async () => {
  await bench.close();
  await spare.close();
});
beforeEach(() => {
  bench.upstream.requests.length = 0;
});

const results = [
  { index: 1, relevance_score: 0.9 },
  { index: 0, relevance_score: 0.1 },
];
const body = {
  model: 'ranker',
  query: 'Which is a fruit?',
  documents: ['car', { text: 'pear' }],
  top_n: 2,
  max_chunk_per_doc: 3,
};

it('is passed through and charged by the reported tokens', async () => {
  bench.upstream.answer((response) =>
    sendJson(response, 200, { model: 'ranker', results, usage: { total_tokens: 70 } }),
  );
  const customer = await bench.gateway.addCustomer(startQuota);
  const reply = await bench.post('/v1/rerank', customer.key, JSON.stringify(body));
  expect(await reply.json()).toMatchObject({
    model: 'ranker',
    results,
    usage: { total_tokens: 70 },
  });
  expect(bench.upstream.requests[0]).toMatchObject({ path: '/v1/rerank', json: body });
  expect(await bench.spent(customer.userId)).toBe(140);
  const { row, other } = await bench.newestLog(customer.username);
  expect(row).toMatchObject({ prompt_tokens: 70, completion_tokens: 0, model_name: 'ranker' });
  expect(other).toMatchObject({ usage_source: 'upstream', request_path: '/v1/rerank' });
});

it('counts query and documents where no tokens were reported, for any field names of a document', async () => {
  bench.upstream.answer((response) => sendJson(response, 200, { results }));
  const counted = async (documents: unknown[]) => {
    const customer = await bench.gateway.addCustomer(startQuota);
    await bench.post(
      '/v1/rerank',
      customer.key,
      JSON.stringify({ model: 'ranker', query: 'fruit', documents }),
    );
    return (await bench.newestLog(customer.username)).row['prompt_tokens'] as number;
  };
  const few = await counted(['pear']);
  expect(few).toBeGreaterThan(1);
  expect(await counted(['pear', 'a much longer text about pears'])).toBeGreaterThan(few + 4);
  expect(
    await counted(['pear', { title: 'a much longer text', body: 'about pears' }]),
  ).toBeGreaterThan(few + 4);
});

it('fails over to another channel, and is charged once', async () => {
  await bench.gateway.set('RetryTimes', 1);
  bench.upstream.answer(errorReply(503, { message: 'busy' }));
  spare.answer((response) => sendJson(response, 200, { results, usage: { total_tokens: 70 } }));
  const customer = await bench.gateway.addCustomer(startQuota);
  expect((await bench.post('/v1/rerank', customer.key, JSON.stringify(body))).status).toBe(200);
  expect(await bench.spent(customer.userId)).toBe(140);
  expect((await bench.newestLog(customer.username)).other.admin_info?.route).toMatchObject([
    { status: 503 },
    { status: 200 },
  ]);
  await bench.gateway.set('RetryTimes', 0);
});

it('returns the upstream’s error message', async () => {
  bench.upstream.answer((response) => sendJson(response, 422, { detail: 'too many documents' }));
  const customer = await bench.gateway.addCustomer(startQuota);
  const reply = await bench.post('/v1/rerank', customer.key, JSON.stringify(body));
  expect(reply.status).toBe(422);
  expect(await reply.json()).toMatchObject({
    error: { message: expect.stringContaining('too many documents') },
  });
  expect(await bench.spent(customer.userId)).toBe(0);
});

it.each([
  [{ documents: ['a'] }, 'invalid_query', 'query is empty'],
  [{ query: '', documents: ['a'] }, 'invalid_query', 'query is empty'],
  [{ query: 7, documents: ['a'] }, 'invalid_query', 'must be a string'],
  [{ query: 'a' }, 'invalid_documents', 'documents is empty'],
  [{ query: 'a', documents: [] }, 'invalid_documents', 'documents is empty'],
  [{ query: 'a', documents: 'b' }, 'invalid_documents', 'must be a list'],
  [{ query: 'a', documents: ['b', 3] }, 'invalid_documents', 'documents[1]'],
  [
    { query: 'a', documents: ['a test_sensitive text'] },
    'sensitive_words_detected',
    'illegal text',
  ],
  [
    { query: 'a', documents: [{ title: 'a test_sensitive text' }] },
    'sensitive_words_detected',
    'illegal text',
  ],
])('refuses %j', async (fields, code, words) => {
  const customer = await bench.gateway.addCustomer(startQuota);
  const reply = await bench.post(
    '/v1/rerank',
    customer.key,
    JSON.stringify({ model: 'ranker', ...fields }),
  );
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({
    error: { code, message: expect.stringContaining(words) },
  });
  expect(bench.upstream.requests).toHaveLength(0);
});

it('serves Cohere’s own SDK', async () => {
  bench.upstream.answer((response) =>
    sendJson(response, 200, { model: 'ranker', results, usage: { total_tokens: 70 } }),
  );
  const { key } = await bench.gateway.addCustomer(startQuota);
  const client = new CohereClient({ token: key, baseUrl: bench.gateway.url });
  const reply = await client.rerank({
    model: 'ranker',
    query: 'fruit',
    documents: ['car', 'pear'],
    topN: 2,
  });
  expect(reply.results.map(({ index, relevanceScore }) => [index, relevanceScore])).toEqual([
    [1, 0.9],
    [0, 0.1],
  ]);
});
