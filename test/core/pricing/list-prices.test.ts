// Covers src/core/models/rows.
/** Default prices against two public catalogues: dollars per million tokens. */
import { afterEach, describe, expect, it } from 'vitest';
import { decimal, toNumber } from '../../../src/core/kernel/decimal.ts';
import { knownModels } from '../../../src/core/models/known-models.ts';
import { modelRows } from '../../../src/core/models/rows/index.ts';
import { priceUsage } from '../../../src/core/pricing/cost.ts';
import { findListPrice } from '../../../src/core/pricing/list-prices.ts';
import { pricesByKind } from '../../../src/core/pricing/price-per-million.ts';
import { pricesWith } from './default-tables.ts';

type Price = readonly [
  model: string,
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
];

/**
 * By what says so: https://github.com/BerriAI/litellm, version 1.110.2 of 2026-11-24, and
 * https://github.com/pydantic/genai-prices, version 0.1.8. Neither has a price of writes for most
 * models: they cost what input costs.
 */
const lists: Readonly<Record<string, readonly Price[]>> = {
  'litellm and genai-prices': [
    ['gpt-6-astra', 10, 50, 1, 12.5],
    ['gpt-6-sol', 2, 10, 0.2, 2.5],
    ['gpt-6-luna', 0.1, 0.5, 0.01, 0.125],
    ['gpt-5.6-sol', 4, 20, 0.4, 5],
    ['gpt-5.6', 4, 20, 0.4, 5],
    ['gpt-5.6-terra', 2, 12, 0.2, 2.5],
    ['gpt-5.6-luna', 0.2, 1.2, 0.02, 0.25],
    ['gpt-5.5', 5, 30, 0.5, 5],
    ['gpt-5.5-pro', 30, 180, 30, 30],
    ['gpt-5.4', 2.5, 15, 0.25, 2.5],
    ['gpt-5.4-mini', 0.75, 4.5, 0.075, 0.75],
    ['gpt-5.4-nano', 0.2, 1.25, 0.02, 0.2],
    ['gpt-5.2', 1.75, 14, 0.175, 1.75],
    ['gpt-4.1-2025-04-14', 2, 8, 0.5, 2],
    ['gpt-4-1106-preview', 10, 30, 10, 10],
    ['o3', 2, 8, 0.5, 2],
    ['o3-2025-04-16', 2, 8, 0.5, 2],
    ['o4-mini', 1.1, 4.4, 0.275, 1.1],
    ['claude-fable-5-1', 10, 50, 0.25, 12.5],
    ['claude-opus-5-5', 4, 20, 0.2, 5],
    ['claude-opus-4-7', 5, 25, 0.5, 6.25],
    ['claude-opus-4-6-high', 5, 25, 0.5, 6.25],
    ['claude-sonnet-4-5-20250929', 3, 15, 0.3, 3.75],
    ['claude-haiku-4-5', 1, 5, 0.1, 1.25],
    ['gemini-3.8-flash', 0.75, 3.75, 0.075, 0.75],
    ['gemini-3.1-pro-preview', 2, 12, 0.2, 2],
    ['gemini-2.5-pro', 1.25, 10, 0.125, 1.25],
    ['gemini-2.5-flash', 0.3, 2.5, 0.03, 0.3],
    ['gemini-2.5-flash-lite', 0.1, 0.4, 0.01, 0.1],
    ['grok-4.5', 2, 6, 0.3, 2],
    ['grok-4.3', 1.25, 2.5, 0.2, 1.25],
    ['deepseek-v4-pro', 1.32, 3.96, 0.044, 1.32],
    ['kimi-k3', 3, 15, 0.3, 3],
    ['kimi-k2.6', 0.95, 4, 0.16, 0.95],
    ['kimi-k2.5', 0.6, 3, 0.1, 0.6],
    ['moonshot-v1-8k', 0.2, 2, 0.2, 0.2],
    ['moonshot-v1-32k', 1, 3, 1, 1],
    ['moonshot-v1-128k', 2, 5, 2, 2],
    ['glm-5.3', 1.4, 4.4, 0.26, 1.4],
    ['glm-5.3-flash', 0.15, 0.5, 0.03, 0.15],
    ['mistral-large-3', 0.5, 1.5, 0.05, 0.5],
    ['mistral-medium-3.5', 1.5, 7.5, 0.15, 1.5],
    ['codestral-2508', 0.3, 0.9, 0.03, 0.3],
    ['MiniMax-M3', 0.3, 1.2, 0.06, 0.3],
    ['sonar', 1, 1, 1, 1],
    ['sonar-pro', 3, 15, 3, 3],
  ],
  litellm: [
    ['gpt-6.1-sol', 2, 10, 0.1, 2.5],
    ['gpt-6.1-terra', 1, 5, 0.05, 1.25],
    ['gpt-6-rosalind', 15, 75, 1.5, 18.75],
    ['gpt-6-cyber', 20, 100, 2, 25],
    ['claude-mythos-5', 10, 50, 1, 12.5],
    ['claude-sonnet-5-5', 2, 10, 0.1, 2.5],
    ['claude-haiku-5-5', 0.1, 0.5, 0.01, 0.125],
    ['gemini-4-argon', 2, 10, 0.1, 2],
    ['gemini-4-hydrogen', 1.5, 7.5, 0.075, 1.5],
    ['grok-4.7', 2, 6, 0.5, 2],
    ['deepseek-v4-flash', 0.3, 1.2, 0.006, 0.3],
    ['qwen3.8-max', 2, 6, 0.25, 2.5],
    ['qwen3.8-flash', 0.15, 0.47, 0.016, 0.2],
    ['qwen3.7-max', 2.5, 7.5, 0.5, 3.125],
    ['qwen-plus', 0.4, 1.2, 0.4, 0.4],
    ['qwen-turbo', 0.05, 0.2, 0.05, 0.05],
    ['kimi-k3.1-pro', 2, 10, 0.2, 2],
    ['glm-4.7', 0.6, 2.2, 0.11, 0.6],
    ['mistral-large-4', 0.7, 2.1, 0.07, 0.7],
  ],
  'genai-prices': [
    ['claude-3-5-haiku-20241022', 0.8, 4, 0.08, 1],
    ['claude-3-haiku-20240307', 0.25, 1.25, 0.03, 0.3],
    ['grok-3', 3, 15, 0.75, 3],
    ['grok-3-mini', 0.3, 0.5, 0.075, 0.3],
    ['grok-2', 2, 10, 2, 2],
    ['command-r', 0.15, 0.6, 0.15, 0.15],
    ['command-r-plus', 2.5, 10, 2.5, 2.5],
  ],
};

function perMillion(model: string) {
  const price = findListPrice(model);
  if (price?.kind !== 'ratio') throw new Error(`${model} is not priced by tokens`);
  // Of a hundredth: a prompt of a million tokens is beyond the steps of long ones.
  const dollars = (usage: Parameters<typeof priceUsage>[0]) =>
    Math.round(toNumber(priceUsage(usage, price, decimal(1), decimal(500_000)).raw) * 100) /
    500_000;
  const tokens = 10_000;
  return {
    input: dollars({ promptTokens: tokens }),
    output: dollars({ completionTokens: tokens }),
    cached: dollars({ promptTokens: tokens, cachedTokens: tokens }),
    written: dollars({ promptTokens: tokens, cacheWriteTokens: tokens }),
    audioInput: dollars({ promptTokens: tokens, promptAudioTokens: tokens }),
    audioOutput: dollars({ completionTokens: tokens, completionAudioTokens: tokens }),
    image: dollars({ promptTokens: tokens, promptImageTokens: tokens }),
    textOutput: dollars({ completionTokens: tokens, completionImageTokens: 0 }),
  };
}

afterEach(() => knownModels.replaceAdded({ rules: [], rows: [] }));

describe('list prices', () => {
  for (const [source, prices] of Object.entries(lists))
    it.each(prices)(`%s, by ${source}`, (model, input, output, cached, written) => {
      expect(perMillion(model)).toMatchObject({ input, output, cached, written });
    });

  it.each([
    ['gpt-audio-1.5', { input: 2.5, audioInput: 32, audioOutput: 64 }],
    ['gpt-realtime-2.1', { input: 4, audioInput: 32, audioOutput: 64, image: 5 }],
    ['gpt-4o-mini-tts', { input: 0.6, audioOutput: 12 }],
    ['gpt-4o-transcribe', { input: 2.5, audioInput: 6, output: 10 }],
    ['gpt-image-2', { input: 5, image: 8, output: 30 }],
    ['gemini-2.5-flash', { input: 0.3, audioInput: 1 }],
    ['gemini-3-pro-image', { input: 2, output: 120, textOutput: 12 }],
    ['gemini-2.5-flash-image', { input: 0.3, output: 30, textOutput: 2.5 }],
    ['gpt-image-1.5', { input: 5, image: 8, output: 32, textOutput: 10 }],
    ['gemini-embedding-2', { input: 0.2, audioInput: 6.5, image: 0.45, output: 0 }],
  ])('sounds and images of %s', (model, prices) => {
    expect(perMillion(model)).toMatchObject(prices);
  });

  it('are those of the catalogue, for each of its models and their other names', () => {
    for (const { name, aliases = [], price } of modelRows) {
      if (price === undefined) continue;
      const { input, output, cacheRead: cached = input, cacheWrite: written = input } = price;
      for (const one of [name, ...aliases])
        expect([one, perMillion(one)]).toMatchObject([one, { input, output, cached, written }]);
    }
  });

  it('are there for each model of the catalogue that a vendor still serves', () => {
    const vendors = new Set(modelRows.flatMap(({ vendor }) => vendor ?? []));
    const unpriced = [...vendors].flatMap((slug) =>
      knownModels
        .servedBy({ slug }, '2026-11-28')
        .filter((model) => findListPrice(model) === undefined),
    );
    // Moderations without a price are free (docs/rules/pricing.md#unpriced-models).
    expect(unpriced).toEqual(['omni-moderation-latest']);
  });

  it('have ratios without remains of binary fractions', () => {
    const { completionRatio, cacheRatio, createCacheRatio, modelRatio } = pricesWith();
    for (const [name, { scale }] of [...cacheRatio, ...createCacheRatio])
      expect([name, scale]).toEqual([name, Math.min(scale, 12)]);
    // A price that does not divide is rounded up, so that a half stays a half.
    const completion = completionRatio.get('gemini-2.5-flash') ?? decimal(0);
    const input = modelRatio.get('gemini-2.5-flash') ?? decimal(0);
    expect([toNumber(input), toNumber(completion)]).toEqual([0.15, 8.333333333334]);
    const price = findListPrice('gemini-2.5-flash');
    if (price === undefined) throw new Error('unpriced');
    expect(priceUsage({ completionTokens: 2 }, price, decimal(1), decimal(500_000)).quota).toBe(3);
  });

  it.each([500_000, 1_000_000, 100])('are the same dollars at a QuotaPerUnit of %s', (unit) => {
    const price = findListPrice('gpt-4o', decimal(unit));
    if (price === undefined) throw new Error('unpriced');
    const { input, output } = pricesByKind(price, decimal(1), decimal(unit));
    expect([input, output].map((dollars) => dollars && toNumber(dollars))).toEqual([2.5, 10]);
  });

  it('follow what is learned of prices, and what is forgotten', () => {
    const origin = { source: 'https://vendor.example/prices', seen: '2026-11-01' };
    expect(findListPrice('gpt-5.5')).toBe(findListPrice('gpt-5.5'));
    const learned = { name: 'learned-model', ...origin, price: { input: 4, output: 8 } };
    expect(findListPrice('learned-model')).toBeUndefined();
    knownModels.replaceAdded({ rules: [], rows: [learned] });
    expect(findListPrice('learned-model')).toMatchObject({ kind: 'ratio', modelRatio: decimal(2) });
    knownModels.replaceAdded({ rules: [], rows: [] });
    expect(findListPrice('learned-model')).toBeUndefined();
  });
});
