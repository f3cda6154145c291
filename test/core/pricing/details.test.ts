/** What a price has besides its ratios: steps, tiers, cache lives and tools. */
import { describe, expect, it } from 'vitest';
import { describeModel } from '../../../src/core/catalog/pricing-page.ts';
import { decimal, one, toNumber, toText } from '../../../src/core/kernel/decimal.ts';
import { allPrices, priceWords } from '../../../src/core/pricing/all-prices.ts';
import { type BillableUsage, priceUsage } from '../../../src/core/pricing/cost.ts';
import { readDetails, tiersAt } from '../../../src/core/pricing/details.ts';
import { estimateQuota, mostQuota } from '../../../src/core/pricing/estimate.ts';
import { explainLog } from '../../../src/core/pricing/explain.ts';
import { findPrice, type ModelPrice } from '../../../src/core/pricing/find-price.ts';
import { readGatewayPrices } from '../../../src/core/pricing/gateway-prices.ts';
import { priceFields } from '../../../src/core/pricing/price-fields.ts';
import { explanationSteps } from '../../../src/core/pricing/steps.ts';
import { pricesWith } from './default-tables.ts';

const unit = decimal(500_000);
/** $2 per million of input, so that a plain token is 1 quota. */
const base = { ModelRatio: { m: 1 }, CompletionRatio: { m: 5 }, CacheRatio: { m: 0.1 } };
const steps = [
  { above: 100, input: 2, output: 1.5 },
  { above: 1000, input: 3, output: 2 },
];
const details = {
  steps,
  factors: { priority: 2, flex: 0.5, fast: 6, us: 1.1 },
  longCacheWrite: 2,
  tools: { web_search: 0.01, file_search: 0.0025, container: 0.03 },
};

function priceOf(model: string, changes: Parameters<typeof pricesWith>[0] = {}): ModelPrice {
  const price = findPrice(model, pricesWith(changes));
  if (price === undefined) throw new Error(`no price: ${model}`);
  return price;
}

const mine = priceOf('m', { ...base, ModelPriceDetails: { m: details } });

/** The charge, and the same again from the log row, which must be exact. */
function charged(usage: BillableUsage, price = mine, groupRatio = one) {
  const charge = priceUsage(usage, price, groupRatio, unit);
  const other = JSON.parse(JSON.stringify(priceFields(usage, price, groupRatio)));
  const ticket = explainLog(
    {
      prompt_tokens: usage.promptTokens ?? 0,
      completion_tokens: usage.completionTokens ?? 0,
      quota: charge.quota,
      other,
    },
    unit,
  );
  expect(ticket?.exact).toBe(true);
  expect(ticket?.lines.map((line) => [line.kind, line.count, toNumber(line.ratio)])).toEqual(
    charge.lines.map((line) => [line.kind, line.count, toNumber(line.ratio)]),
  );
  return { quota: charge.quota, other, ticket };
}

describe('a charge by tokens', () => {
  it.each<[string, BillableUsage, number]>([
    ['below every step', { promptTokens: 100, completionTokens: 10 }, 150],
    // (900 + 100 × 0.1) × 2 + 10 × 5 × 1.5
    [
      'is all in its step, cache reads too',
      { promptTokens: 1000, cachedTokens: 100, completionTokens: 10 },
      1895,
    ],
    ['is in the highest step below the prompt', { promptTokens: 1001, completionTokens: 10 }, 3103],
    ['of a dear tier', { promptTokens: 100, completionTokens: 10, tiers: ['priority'] }, 300],
    ['of a cheap tier', { promptTokens: 100, completionTokens: 10, tiers: ['flex'] }, 75],
    // Speed and place are multiplied: 150 × 6 × 1.1.
    [
      'fast and in one place',
      { promptTokens: 100, completionTokens: 10, tiers: ['fast', 'us'] },
      990,
    ],
    ['of a tier without a price', { promptTokens: 100, tiers: ['scale'] }, 100],
    ['of a step and a tier', { promptTokens: 200, tiers: ['priority'] }, 800],
    // 40 × 1.25 + 60 × 2.5
    [
      'with cache writes of both lives',
      { promptTokens: 100, cacheWriteTokens: 100, cacheWrite1hTokens: 60 },
      200,
    ],
    // 10 + (3 × 0.01 + 2 × 0.0025 + 0.03) × 500,000
    [
      'with tools, which have no tiers',
      {
        promptTokens: 10,
        toolCalls: { web_search: 3, file_search: 2, container: 1, unpriced: 9 },
        tiers: ['priority'],
      },
      32_520,
    ],
  ])('%s', (_, usage, quota) => {
    expect(charged(usage).quota).toBe(quota);
  });

  it('says on its row why it was so much', () => {
    const { other, ticket } = charged({
      promptTokens: 200,
      tiers: ['fast', 'scale'],
      toolCalls: { web_search_preview: 1, web_search: 2, file_search: 4 },
    });
    expect(other).toMatchObject({
      price_step: { above: 100, input: 2, output: 1.5 },
      tiers: { fast: 6, scale: null },
      web_search_call_count: 2,
      web_search_price: 10,
      tool_calls: { file_search: { count: 4, price: 0.0025 } },
    });
    if (ticket === undefined) throw new Error('the row has a price');
    expect(explanationSteps(ticket, 'vip').slice(0, 3)).toEqual([
      { step: 'prompt_length', above: 100, input: 2, output: 1.5 },
      { step: 'tier', name: 'fast', factor: 6 },
      { step: 'tier', name: 'scale', factor: null },
    ]);
  });

  it('of a model with nothing besides its ratios is as before, and notes its tier', () => {
    const plain = priceOf('m', base);
    expect(plain).not.toHaveProperty('details');
    const { quota, other } = charged({ promptTokens: 2000, tiers: ['priority'] }, plain);
    expect([quota, other.tiers]).toEqual([2000, { priority: null }]);
  });

  it('cached images cost their own share of images, or what cached text costs', () => {
    const usage = { promptTokens: 100, cachedTokens: 60, cachedImageTokens: 40 };
    const images = { ...base, ImageRatio: { m: 4 } };
    const price = priceOf('m', { ...images, ModelPriceDetails: { m: { cachedImage: 0.25 } } });
    // 40 × 1 + 20 × 0.1 + 40 × 4 × 0.25
    const { quota, other } = charged(usage, price);
    expect(quota).toBe(82);
    expect(other).toMatchObject({ cache_image_tokens: 40, cache_image_ratio: 0.25 });
    expect(charged(usage, priceOf('m', images)).quota).toBe(46);
  });

  it('nothing is added to a price per call', () => {
    const price = { kind: 'call', price: one } as const;
    const usage = { toolCalls: { web_search: 5 }, tiers: ['priority'] };
    expect(priceUsage(usage, price, one, unit).quota).toBe(500_000);
  });
});

describe('the catalogue', () => {
  it.each([
    ['claude-sonnet-4-5', 'web_search', '0.01'],
    ['gpt-5-mini', 'web_search', '0.01'],
    ['o3', 'web_search_preview', '0.01'],
    ['gpt-4.1', 'web_search_preview', '0.025'],
    ['gpt-4.1', 'file_search', '0.0025'],
    ['gpt-4o-search-preview', 'web_search', '0.025'],
    ['gpt-5-search-api', 'web_search', '0.01'],
    ['deepseek-chat', 'web_search', undefined],
  ])('a call of %s: %s costs %s', (model, tool, expected) => {
    const price = priceOf(model, { ModelRatio: { [model]: 1 } });
    const found = price.kind === 'ratio' ? price.details?.tools.get(tool) : undefined;
    expect(found && toText(found)).toBe(expected);
  });

  it('holds for what an operator has priced himself, since it is relative', () => {
    const price = priceOf('gpt-6-sol', { ModelRatio: { 'gpt-6-sol': 7 } });
    expect(charged({ promptTokens: 272_000 }, price).quota).toBe(1_904_000);
    expect(charged({ promptTokens: 272_001 }, price).quota).toBe(3_808_014);
    expect(charged({ promptTokens: 10, tiers: ['flex'] }, price).quota).toBe(35);
    // Twelve hours cost twice what thirty minutes do.
    const usage = { promptTokens: 100, cacheWriteTokens: 100, cacheWrite1hTokens: 100 };
    expect(charged(usage, price).quota).toBe(1750);
  });

  it.each([
    ['gpt-5.5', 100],
    ['gpt-4o', 100],
    ['o3', 100],
    ['gpt-5.6-sol', 125],
    ['gpt-6-sol', 125],
  ])('a cache write of %s is billed since GPT-5.6 only', (model, quota) => {
    const price = priceOf(model, { ModelRatio: { [model]: 1 } });
    expect(charged({ promptTokens: 100, cacheWriteTokens: 100 }, price).quota).toBe(quota);
  });

  it('what an operator writes goes before the catalogue, member by member', () => {
    const price = priceOf('gpt-6-sol', {
      ModelRatio: { 'gpt-6-sol': 1 },
      ModelPriceDetails: { 'gpt-6-sol': { steps: [], tools: { web_search: 0.5 } } },
    });
    expect(charged({ promptTokens: 300_000 }, price).quota).toBe(300_000);
    expect(charged({ promptTokens: 10, tiers: ['priority'] }, price).quota).toBe(20);
    expect(charged({ toolCalls: { web_search: 1, file_search: 1 } }, price).quota).toBe(250_000);
  });

  it('a wildcard name has an entry like any price', () => {
    const price = priceOf('gpt-4-gizmo-x', {
      ModelPrice: {},
      ModelRatio: { 'gpt-4-gizmo-*': 1 },
      ModelPriceDetails: { 'gpt-4-gizmo-*': { factors: { priority: 3 } } },
    });
    expect(charged({ promptTokens: 10, tiers: ['priority'] }, price).quota).toBe(30);
  });
});

describe('holds', () => {
  const most = { mediaTokens: 0, outputTokens: 10, caching: 'none' } as const;

  it.each([
    [100, undefined, 150],
    [101, undefined, 277],
    [101, ['priority'], 554],
    [100, ['flex'], 75],
  ] as const)('for %i tokens in %o', (promptTokens, tiers, quota) => {
    expect(mostQuota({ ...most, promptTokens, tiers }, mine, one, unit)).toBe(quota);
    expect(estimateQuota({ promptTokens, maxOutputTokens: 10, tiers }, mine, one, unit)).toBe(
      quota,
    );
  });

  it('for media in the step of the whole prompt', () => {
    expect(mostQuota({ ...most, promptTokens: 60, mediaTokens: 60 }, mine, one, unit)).toBe(315);
  });

  it('for the longer cache life and for calls of tools', () => {
    const held = { ...most, promptTokens: 100, caching: '1h' } as const;
    expect(mostQuota(held, mine, one, unit)).toBe(300);
    const toolCalls = { web_search: 2 };
    expect(mostQuota({ ...held, toolCalls }, mine, one, unit)).toBe(10_300);
  });
});

describe('cache reads and writes with factors of their own', () => {
  const own = priceOf('m', {
    ...base,
    CreateCacheRatio: { m: 1.25 },
    ModelPriceDetails: {
      m: {
        steps: [{ above: 1000, input: 2, output: 1, cacheRead: 3, cacheWrite: 4 }],
        factors: { flex: 0.5 },
        cacheFactors: { flex: { read: 1 } },
      },
    },
  });
  const usage = { promptTokens: 2000, cachedTokens: 500, cacheWriteTokens: 500 };

  it('are charged by them, and explained from the row', () => {
    // 1,000 × 2 + 500 × 0.1 × 3 + 500 × 1.25 × 4
    expect(charged(usage, own).quota).toBe(4650);
    // 1,000 × 2 × 0.5 + 500 × 0.1 × 3 × 1 + 500 × 1.25 × 4 × 0.5
    expect(charged({ ...usage, tiers: ['flex'] }, own).quota).toBe(2400);
    // Below the step: 500 × 0.5 + 500 × 0.1
    expect(charged({ promptTokens: 1000, cachedTokens: 500, tiers: ['flex'] }, own).quota).toBe(
      300,
    );
  });

  it('are held for: no charge exceeds the hold', () => {
    const most = { promptTokens: 2000, mediaTokens: 0, outputTokens: 0 } as const;
    const held = mostQuota({ ...most, caching: '5m' }, own, one, unit);
    expect(held).toBe(10_000);
    expect(charged({ promptTokens: 2000, cacheWriteTokens: 2000 }, own).quota).toBe(held);
  });

  it('are in the price list, from which another gateway reads them', () => {
    const tables = pricesWith({
      ...base,
      ModelPriceDetails: {
        m: {
          steps: [{ above: 1000, input: 2, output: 1, cacheRead: 3 }],
          factors: { flex: 0.5 },
          cacheFactors: { flex: { read: 1, write: 2 } },
        },
      },
    });
    const row = describeModel('m', [], { prices: tables, videoRatios: new Map() });
    const read = readGatewayPrices(JSON.stringify({ data: [row] }))?.find('m')?.details;
    expect(read).toMatchObject({
      steps: [{ above: 1000, input: 2, output: 1, cacheRead: 3 }],
      cacheFactors: { flex: { read: 1, write: 2 } },
    });
  });

  it('have names of their own in comparisons', () => {
    const named = allPrices(own, one, unit);
    expect(named['cache_read_above_1000'] && toText(named['cache_read_above_1000'])).toBe('0.6');
    expect(named['cache_read_flex'] && toText(named['cache_read_flex'])).toBe('0.2');
    expect(priceWords('cache_read_flex', 'en')).toBe('cache read at flex');
    expect(priceWords('second_1080P SILENT', 'en')).toBe('second of silent video in 1080P');
  });
});

describe('peak hours', () => {
  /** Weekdays from 9 to 12 and from 14 to 18, UTC. */
  const hours = [
    { days: [1, 2, 3, 4, 5], from: 540, to: 720 },
    { days: [1, 2, 3, 4, 5], from: 840, to: 1080 },
  ];
  const read = readDetails({ factors: { offpeak: 0.5 }, peakHours: hours });

  it.each([
    // 2026-11-30 is a Monday.
    ['2026-11-30T08:59:59Z', ['offpeak']],
    ['2026-11-30T09:00:00Z', undefined],
    ['2026-11-30T11:59:59Z', undefined],
    ['2026-11-30T12:00:00Z', ['offpeak']],
    ['2026-11-30T14:00:00Z', undefined],
    ['2026-11-30T18:00:00Z', ['offpeak']],
    ['2026-11-29T10:00:00Z', ['offpeak']],
  ])('at %s the tiers are %o', (time, tiers) => {
    expect(read && tiersAt(undefined, read, Date.parse(time))).toEqual(tiers);
  });

  it('leave other tiers, and a tier of the hour that the reply named', () => {
    const night = Date.parse('2026-11-30T01:00:00Z');
    const day = Date.parse('2026-11-30T10:00:00Z');
    if (read === undefined) throw new Error('no details');
    expect(tiersAt(['priority'], read, night)).toEqual(['priority', 'offpeak']);
    expect(tiersAt(['priority'], read, day)).toEqual(['priority']);
    expect(tiersAt(['offpeak'], read, night)).toEqual(['offpeak']);
  });

  it.each([
    ['2026-11-30T21:59:59Z', ['offpeak']],
    ['2026-11-30T22:00:00Z', undefined],
    ['2026-12-01T01:59:59Z', undefined],
    ['2026-12-01T02:00:00Z', ['offpeak']],
    // A Tuesday's evening is none of Monday's.
    ['2026-12-01T22:00:00Z', ['offpeak']],
    ['2026-11-30T01:00:00Z', ['offpeak']],
  ])('that go on after midnight: at %s the tiers are %o', (time, tiers) => {
    const nights = [{ days: [1], from: 22 * 60, to: 2 * 60 }];
    const details = readDetails({ factors: { offpeak: 0.5 }, peakHours: nights });
    expect(details && tiersAt(undefined, details, Date.parse(time))).toEqual(tiers);
  });

  it.each([
    [{ factors: { offpeak: 0.5 } }],
    [{ factors: { offpeak: 0.5 }, peakHours: [] }],
    [{ factors: { priority: 2 }, peakHours: hours }],
  ])('are none with %j', (entry) => {
    const details = readDetails(entry);
    expect(details?.peakHours).toBeUndefined();
    expect(details && tiersAt(undefined, details, 0)).toBeUndefined();
  });
});

describe('a row of what was charged', () => {
  it('explains both kinds of search', () => {
    const tools = { web_search_preview: 0.025, web_search: 0.01 };
    const price = priceOf('m', { ...base, ModelPriceDetails: { m: { tools } } });
    const usage = { promptTokens: 1, toolCalls: { web_search_preview: 2, web_search: 1 } };
    const { quota } = priceUsage(usage, price, one, unit);
    expect(quota).toBe(1 + 2 * 12_500 + 5000);
    const other = JSON.parse(JSON.stringify(priceFields(usage, price, one)));
    expect(other).toMatchObject({ web_search_call_count: 1, web_search_price: 10 });
    expect(other.tool_calls).toEqual({ web_search_preview: { count: 2, price: 0.025 } });
    const row = { prompt_tokens: 1, completion_tokens: 0, quota, other };
    expect(explainLog(row, unit)?.exact).toBe(true);
  });

  it('has each tier once', () => {
    expect(charged({ promptTokens: 100, tiers: ['priority', 'priority'] }).quota).toBe(200);
  });

  it('has thinking with a price of its own once, of a model that draws', () => {
    const price = priceOf('m', {
      ...base,
      ModelPriceDetails: { m: { thinking: 1, textOutput: 0.1 } },
    });
    const { quota } = charged({ completionTokens: 100, reasoningTokens: 40 }, price);
    // The rest is images.
    expect(quota).toBe(40 + 60 * 5);
  });
});

describe('an entry of the option', () => {
  it('says nothing where it is empty', () => {
    expect(readDetails({})).toBeUndefined();
    expect(readDetails({ steps: [], factors: {}, tools: {}, peakHours: [] })).toBeUndefined();
  });

  it.each(['longCacheWrite', 'cachedAudio', 'cachedImage', 'thinking', 'textOutput'] as const)(
    'may say %s alone',
    (member) => {
      const read = readDetails({ [member]: 0.5 });
      expect(read?.[member] && toText(read[member])).toBe('0.5');
      expect(Object.keys(read ?? {}).sort()).toEqual(['factors', member, 'steps', 'tools'].sort());
    },
  );

  it('has its steps from the longest prompts down', () => {
    const above = (list: readonly number[]) =>
      list.map((at) => ({ above: at, input: 2, output: 2 }));
    const read = readDetails({ steps: above([100, 1000, 10]) });
    expect(read?.steps.map((step) => step.above)).toEqual([1000, 100, 10]);
  });

  it('names the tools that each request calls', () => {
    const read = readDetails({ tools: { search: 0.01 }, alwaysCalled: ['search', 'fetch'] });
    expect(read?.alwaysCalled).toEqual({ search: 1, fetch: 1 });
  });
});
