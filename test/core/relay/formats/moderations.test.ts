// Covers src/core/relay/formats/openai-moderations.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { errorReply, sendJson } from '../../../support/upstream.ts';

let bench: CallBench;
const verdict = {
  id: 'modr-1',
  model: 'm',
  results: [{ flagged: false, categories: {}, category_scores: {} }],
};

beforeAll(async () => {
  bench = await startCallBench('omni-moderation-latest,text-moderation-stable');
});
afterAll(() => bench.close());
beforeEach(() => {
  bench.upstream.requests.length = 0;
  bench.upstream.answer((response) => sendJson(response, 200, verdict));
});

it('is passed through; a model without a price is logged and free', async () => {
  const customer = await bench.gateway.addCustomer(startQuota);
  const input = [{ type: 'text', text: 'Are you well?' } as const];
  const reply = await bench
    .openAi(customer.key)
    .moderations.create({ model: 'omni-moderation-latest', input });
  expect(reply.results[0]?.flagged).toBe(false);
  expect(bench.upstream.requests[0]).toMatchObject({
    path: '/v1/moderations',
    json: { model: 'omni-moderation-latest', input },
  });
  expect(await bench.spent(customer.userId)).toBe(0);
  const { row, other } = await bench.newestLog(customer.username);
  expect(row).toMatchObject({ quota: 0, model_name: 'omni-moderation-latest' });
  expect(other.model_price).toBe(0);
});

it('is free too where the site accepts models without a price', async () => {
  await bench.gateway.set('SelfUseModeEnabled', 'true');
  const customer = await bench.gateway.addCustomer(startQuota);
  await bench
    .openAi(customer.key)
    .moderations.create({ model: 'omni-moderation-latest', input: 'Are you well?' });
  expect(await bench.spent(customer.userId)).toBe(0);
  await bench.gateway.set('SelfUseModeEnabled', 'false');
});

it('requests omni-moderation-latest where no model is named', async () => {
  const customer = await bench.gateway.addCustomer(startQuota);
  await bench.openAi(customer.key).moderations.create({ input: 'Are you well?' });
  expect(bench.upstream.requests[0]?.json['model']).toBe('omni-moderation-latest');
  expect(await bench.spent(customer.userId)).toBe(0);
});

it('charges the price of a model that has one', async () => {
  const customer = await bench.gateway.addCustomer(startQuota);
  await bench
    .openAi(customer.key)
    .moderations.create({ model: 'text-moderation-stable', input: 'word '.repeat(100) });
  const { row, other } = await bench.newestLog(customer.username);
  expect(row['completion_tokens']).toBe(0);
  expect(await bench.spent(customer.userId)).toBe(
    Math.round((row['prompt_tokens'] as number) * 0.1),
  );
  expect(row['prompt_tokens']).toBeGreaterThan(90);
  expect(other).toMatchObject({ model_ratio: 0.1, usage_source: 'counted' });
});

it('refuses a request without input, or with a forbidden word', async () => {
  const { key } = await bench.gateway.addCustomer(startQuota);
  const empty = await bench.post('/v1/moderations', key, '{}');
  expect(empty.status).toBe(400);
  expect(await empty.json()).toMatchObject({
    error: { code: 'invalid_text_request', message: expect.stringContaining('input') },
  });
  const words = await bench.post('/v1/moderations', key, '{"input":["fine","TEST_sensitive"]}');
  expect([words.status, await words.text()]).toEqual([
    400,
    expect.stringContaining('sensitive_words_detected'),
  ]);
  expect(bench.upstream.requests).toHaveLength(0);
});

it('forwards an upstream error unchanged', async () => {
  bench.upstream.answer(
    errorReply(400, { message: 'bad input', type: 'invalid_request_error', code: 'bad' }),
  );
  const customer = await bench.gateway.addCustomer(startQuota);
  await expect(bench.openAi(customer.key).moderations.create({ input: 'a' })).rejects.toMatchObject(
    { status: 400, code: 'bad' },
  );
});
