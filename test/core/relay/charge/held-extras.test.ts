/** What a request asks for besides tokens is held for (docs/rules/metering.md#held-extras). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { vendorReply } from '../../../support/vendor-replies.ts';

let bench: CallBench;
/** Prompt tokens and output are 1 quota each. */
const models = {
  'gpt-6-sol': 1,
  'gpt-5.5': 1,
  'guarded-model': 1,
  'gpt-4o-search-preview': 1,
  'mixed-model': 1,
};
beforeAll(async () => {
  bench = await startCallBench('guarded-model');
  await bench.gateway.addChannel({
    type: 1,
    baseUrl: bench.upstream.url,
    models: Object.keys(models).join(',').replace(',guarded-model', ''),
    setting: '{"allow_service_tier":true,"allow_speed":true}',
  });
  // Two channels of one model, of which one lets tiers through.
  await bench.gateway.addChannel({ type: 1, baseUrl: bench.upstream.url, models: 'mixed-model' });
  await bench.gateway.set('ModelRatio', models);
  const same = Object.fromEntries(Object.keys(models).map((name) => [name, 1]));
  await bench.gateway.set('CompletionRatio', same);
  await bench.gateway.set('PreConsumedQuota', 0);
  await bench.gateway.set('ModelPriceDetails', {
    'guarded-model': { factors: { priority: 2 } },
    'mixed-model': { factors: { priority: 2, flex: 0.5 } },
    'gpt-5.5': { steps: [{ above: 10_000, input: 3, output: 1 }] },
  });
  bench.upstream.answer(vendorReply({ prompt: 1, output: 1 }));
});
afterAll(() => bench.close());

async function held(model: string, fields: object, path = '/v1/chat/completions') {
  const { key, username } = await bench.gateway.addCustomer(startQuota);
  const text = { messages: [{ role: 'user', content: 'hi' }], max_tokens: 10 };
  const asked = path.endsWith('responses') ? { input: 'hi', max_output_tokens: 10 } : text;
  const body = JSON.stringify({ model, ...asked, ...fields });
  const reply = await bench.post(path, key, body);
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
  const amount = (await bench.newestLog(username)).other.admin_info?.held ?? 0;
  return { amount, bytes: body.length };
}

it.each([
  ['a dear tier', 'gpt-5.5', { service_tier: 'priority' }, 2.5],
  ['a tier under its other name', 'gpt-5.5', { service_tier: 'fast' }, 2.5],
  ['a cheap tier', 'gpt-5.5', { service_tier: 'flex' }, 0.5],
  ['the usual tier', 'gpt-5.5', { service_tier: 'default' }, 1],
  ['a tier that no channel lets through', 'guarded-model', { service_tier: 'priority' }, 1],
  [
    'a dear tier that one channel of two lets through',
    'mixed-model',
    { service_tier: 'priority' },
    2,
  ],
  ['a cheap tier that one channel of two takes out', 'mixed-model', { service_tier: 'flex' }, 1],
])('%s', async (_, model, fields, factor) => {
  const { amount, bytes } = await held(model, fields);
  expect(amount).toBe(Math.ceil((bytes + 10) * factor));
});

it('a long prompt is held for in its step', async () => {
  const { amount, bytes } = await held('gpt-5.5', { user: 'u'.repeat(12_000) });
  expect(amount).toBe(bytes * 3 + 10);
});

it.each([
  ['what OpenAI writes to its cache unasked', {}, 1.25],
  ['the longer cache life', { prompt_cache_options: { mode: 'implicit', ttl: '12h' } }, 2.5],
])('%s', async (_, fields, factor) => {
  const { amount, bytes } = await held('gpt-6-sol', fields);
  expect(amount).toBe(Math.ceil(bytes * factor + 10));
});

it.each([
  ['three searches', '/v1/responses', { tools: [{ type: 'web_search' }] }, 15_000],
  ['of the older kind too', '/v1/responses', { tools: [{ type: 'web_search_preview' }] }, 15_000],
  [
    'three file searches and five minutes of two containers',
    '/v1/responses',
    { tools: [{ type: 'file_search' }, { type: 'code_interpreter' }, { type: 'shell' }] },
    3 * 1250 + 2 * 5 * 750,
  ],
  [
    'a larger container',
    '/v1/responses',
    { tools: [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '16g' } }] },
    5 * 12_000,
  ],
  [
    'as many as the caller allows',
    '/v1/responses',
    { tools: [{ type: 'web_search' }], max_tool_calls: 1 },
    5000,
  ],
  // The image model has no price here, so that its tokens cost what the others do: 1 each.
  [
    'an image of the best quality',
    '/v1/responses',
    { tools: [{ type: 'image_generation' }] },
    6240,
  ],
  [
    'an image of its quality and size',
    '/v1/responses',
    { tools: [{ type: 'image_generation', quality: 'low', size: '1024x1024' }] },
    272,
  ],
  ['of OpenRouter’s tool', '/v1/responses', { tools: [{ type: 'openrouter:web_search' }] }, 15_000],
  ['of its plugin', '/v1/chat/completions', { plugins: [{ id: 'web' }] }, 15_000],
  ['of chat’s own option', '/v1/chat/completions', { web_search_options: {} }, 15_000],
  [
    'none for functions of the same name',
    '/v1/responses',
    { tools: [{ type: 'function', name: 'web_search', parameters: { type: 'object' } }] },
    0,
  ],
])('%s', async (_, path, fields, quota) => {
  const { amount, bytes } = await held('gpt-5.5', fields, path);
  expect(amount).toBe(bytes + 10 + quota);
});

it('a model that searches in every request is held, and charged, for one', async () => {
  const { amount, bytes } = await held('gpt-4o-search-preview', {});
  expect(amount).toBe(bytes + 10 + 12_500);
});
