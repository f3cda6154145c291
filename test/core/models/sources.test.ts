/** Lists of models in the formats of others. Entries are shortened from those of November 2026. */
import { describe, expect, it } from 'vitest';
import { readModelList } from '../../../src/core/models/sources/read-list.ts';

const read = (value: unknown) => readModelList(JSON.stringify(value), '2026-11-28');

const costs = (input: number, output: number, read: number) => ({
  input_cost_per_token: input,
  output_cost_per_token: output,
  cache_read_input_token_cost: read,
});

describe("LiteLLM's list", () => {
  const astra = {
    litellm_provider: 'openai',
    mode: 'chat',
    max_input_tokens: 922000,
    max_output_tokens: 128000,
    input_cost_per_token: 1e-5,
    output_cost_per_token: 5e-5,
    cache_read_input_token_cost: 1e-6,
    cache_creation_input_token_cost: 1.25e-5,
    cache_creation_input_token_cost_above_12hr: 2.5e-5,
    input_cost_per_token_above_272k_tokens: 2e-5,
    output_cost_per_token_above_272k_tokens: 7.5e-5,
    input_cost_per_image_token: 1e-5,
    input_cost_per_token_priority: 2e-5,
    output_cost_per_token_priority: 1e-4,
    supports_none_reasoning_effort: false,
    supports_minimal_reasoning_effort: false,
    supports_xhigh_reasoning_effort: true,
    supports_max_reasoning_effort: true,
    supported_modalities: ['text', 'image'],
    deprecation_date: '2027-10-01',
    successor_model: 'openai/gpt-7-astra',
  };

  it('is read with prices per million, steps, tiers, lives, limits, efforts and ends', () => {
    expect(read({ 'gpt-6-astra': astra })).toEqual({
      format: 'litellm',
      rules: [],
      rows: [],
      models: [
        {
          server: 'openai',
          name: 'gpt-6-astra',
          vendor: 'openai',
          kind: 'chat',
          ends: '2027-10-01',
          successor: 'gpt-7-astra',
          inputTokens: 922_000,
          outputTokens: 128_000,
          reads: ['text', 'image'],
          efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
          price: {
            input: 10,
            output: 50,
            cacheRead: 1,
            cacheWrite: 12.5,
            longCacheWrite: 25,
            steps: [{ above: 272_000, input: 2, output: 1.5 }],
            factors: { priority: 2 },
          },
        },
      ],
    });
  });

  it('knows what cache reads cost in steps and tiers, and seconds of video', () => {
    const found = read({
      'dashscope/coder': {
        litellm_provider: 'dashscope',
        mode: 'chat',
        tiered_pricing: [
          { ...costs(3e-7, 1.5e-6, 8e-8), range: [0, 32_000] },
          { ...costs(5e-7, 2.5e-6, 1.2e-7), range: [32_000, 1e6] },
        ],
      },
      'gemini/old': {
        litellm_provider: 'gemini',
        mode: 'chat',
        ...costs(2e-6, 1.2e-5, 2e-7),
        input_cost_per_token_flex: 1e-6,
        output_cost_per_token_flex: 6e-6,
        cache_read_input_token_cost_flex: 2e-7,
        input_cost_per_token_priority: 4e-6,
        output_cost_per_token_priority: 2.4e-5,
        cache_read_input_token_cost_priority: 4e-7,
      },
      'gemini/veo': {
        litellm_provider: 'gemini',
        mode: 'video_generation',
        output_cost_per_second: 0.1,
        output_cost_per_second_1080p: 0.12,
      },
    });
    expect(
      found?.models.map(({ name, price, secondPrices }) => [name, price ?? secondPrices]),
    ).toEqual([
      ['coder', expect.objectContaining({ steps: [expect.objectContaining({ cacheRead: 1.5 })] })],
      [
        'old',
        expect.objectContaining({
          factors: { flex: 0.5, priority: 2 },
          cacheFactors: { flex: { read: 1 } },
        }),
      ],
      ['veo', { '*': 0.1, '1080P': 0.12 }],
    ]);
  });

  it('names models as their server does, and knows steps by ranges', () => {
    const found = read({
      sample_spec: { litellm_provider: 'one of https://docs.litellm.ai', mode: 'one of: chat' },
      'dashscope/qwen3.7-plus': {
        litellm_provider: 'dashscope',
        mode: 'chat',
        tiered_pricing: [
          { input_cost_per_token: 4e-7, output_cost_per_token: 1.6e-6, range: [0, 256_000] },
          { input_cost_per_token: 1.2e-6, output_cost_per_token: 4.8e-6, range: [256_000, 1e6] },
        ],
      },
      'gemini/gemini-4-argon': {
        litellm_provider: 'gemini',
        mode: 'chat',
        input_cost_per_token: 2e-6,
        output_cost_per_token: 1.1e-5,
      },
      'openrouter/free': {
        litellm_provider: 'openrouter',
        mode: 'chat',
        input_cost_per_token: 0,
        output_cost_per_token: 0,
      },
      'low/1024-x-1024/gpt-image-2': { litellm_provider: 'openai', mode: 'image_generation' },
      'ft:gpt-6-sol': { litellm_provider: 'openai', mode: 'chat' },
      'brave/search': { litellm_provider: 'brave', mode: 'search' },
    });
    expect(found?.models).toMatchObject([
      {
        server: 'ali',
        name: 'qwen3.7-plus',
        price: { input: 0.4, output: 1.6, steps: [{ above: 256_000, input: 3, output: 3 }] },
      },
      { server: 'gemini', name: 'gemini-4-argon', price: { input: 2, output: 11 } },
      { server: 'openrouter', name: 'free' },
    ]);
    expect(found?.models).toHaveLength(3);
    // What costs nothing in a list is not sold for nothing.
    expect(found?.models[2]).not.toHaveProperty('price');
  });
});

it("models.dev's list is read", () => {
  const cost = { input: 2.5, output: 15, cache_read: 0.25, cache_write: 0 };
  const tiers = [{ input: 5, output: 22.5, tier: { type: 'context', size: 272_000 } }];
  const fast = { cost: { input: 5 }, provider: { body: { service_tier: 'priority' } } };
  const model = {
    id: 'gpt-5.4',
    release_date: '2026-03-05',
    limit: { context: 1_050_000, input: 922_000, output: 128_000 },
    modalities: { input: ['text', 'image', 'pdf'], output: ['text'] },
    cost: { ...cost, tiers },
    experimental: { modes: { fast } },
  };
  expect(read({ openai: { id: 'openai', models: { 'gpt-5.4': model } } })).toMatchObject({
    format: 'models.dev',
    models: [
      {
        server: 'openai',
        name: 'gpt-5.4',
        released: '2026-03-05',
        inputTokens: 922_000,
        outputTokens: 128_000,
        reads: ['text', 'image', 'file'],
        price: {
          input: 2.5,
          output: 15,
          cacheRead: 0.25,
          steps: [{ above: 272_000, input: 2, output: 1.5 }],
          factors: { priority: 2 },
        },
      },
    ],
  });
});

it("Pydantic's list is read at the prices of the day", () => {
  const prices = [
    { prices: { input_mtok: 3, output_mtok: 15 } },
    {
      constraint: { type: 'start_date', start_date: '2026-03-13' },
      prices: {
        input_mtok: { base: 2, tiers: [{ start: 200_000, price: 4 }] },
        output_mtok: { base: 10, tiers: [{ start: 200_000, price: 15 }] },
        cache_write_1h_mtok: 4,
      },
    },
    { constraint: { type: 'start_date', start_date: '2027-01-01' }, prices: { input_mtok: 9 } },
    { constraint: { type: 'time_of_date', start_time: '01:00:00Z' }, prices: { input_mtok: 8 } },
  ];
  const found = read([{ id: 'x-ai', models: [{ id: 'm-1', context_window: 1_000_000, prices }] }]);
  expect(found).toMatchObject({
    format: 'genai-prices',
    models: [
      {
        server: 'xai',
        name: 'm-1',
        inputTokens: 1_000_000,
        price: {
          input: 2,
          output: 10,
          longCacheWrite: 4,
          steps: [{ above: 200_000, input: 2, output: 1.5 }],
        },
      },
    ],
  });
});

it("OpenRouter's list is read", () => {
  const pricing = {
    prompt: '0.000002',
    completion: '0.00001',
    input_cache_read: '0.0000002',
    overrides: [{ min_prompt_tokens: 200_000, prompt: '0.000004', completion: '0.000015' }],
  };
  const models = [
    {
      id: 'google/gemini-4-carbon',
      created: 1_795_000_000,
      context_length: 1_048_576,
      expiration_date: '2027-06-01',
      architecture: { input_modalities: ['text'], output_modalities: ['text'] },
      top_provider: { max_completion_tokens: 65_536 },
      reasoning: { supported_efforts: ['low', 'high'] },
      pricing,
    },
    { id: 'openrouter/auto', pricing: { prompt: '-1', completion: '-1' } },
  ];
  expect(read({ data: models })?.models).toEqual([
    {
      server: 'openrouter',
      name: 'google/gemini-4-carbon',
      vendor: 'gemini',
      released: '2026-11-18',
      ends: '2027-06-01',
      inputTokens: 1_048_576,
      outputTokens: 65_536,
      reads: ['text'],
      writes: ['text'],
      efforts: ['low', 'high'],
      price: {
        input: 2,
        output: 10,
        cacheRead: 0.2,
        steps: [{ above: 200_000, input: 2, output: 1.5 }],
      },
    },
    { server: 'openrouter', name: 'openrouter/auto', vendor: 'openrouter' },
  ]);
});

it("this program's own list has rules, too, and is read as a whole or not at all", () => {
  const origin = { source: 'https://vendor.example/models', seen: '2026-11-24' };
  const rules = [{ family: 'm-7', of: ['m-7'], takes: { prefill: false }, ...origin }];
  const rows = [{ name: 'm-7-large', vendor: 'openai', outputTokens: 9, ...origin }];
  const own = { format: 'turnpike-models', rules, rows };
  expect(read(own)).toMatchObject({
    format: 'turnpike',
    rules,
    rows,
    models: [{ server: 'openai', name: 'm-7-large', outputTokens: 9 }],
  });
  expect(read({ ...own, rows: [{ name: 'm-7-large' }] })).toBeUndefined();
});

it.each(['', '[]', '{}', 'no JSON', '{"data":[]}', '{"data":[{"id":"m"}]}'])(
  '%j is no list',
  (text) => expect(readModelList(text, '2026-11-28')).toBeUndefined(),
);

it('malformed entries are left out', () => {
  const row = { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1e-6 };
  const found = read({ '': row, good: row, odd: { ...row, reasoning_effort_levels: ['most'] } });
  expect(found?.models.map(({ name }) => name)).toEqual(['good']);
});
