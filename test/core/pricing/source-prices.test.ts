// Covers src/core/pricing/gateway-prices.ts, src/core/pricing/added-prices.ts.
/** Prices as another gateway or a list states them, and those that a site adopts. */
import { describe, expect, it } from 'vitest';
import type { ModelRow } from '../../../src/core/models/schema.ts';
import { withAddedPrices } from '../../../src/core/pricing/added-prices.ts';
import { defaultModelRatio } from '../../../src/core/pricing/defaults.ts';
import { expressionEntries, readGatewayPrices } from '../../../src/core/pricing/gateway-prices.ts';
import {
  cataloguePrices,
  readSource,
  withMargin,
} from '../../../src/core/pricing/source-prices.ts';
import type { PriceOptions } from '../../../src/core/pricing/tables.ts';

const reply = (...rows: readonly object[]) =>
  JSON.stringify({ success: true, data: rows.map((row) => ({ model_name: 'm', ...row })) });
const read = (row: object) => readGatewayPrices(reply(row))?.find('m');

describe("another gateway's prices", () => {
  it.each([
    '',
    'no JSON',
    '[]',
    '{}',
    '{"data":{}}',
    '{"data":[]}',
    '{"data":[1,null,{"name":"m"}]}',
  ])('are not in %j', (text) => {
    expect(readGatewayPrices(text)).toBeUndefined();
  });

  it('are ratios, as far as each is a number', () => {
    expect(
      read({
        quota_type: 0,
        model_ratio: 2,
        model_price: 7,
        completion_ratio: 4,
        cache_ratio: 0,
        create_cache_ratio: 1.25,
        audio_ratio: 8,
        audio_completion_ratio: 2,
        image_ratio: 3,
      }),
    ).toEqual({
      ModelRatio: 2,
      CompletionRatio: 4,
      CacheRatio: 0,
      CreateCacheRatio: 1.25,
      AudioRatio: 8,
      AudioCompletionRatio: 2,
      ImageRatio: 3,
    });
    expect(read({ model_ratio: 1, cache_creation_ratio: 1.5 })).toEqual({
      ModelRatio: 1,
      CreateCacheRatio: 1.5,
    });
    expect(read({ model_ratio: 1, completion_ratio: '4', cache_ratio: -1 })).toEqual({
      ModelRatio: 1,
    });
  });

  it.each([
    [{}],
    [{ model_ratio: '2' }],
    [{ model_ratio: -1 }],
    [{ model_ratio: 2, unpriced: true }],
    [{ quota_type: 1, model_ratio: 2 }],
    [{ quota_type: 1, model_price: 0.1, video_ratios: {} }],
  ])('are none in %j', (row) => {
    expect(read(row)).toBeUndefined();
  });

  it('are by the call', () => {
    expect(read({ quota_type: 1, model_price: 0.1, model_ratio: 2 })).toEqual({ ModelPrice: 0.1 });
    expect(read({ quota_type: 1, model_price: 0 })).toEqual({ ModelPrice: 0 });
  });

  it('are by the second of video at the ratio of each resolution', () => {
    const row = { quota_type: 1, model_price: 0.1, video_ratios: { '720P': 3, '1080P': 'five' } };
    expect(read(row)).toEqual({ details: { perSecond: { '*': 0.1, '720P': 0.3 } } });
    const own = { ...row, video_ratios: { '*': 2, '720P': 0 } };
    expect(read(own)).toEqual({ details: { perSecond: { '*': 0.2, '720P': 0 } } });
  });

  it('have details, where they are well-formed', () => {
    const step = { above: 1000, input: 2, output: 1.5 };
    const hours = { days: [0, 1, 6], from: 0, to: 1440 };
    const details = {
      steps: [step, { ...step, above: 0 }, { ...step, above: 1.5 }, { ...step, input: -1 }, null],
      factors: { priority: 2, flex: 'half' },
      cache_factors: { priority: { read: 2, write: -1 }, flex: { write: 0.5 }, batch: {}, x: 3 },
      tools: { web_search: 0.01 },
      peak_hours: [
        hours,
        ...[[7], [-1], [1, 7], [1.5], ['1']].map((days) => ({ ...hours, days })),
        { ...hours, to: 1441 },
        { ...hours, from: -1 },
        null,
      ],
      long_cache_write_ratio: 1.6,
      cached_audio_ratio: 0.25,
      cached_image_ratio: 0.5,
      thinking_ratio: 3,
      text_output_ratio: null,
    };
    expect(read({ model_ratio: 1, details })?.details).toStrictEqual({
      steps: [step],
      factors: { priority: 2 },
      cacheFactors: { priority: { read: 2 }, flex: { write: 0.5 } },
      tools: { web_search: 0.01 },
      peakHours: [hours],
      longCacheWrite: 1.6,
      cachedAudio: 0.25,
      cachedImage: 0.5,
      thinking: 3,
    });
    const broken = { steps: 3, factors: [], tools: { a: -1 }, peak_hours: [{ days: 1 }] };
    expect(read({ model_ratio: 1, details: broken })).toEqual({ ModelRatio: 1 });
    expect(read({ model_ratio: 1, details: 'none' })).toEqual({ ModelRatio: 1 });
    const cached = [
      { ...step, cache_read: 0.5 },
      { ...step, cache_write: 1.5 },
    ];
    expect(read({ model_ratio: 1, details: { steps: cached } })?.details).toStrictEqual({
      steps: [
        { ...step, cacheRead: 0.5 },
        { ...step, cacheWrite: 1.5 },
      ],
    });
    expect(read({ model_ratio: 1, details: { text_output_ratio: 2 } })?.details).toEqual({
      textOutput: 2,
    });
  });

  it('are expressions, and say where one cannot be read', () => {
    const by = (billing_expr: string) => ({
      billing_mode: 'tiered_expr',
      model_ratio: 9,
      billing_expr,
    });
    const prices = readGatewayPrices(
      reply(by('tier("base", p * 2 + c * 8)'), { model_name: 'n', ...by('p +') }),
    );
    expect(prices?.find('m')).toMatchObject({ ModelRatio: 1, CompletionRatio: 4 });
    expect(prices?.find('n')).toBeUndefined();
    expect([...(prices?.unreadable ?? [])]).toEqual([['n', 'text']]);
    expect(expressionEntries('fixed(0.02)')).toEqual({ ModelPrice: 0.02 });
    expect(expressionEntries('p * 2 + c * 8')).toMatchObject({ details: { peakHours: [] } });
  });
});

describe('a source', () => {
  it('is a gateway, a list, or nothing that is known', () => {
    expect(readSource(reply({ model_ratio: 3 }), '2026-11-28')?.find('m')).toEqual({
      ModelRatio: 3,
    });
    expect(readSource('{"a":1}', '2026-11-28')).toBeUndefined();
  });

  const list = (models: Readonly<Record<string, object>>) =>
    readSource(JSON.stringify(models), '2026-11-28');
  const entry = (provider: string, input: number) => ({
    litellm_provider: provider,
    mode: 'chat',
    input_cost_per_token: input / 1e6,
    output_cost_per_token: (input * 4) / 1e6,
  });

  it("has the vendor's own price before those of others, and of resellers only a single one", () => {
    const own = list({
      'openrouter/openai/gpt-4o': entry('openrouter', 9),
      'azure/gpt-4o': entry('azure', 8),
      'gpt-4o': entry('openai', 2.5),
    });
    expect(own?.find('gpt-4o')).toMatchObject({ ModelRatio: 1.25, CompletionRatio: 4 });
    expect(own?.find('nobody-1')).toBeUndefined();
    const elsewhere = list({
      'groq/x/gpt-4o': entry('groq', 9),
      'openai/y/gpt-4o': entry('openai', 2.5),
    });
    expect(elsewhere?.find('gpt-4o')).toMatchObject({ ModelRatio: 1.25 });
    expect(elsewhere?.find('x/gpt-4o')).toMatchObject({ ModelRatio: 4.5 });
    const others = list({
      'groq/x/made-up-1': entry('groq', 8),
      'openrouter/x/made-up-1': entry('openrouter', 9),
      'azure/made-up-2': entry('azure', 6),
    });
    expect(others?.find('made-up-1')).toBeUndefined();
    expect(list({ 'groq/x/made-up-1': entry('groq', 8) })?.find('made-up-1')).toMatchObject({
      ModelRatio: 4,
    });
    expect(others?.find('made-up-2')).toMatchObject({ ModelRatio: 3 });
  });

  it("has the vendor's price in the list of OpenRouter before that of another vendor", () => {
    const model = (id: string, prompt: string) => ({
      id,
      pricing: { prompt, completion: '0.00001' },
    });
    const data = [model('x-ai/gpt-4o', '0.000009'), model('openai/gpt-4o', '0.0000025')];
    const prices = readSource(JSON.stringify({ data }), '2026-11-28');
    expect(prices?.find('gpt-4o')).toMatchObject({ ModelRatio: 1.25 });
  });

  it('knows the vendor of a name that is not in the catalogue', () => {
    const both = list({
      'openai/y/gpt-4o-2099-01-01': entry('openai', 2.5),
      'groq/x/gpt-4o-2099-01-01': entry('groq', 9),
    });
    expect(both?.find('gpt-4o-2099-01-01')).toMatchObject({ ModelRatio: 1.25 });
  });

  it('says of which models it has a price that cannot be read, and no other', () => {
    const unread = {
      ...entry('openai', 1),
      off_peak_pricing: { windows: [{ hours_utc: 'night' }] },
    };
    const prices = list({
      'x/made-up-1': unread,
      'x/made-up-2': unread,
      'groq/x/made-up-2': entry('groq', 4),
    });
    expect([...(prices?.unreadable ?? [])]).toEqual([
      ['made-up-1', 'request'],
      ['x/made-up-1', 'request'],
    ]);
    expect(prices?.find('made-up-2')).toMatchObject({ ModelRatio: 2 });
  });

  it('may be the catalogue', () => {
    expect(cataloguePrices.find('nobody-1')).toBeUndefined();
    expect(cataloguePrices.find('gpt-4o')).toMatchObject({
      ModelRatio: 1.25,
      CompletionRatio: 4,
      CacheRatio: 0.5,
      ImageRatio: 1,
    });
    expect(Object.keys(cataloguePrices.find('gpt-4o') ?? {})).not.toContain('AudioRatio');
    expect(cataloguePrices.find('gpt-4o')?.details).toMatchObject({ factors: { batch: 0.5 } });
    expect(cataloguePrices.find('gpt-realtime')).toMatchObject({
      AudioRatio: 8,
      AudioCompletionRatio: 2,
    });
    expect(cataloguePrices.find('dall-e-3')).toEqual({ ModelPrice: 0.04 });
    // Which tools a model calls unasked is no price.
    const { details } = cataloguePrices.find('gpt-4o-search-preview') ?? {};
    expect(details).toEqual({ factors: { batch: 0.5 }, tools: { web_search: 0.025 } });
    expect(cataloguePrices.find('sora-2')).toEqual({ details: { perSecond: { '720P': 0.1 } } });
    expect(cataloguePrices.unreadable.size).toBe(0);
  });
});

it('a margin raises prices and leaves what is relative to them', () => {
  const price = {
    ModelRatio: 1.1,
    CompletionRatio: 4,
    details: { thinking: 3, tools: { a: 0.1 } },
  };
  expect(withMargin(price, 1.2)).toEqual({
    ModelRatio: 1.32,
    CompletionRatio: 4,
    details: { thinking: 3, tools: { a: 0.12 } },
  });
  expect(withMargin({ ModelPrice: 0.1 }, 3)).toEqual({ ModelPrice: 0.3 });
  const perSecond = { '*': 0.1, '720P': 0.2 };
  expect(withMargin({ details: { perSecond } }, 3)).toEqual({
    details: { perSecond: { '*': 0.3, '720P': 0.6 } },
  });
  expect(withMargin({ ModelRatio: 1, details: { thinking: 3 } }, 2)).toEqual({
    ModelRatio: 2,
    details: { thinking: 3 },
  });
});

describe('adopted list prices', () => {
  const origin = { vendor: 'openai', source: 'https://example.org/prices', seen: '2026-11-28' };
  const row = (name: string, more: Partial<ModelRow>) => ({ ...origin, name, ...more }) as ModelRow;
  const options = {
    ModelRatio: { set: 9 },
    ModelPrice: { called: 0.5 },
    CompletionRatio: { new: 7 },
    CacheRatio: {},
    CreateCacheRatio: {},
    AudioRatio: {},
    AudioCompletionRatio: {},
    ImageRatio: {},
    ModelPriceDetails: {},
  } as unknown as PriceOptions;
  const price = {
    input: 4,
    output: 8,
    cacheRead: 1,
    audioInput: 8,
    audioOutput: 16,
    imageInput: 2,
  };

  const fill = (given: PriceOptions, rows: readonly ModelRow[], margin?: number) =>
    withAddedPrices(given, { added: { rules: [], rows }, repriced: [] }, { margin });

  it('change nothing where no row has a price', () => {
    expect(fill(options, [row('new', {})])).toBe(options);
  });

  it('fill in what the site has not set, for all names of a model', () => {
    const added = fill(options, [row('free', {}), row('new', { aliases: ['newest'], price })], 1.5);
    expect(added).toEqual({
      ...options,
      ModelRatio: { set: 9, new: 3, newest: 3 },
      CompletionRatio: { new: 7, newest: 2 },
      CacheRatio: { new: 0.25, newest: 0.25 },
      CreateCacheRatio: { new: 1, newest: 1 },
      AudioRatio: { new: 2, newest: 2 },
      AudioCompletionRatio: { new: 2, newest: 2 },
      ImageRatio: { new: 0.5, newest: 0.5 },
    });
    expect(fill(options, [row('new', { price })]).ModelRatio).toEqual({
      set: 9,
      new: 2,
    });
    // The options of the site itself stay as they are.
    expect(options.ModelRatio).toEqual({ set: 9 });
  });

  it('leave models that the site has priced, by tokens or by the call', () => {
    const added = fill(options, [row('set', { price }), row('called', { price })]);
    expect(added).toEqual(options);
  });

  it('take the place of the program’s own price, not of one that the site has set', () => {
    const own = { ...options, ModelRatio: { 'gpt-4o': defaultModelRatio['gpt-4o'] ?? 0 } };
    expect(fill(own, [row('gpt-4o', { price })]).ModelRatio).toEqual({ 'gpt-4o': 2 });
    const others = {
      ...options,
      CacheRatio: { new: 0.3, x: 1 },
      CreateCacheRatio: { new: 1.1, x: 1 },
      AudioRatio: { new: 5, x: 1 },
      AudioCompletionRatio: { new: 6, x: 1 },
      ImageRatio: { new: 7, x: 1 },
    };
    expect(fill(others, [row('new', { price })])).toEqual({
      ...others,
      ModelRatio: { set: 9, new: 2 },
    });
  });

  it('of a model that is free are a ratio of 0 alone', () => {
    const added = fill(options, [row('gift', { price: { input: 0, output: 0 } })]);
    expect(added).toEqual({ ...options, ModelRatio: { set: 9, gift: 0 } });
  });
});
