import { describe, expect, it } from 'vitest';
import {
  mergeAnthropicUsage,
  usageFromAnthropic,
} from '../../../../src/core/canonical/kit/anthropic-usage.ts';
import { usageFromOpenAi } from '../../../../src/core/canonical/kit/usage.ts';
import { decimal, one } from '../../../../src/core/kernel/decimal.ts';
import { type BillableUsage, priceUsage } from '../../../../src/core/pricing/cost.ts';
import type { ModelPrice, RatioPrice } from '../../../../src/core/pricing/find-price.ts';
import type { PricingContext, UsageCharge } from '../../../../src/core/relay/charge/charge.ts';
import { upstreamCost } from '../../../../src/core/relay/charge/upstream-cost.ts';
import {
  checkChannelCost,
  readChannelCost,
} from '../../../../src/core/upstream/rules/channel-cost.ts';

const quotaPerUnit = decimal(500_000);
/**
 * $2.50 per million prompt tokens, four times as much for the reply, half for what is read from the
 * cache.
 */
const sitePrice: RatioPrice = {
  kind: 'ratio',
  modelRatio: decimal('1.25'),
  completionRatio: decimal(4),
  cacheRatio: decimal('0.5'),
  cacheWriteRatio: decimal('1.25'),
  audioCompletionRatio: one,
  imageRatio: one,
};
const usage = { promptTokens: 1000, cachedTokens: 400, completionTokens: 200 };

/** In thousandths of a quota. */
function costOf(
  cost: object,
  price: ModelPrice = sitePrice,
  model = 'mine',
  upstreamModel = model,
  used: BillableUsage & { readonly statedCost?: number } = usage,
  statesCost = false,
) {
  const groupRatio = decimal('1.7');
  const pricing: PricingContext = { model, price, groupRatio, quotaPerUnit, measure: undefined };
  const charged = {
    usage: used,
    source: 'upstream' as const,
    price,
    charge: priceUsage(used, price, groupRatio, quotaPerUnit),
  };
  return upstreamCost(readChannelCost(JSON.stringify(cost)), {
    upstreamModel,
    pricing,
    used: charged,
    statesCost,
  });
}

describe('what a request costs its operator', () => {
  // (600 + 400 × 0.5 + 200 × 4) × 1.25 = 2,000 quota before the group ratio.
  it.each<[string, object, number | undefined]>([
    ['is unknown where the channel does not name it', {}, undefined],
    ['is a share of the site’s price, without the group ratio', { ratio: 0.3 }, 600_000],
    ['may be given as text', { ratio: '0.30' }, 600_000],
    ['in another currency is divided by its rate', { ratio: 0.3, rate: 7.3 }, 82_192],
    ['may be nothing', { ratio: 0 }, 0],
    // (600 × 2 + 400 × 1 + 200 × 8) ÷ 1e6 ÷ 7.3 × 500,000
    [
      'goes by the prices of its model',
      { ratio: 9, rate: 7.3, models: { mine: { input: 2, cached: 1, output: 8 } } },
      219_178,
    ],
    ['counts what has no price of its own as input', { models: { mine: { input: 2 } } }, 1_000_000],
    ['may be a price per call', { models: { mine: { call: 0.01 } } }, 5_000_000],
    [
      'is unknown for models without a price, where there is no ratio',
      { models: { other: { input: 2 } } },
      undefined,
    ],
    ['is unknown for models without a list price', { ratio: 0.3, base: 'list' }, undefined],
  ])('%s', (_, cost, expected) => {
    expect(costOf(cost)).toBe(expected);
  });

  it('is a share of the vendor’s list price, whatever the site charges', () => {
    // gpt-4o: $2.50, $10, $1.25.
    const dear = { ...sitePrice, modelRatio: decimal(100) };
    expect(costOf({ ratio: 0.3, base: 'list' }, dear, 'gpt-4o')).toBe(600_000);
    expect(costOf({ ratio: 0.3, base: 'list' }, dear, 'mine', 'gpt-4o')).toBe(600_000);
  });

  it('is the same share of the list price in dollars at another QuotaPerUnit', () => {
    const cost = readChannelCost('{"ratio":0.5,"base":"list"}');
    const costAt = (unit: number) => {
      const pricing = { model: 'gpt-4o', groupRatio: one, quotaPerUnit: decimal(unit) };
      const usage = { promptTokens: 1000 };
      const charge = priceUsage(usage, sitePrice, one, decimal(unit));
      return upstreamCost(cost, {
        upstreamModel: 'gpt-4o',
        pricing: { ...pricing, price: sitePrice },
        used: { usage, source: 'upstream', charge, price: sitePrice },
      });
    };
    // Half of $0.0025, in thousandths of a quota.
    expect(costAt(500_000)).toBe(625_000);
    expect(costAt(1_000_000)).toBe(1_250_000);
  });

  it('goes by the name that was sent upstream first', () => {
    const models = { mine: { input: 1 }, theirs: { input: 2 } };
    expect(costOf({ models }, sitePrice, 'mine', 'theirs')).toBe(1_000_000);
    expect(costOf({ models }, sitePrice, 'mine', 'unlisted')).toBe(500_000);
  });

  it('is unknown where the site’s price is only assumed', () => {
    expect(costOf({ ratio: 0.3 }, { ...sitePrice, assumed: true })).toBeUndefined();
  });

  it('of a price per call is its share', () => {
    expect(costOf({ ratio: '0.5' }, { kind: 'call', price: decimal('0.04') })).toBe(10_000_000);
  });

  it('is kept below one quota', () => {
    expect(
      costOf({ models: { mine: { input: 0.001 } } }, sitePrice, 'mine', 'mine', {
        ...usage,
        promptTokens: 3,
      }),
    ).toBe(2);
  });
});

describe('the prices of a model', () => {
  const all: BillableUsage = {
    promptTokens: 2111,
    cachedTokens: 1000,
    cacheWriteTokens: 800,
    cacheWrite1hTokens: 300,
    promptImageTokens: 100,
    promptAudioTokens: 10,
    completionTokens: 50,
    completionAudioTokens: 20,
    toolCalls: { web_search: 2, web_search_preview: 1, other: 9 },
  };
  /** 201 tokens of input, and so on, at these prices per million; in millionths of a unit. */
  const cost = (prices: object) =>
    (costOf({ models: { mine: prices } }, sitePrice, 'mine', 'mine', all) ?? 0) / 500;

  it.each<[object, number]>([
    [{ input: 1 }, 201 + 1000 + 500 + 300 + 100 + 10],
    [{ input: 1, cached: 0 }, 201 + 500 + 300 + 100 + 10],
    [{ input: 1, cache_write: 3 }, 201 + 1000 + 3 * 800 + 100 + 10],
    [{ input: 1, cache_write: 3, cache_write_1h: 0 }, 201 + 1000 + 1500 + 100 + 10],
    [{ input: 1, cache_write_1h: 5 }, 201 + 1000 + 500 + 1500 + 100 + 10],
    [{ input: 1, image: 7 }, 201 + 1000 + 800 + 700 + 10],
    [{ input: 1, audio_input: 9 }, 201 + 1000 + 800 + 100 + 90],
    [{ output: 1 }, 50],
    [{ output: 1, audio_output: 11 }, 30 + 220],
    [{ web_search: 5 }, 15_000],
    [{ call: 0.002 }, 2000],
  ])('%j', (prices, millionths) => {
    expect(cost(prices)).toBe(millionths);
  });
});

describe('what other models and images cost', () => {
  const request = (cost: object, model: string, used: object, price: ModelPrice = sitePrice) =>
    upstreamCost(readChannelCost(JSON.stringify(cost)), {
      upstreamModel: model,
      pricing: { model, price, groupRatio: one, quotaPerUnit, measure: undefined },
      used: {
        usage,
        source: 'upstream',
        price,
        charge: priceUsage(usage, price, one, quotaPerUnit),
        ...used,
      } as UsageCharge,
    });
  const others = [{ model: 'helper', usage: { promptTokens: 1000 }, price: sitePrice }];

  it('is by their own prices, or by those of the model', () => {
    const mine = { input: 1, output: 1 };
    expect(request({ models: { mine } }, 'mine', { others })).toBe(1_200_000 * 0.5 + 500_000);
    const models = { mine, helper: { input: 3 } };
    expect(request({ models }, 'mine', { others })).toBe(600_000 + 1_500_000);
  });

  it('is a share of their list prices, or of that of the model', () => {
    const list = { ratio: 1, base: 'list' };
    const alone = request(list, 'gpt-4o', {}) ?? 0;
    // $2.50 per million; $0.15 of the smaller one.
    expect(request(list, 'gpt-4o', { others })).toBe(alone + 1_250_000);
    const small = [{ ...others[0], model: 'gpt-4o-mini' }];
    expect(request(list, 'gpt-4o', { others: small })).toBe(alone + 75_000);
    const drawn = [{ ...others[0], model: 'dall-e-3' }];
    expect(request(list, 'gpt-4o', { others: drawn })).toBe(alone + 1_250_000);
  });

  it('is by the image', () => {
    const images = { count: 3, size: '1024x1024', quality: 'standard' };
    expect(request({ models: { mine: { call: 0.01 } } }, 'mine', { images })).toBe(15_000_000);
    // $0.04 each.
    expect(request({ ratio: 0.5, base: 'list' }, 'dall-e-3', { images })).toBe(30_000_000);
  });
});

describe('a cost that the reply states', () => {
  const stated = { ...usage, statedCost: 0.0123456789 };
  const costOfStated = (cost: object, states = true) =>
    costOf(cost, sitePrice, 'mine', 'mine', stated, states);

  it.each<[string, object, number | undefined]>([
    // 0.0123456789 × 500,000 × 1,000
    ['counts where the channel names none', {}, 6_172_839],
    ['goes before the channel’s prices', { models: { mine: { input: 2 } } }, 6_172_839],
    ['goes before a share of the site’s prices', { ratio: 9, rate: 7.3 }, 6_172_839],
    [
      'is shared where the channel’s cost is of list prices',
      { ratio: 0.5, base: 'list' },
      3_086_420,
    ],
  ])('%s', (_, cost, expected) => {
    expect(costOfStated(cost)).toBe(expected);
  });

  it('is not believed of other vendors', () => {
    expect(costOfStated({}, false)).toBeUndefined();
    expect(costOfStated({ ratio: 0.3 }, false)).toBe(600_000);
  });

  it('is what the vendor bills in each of their ways of saying it', () => {
    const costOfUsage = (raw: object) =>
      usageFromOpenAi({ prompt_tokens: 1, completion_tokens: 1, ...raw })?.statedCost;
    expect(costOfUsage({ cost_in_usd_ticks: 292_331_500 })).toBe(0.02923315);
    expect(costOfUsage({ cost: 0.0042 })).toBe(0.0042);
    expect(costOfUsage({ cost: 0.25, cost_details: { upstream_inference_cost: 0.5 } })).toBe(0.25);
    const owned = { is_byok: true, cost_details: { upstream_inference_cost: 0.5 } };
    expect(costOfUsage({ cost: 0.25, ...owned })).toBe(0.75);
    expect(costOfUsage({ cost: { request_cost: 0.005, total_cost: 0.006 } })).toBe(0.006);
    expect(costOfUsage({ cost: 'much' })).toBeUndefined();
    const message = { input_tokens: 1, output_tokens: 1, cost: 0.0042 };
    expect(usageFromAnthropic(mergeAnthropicUsage({ input_tokens: 1 }, message))?.statedCost).toBe(
      0.0042,
    );
  });
});

describe('a channel’s cost', () => {
  it.each<[string, string]>([
    ['{"ratio":-1}', 'cost.ratio'],
    ['{"ratio":"a third"}', 'cost.ratio'],
    ['{"ratio":1e10}', 'cost.ratio'],
    ['{"rate":7.3}', 'cost.ratio'],
    ['{"ratio":1,"rate":0}', 'cost.rate'],
    ['{"ratio":1,"base":"mine"}', 'cost.base'],
    ['{"ratios":1}', 'cost.ratios'],
    ['{"models":{"a":{"inputs":1}}}', 'cost.models.a.inputs'],
    ['{"models":{"a":{"input":-1}}}', 'cost.models.a.input'],
    ['{"models":{"a":{}}}', 'cost.models.a'],
    ['{"models":{"a":3}}', 'cost.models.a'],
    ['{"models":[]}', 'cost.models'],
  ])('%s is refused, with its place', (text, field) => {
    expect(() => checkChannelCost(text)).toThrow(
      expect.objectContaining({ params: expect.objectContaining({ field }) }),
    );
    expect(readChannelCost(text)).toBeUndefined();
  });

  it('that is no object is refused, and nothing is no cost', () => {
    expect(() => checkChannelCost('[1]')).toThrow('json_object_required');
    expect([readChannelCost(''), readChannelCost('{}')]).toEqual([undefined, undefined]);
  });
});

describe('what a video costs its operator at list prices', () => {
  const whole = { kind: 'call', price: decimal(3) } as const;
  const costOfVideo = (model: string, video?: object) => {
    const charge = priceUsage({}, whole, one, quotaPerUnit);
    return upstreamCost(readChannelCost('{"ratio":0.5,"base":"list"}'), {
      upstreamModel: model,
      pricing: { model, price: whole, groupRatio: one, quotaPerUnit },
      used: { usage: {}, source: 'upstream', price: whole, charge, ...(video && { video }) },
    } as Parameters<typeof upstreamCost>[1]);
  };

  it('goes by its seconds, also where the site sells it at one price', () => {
    // 8 × $0.12 × 0.5
    const video = { seconds: 8, resolution: '1080P' };
    expect(costOfVideo('veo-3.1-fast-generate-001', video)).toBe(240_000_000);
    expect(costOfVideo('my-video', video)).toBeUndefined();
    expect(costOfVideo('veo-3.1-fast-generate-001')).toBeUndefined();
  });
});
