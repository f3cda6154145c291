import { describe, expect, it } from 'vitest';
import { decimal, one } from '../../../src/core/kernel/decimal.ts';
import { maxAmount } from '../../../src/core/kernel/quota.ts';
import { priceUsage } from '../../../src/core/pricing/cost.ts';
import { type PriceDetailsEntry, readDetails } from '../../../src/core/pricing/details.ts';
import { estimateQuota, type MostTokens, mostQuota } from '../../../src/core/pricing/estimate.ts';
import {
  estimateTokens,
  estimateTokensFromBytes,
  tokenFamilyOf,
} from '../../../src/core/pricing/estimate-tokens.ts';
import { findPrice, type ModelPrice } from '../../../src/core/pricing/find-price.ts';
import { fc } from '../../support/property.ts';
import { pricesWith } from './default-tables.ts';
import { call, drawing, plain, rich, unit } from './sample-prices.ts';

const two = decimal(2);
const tables = pricesWith();
const priceOf = (model: string) => {
  const price = findPrice(model, tables);
  if (price === undefined) throw new Error(`no price: ${model}`);
  return price;
};

describe('estimateQuota', () => {
  it.each([
    ['gpt-4o', { promptTokens: 1000, maxOutputTokens: 500 }, '1', 3750],
    ['gpt-4o', { promptTokens: 1000 }, '1', 6370],
    ['gpt-4o-mini', { promptTokens: 1, maxOutputTokens: 0 }, '1', 1],
    ['gpt-4o-mini', { promptTokens: 0, maxOutputTokens: 0 }, '1', 0],
    ['gpt-4o', { promptTokens: 1000, maxOutputTokens: 500 }, '0', 0],
    ['dall-e-3', { promptTokens: 1000 }, '0.5', 10_000],
  ])('%s %o × %s', (model, tokens, groupRatio, quota) => {
    expect(estimateQuota(tokens, priceOf(model), decimal(groupRatio), unit)).toBe(quota);
  });

  it('covers every request within the estimated tokens', () => {
    const counts = fc.nat(100_000);
    fc.assert(
      fc.property(
        fc.constantFrom('gpt-4o', 'gpt-3.5-turbo-16k', 'ERNIE-Tiny-8K'),
        counts,
        counts,
        (model, promptTokens, maxOutputTokens) => {
          const held = estimateQuota(
            { promptTokens, maxOutputTokens },
            priceOf(model),
            decimal('0.77'),
            unit,
          );
          const charge = priceUsage(
            { promptTokens, completionTokens: maxOutputTokens },
            priceOf(model),
            decimal('0.77'),
            unit,
          );
          expect(held).toBeGreaterThanOrEqual(charge.quota);
          expect(held - charge.quota).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe('estimateTokens', () => {
  it.each([
    ['hello', 'openai', 2], // 1.02
    ['hello world', 'openai', 3], // 2 × 1.02 + 0.42
    ['2026', 'gemini', 3], // 2.8
    ['你好世界', 'openai', 4], // 4 × 0.85
    ['你好世界', 'claude', 5], // 4 × 1.21
    ['∑∫', 'claude', 10], // 2 × 4.52
    ['a@b', 'openai', 5], // 1.02 + 2 + 1.02
    ['a/b', 'gemini', 4], // 1.15 + 1.2 + 1.15
    ['\n\r\n', 'openai', 1], // 2 × 0.5
    ['\n\n', 'gemini', 3], // 2 × 1.15
    ['     ', 'gemini', 1], // 5 × 0.2
    ['😀', 'openai', 3], // 2.12
    ['()', 'openai', 1], // 2 × 0.4
    ['', 'claude', 0],
  ] as const)('%j by %s weights', (text, family, count) => {
    expect(estimateTokens(text, family)).toBe(count);
  });

  it('does not count a text without spaces as one word', () => {
    expect(estimateTokens('a'.repeat(1600), 'openai')).toBe(102);
    expect(estimateTokens('7'.repeat(1600), 'openai')).toBe(155);
  });

  it.each([
    ['claude-sonnet-4-5', 'claude'],
    ['anthropic.CLAUDE-3', 'claude'],
    ['gemini-3-pro', 'gemini'],
    ['gpt-5.1', 'openai'],
    ['glm-4.6', 'openai'],
    ['imagen-4.0-generate-001', 'gemini'],
    ['my-own-CLAUDE', 'claude'],
    ['my-own-gemini', 'gemini'],
    ['my-own-gemma', 'gemini'],
    ['my-own', 'openai'],
  ])('%s has %s weights', (model, family) => {
    expect(tokenFamilyOf(model)).toBe(family);
  });

  it('from bytes it is an upper estimate for prose in both languages', () => {
    for (const text of [
      'The gateway relays requests to upstream providers, with prepaid quota billing. '.repeat(50),
      '网关把请求转给上游，按预付额度计费。'.repeat(50),
    ]) {
      const bytes = new TextEncoder().encode(text).length;
      for (const family of ['openai', 'gemini', 'claude'] as const) {
        expect(estimateTokensFromBytes(bytes)).toBeGreaterThanOrEqual(
          estimateTokens(text, family) * 0.95,
        );
      }
    }
    expect(estimateTokensFromBytes(0)).toBe(0);
    expect(estimateTokensFromBytes(1)).toBe(1);
  });
});

describe('the most that a request can cost', () => {
  const none = { promptTokens: 0, mediaTokens: 0, outputTokens: 0, caching: 'none' } as const;
  const withDetails = (entry: PriceDetailsEntry) => ({ ...plain, details: readDetails(entry) });

  it.each<[string, Partial<MostTokens>, ModelPrice, number]>([
    ['a prompt', { promptTokens: 10 }, plain, 10],
    [
      'a prompt whose cache reads cost more',
      { promptTokens: 10 },
      { ...plain, cacheRatio: two },
      20,
    ],
    ['a prompt that is cached', { promptTokens: 10, caching: '5m' }, plain, 15],
    ['a prompt that is cached for longer', { promptTokens: 10, caching: '1h' }, plain, 24],
    ['the same at a factor of the model', { promptTokens: 10, caching: '1h' }, rich, 30],
    ['images', { mediaTokens: 2 }, plain, 6],
    ['recordings', { mediaTokens: 2 }, rich, 16],
    [
      'images that cost what text costs, cached',
      { mediaTokens: 10, caching: '1h' },
      { ...plain, imageRatio: one },
      24,
    ],
    ['text and images', { promptTokens: 10, mediaTokens: 2 }, plain, 16],
    ['an answer', { outputTokens: 10 }, plain, 40],
    ['a spoken answer', { outputTokens: 10 }, rich, 160],
    [
      'a spoken answer that costs less than a written one',
      { outputTokens: 10 },
      { ...plain, audioRatio: one, audioCompletionRatio: two },
      40,
    ],
    ['thinking', { outputTokens: 10 }, withDetails({ thinking: 6 }), 60],
    [
      'thinking that costs less than the answer',
      { outputTokens: 10 },
      withDetails({ thinking: 3 }),
      40,
    ],
    ['text beside images', { outputTokens: 10 }, withDetails({ textOutput: 2 }), 80],
    ['text beside images that costs less', { outputTokens: 10 }, drawing, 40],
    ['tools without a price', { promptTokens: 1, toolCalls: { web_search: 3 } }, plain, 1],
    ['tools', { promptTokens: 1, toolCalls: { web_search: 3, other: 2 } }, rich, 15_001],
    ['a call', { promptTokens: 10, outputTokens: 10 }, call, 10_000],
  ])('for %s', (_, most, price, quota) => {
    // What was found of a price is kept: each time another one.
    expect(mostQuota({ ...none, ...most }, { ...price }, one, unit)).toBe(quota);
  });

  it('has writes to the cache by the factor of their tier, where there are any', () => {
    const details = { factors: { priority: 1 }, cacheFactors: { priority: { write: 3 } } };
    const price = () => ({ ...plain, details: readDetails(details) });
    const most = { ...none, promptTokens: 10, tiers: ['priority'] };
    expect(mostQuota({ ...most, caching: '5m' }, price(), one, unit)).toBe(45);
    expect(mostQuota({ ...most, caching: 'none' }, price(), one, unit)).toBe(10);
  });

  it('covers a prompt below a step that makes longer ones cheaper', () => {
    const steps = [{ above: 100, input: 0.5, output: 0.5 }];
    const price = { ...plain, details: readDetails({ steps }) };
    const most = { ...none, promptTokens: 110, outputTokens: 10 };
    expect(mostQuota(most, price, one, unit)).toBe(100 + 40);
    expect(mostQuota({ ...most, promptTokens: 1000 }, price, one, unit)).toBe(500 + 20);
    const shown = { ...most, promptTokens: 60, mediaTokens: 50 };
    expect(mostQuota(shown, { ...price, imageRatio: decimal(3) }, one, unit)).toBe(150 + 50 + 40);
  });

  it('covers hours that cost more than the others', () => {
    const peakHours = [{ days: [1], from: 0, to: 60 }];
    const most = { ...none, promptTokens: 10, tiers: ['priority'] };
    const priced = (offpeak: number) => ({
      ...plain,
      details: readDetails({ factors: { priority: 2, offpeak }, peakHours }),
    });
    expect(mostQuota(most, priced(3), one, unit)).toBe(60);
    expect(mostQuota(most, priced(0.5), one, unit)).toBe(20);
  });

  it('covers writes of the usual life where the longer one is cheaper', () => {
    const price = { ...plain, details: readDetails({ longCacheWrite: 0.5 }) };
    const most = { ...none, promptTokens: 10, caching: '1h' as const };
    expect(mostQuota(most, price, one, unit)).toBe(15);
  });

  it('covers images and recordings that cost more when they are cached', () => {
    const most = { ...none, mediaTokens: 10 };
    const cachedAudio = {
      ...plain,
      audioRatio: decimal(2),
      details: readDetails({ cachedAudio: 3 }),
    };
    expect(mostQuota(most, cachedAudio, one, unit)).toBe(60);
    const cachedImage = {
      ...plain,
      details: readDetails({ cachedImage: 4, factors: { fast: 1 } }),
    };
    expect(mostQuota({ ...most, tiers: ['fast'] }, cachedImage, one, unit)).toBe(120);
  });

  it('has no speech of a model without a price for audio', () => {
    const price = { ...plain, audioCompletionRatio: decimal(9) };
    expect(mostQuota({ ...none, outputTokens: 10 }, price, one, unit)).toBe(40);
  });

  it('is that of its own caching, however the price was used before', () => {
    const price = { ...plain };
    const most = { ...none, promptTokens: 10 };
    for (const [caching, quota] of [
      ['1h', 24],
      ['none', 10],
      ['5m', 15],
      ['1h', 24],
    ] as const)
      expect(mostQuota({ ...most, caching }, price, one, unit)).toBe(quota);
  });

  it('is no more than the largest charge', () => {
    const dear = { ...plain, modelRatio: decimal(maxAmount) };
    expect(mostQuota({ ...none, promptTokens: 1 }, dear, one, unit)).toBe(Number(maxAmount));
    expect(mostQuota({ ...none, promptTokens: 2 }, dear, one, unit)).toBe(Number(maxAmount));
  });
});
