// Covers src/core/import/onehub/prices.ts, src/core/import/onehub/price-entries.ts
/** The same request costs the same there and here: both sides are computed. */
import { describe, expect, test } from 'vitest';
import type { OldOffer, OldPrice, OldSite } from '../../../src/core/import/onehub/old-site.ts';
import { carryPrices } from '../../../src/core/import/onehub/prices.ts';
import { decimal } from '../../../src/core/kernel/decimal.ts';
import { defaultOptions, parseOption } from '../../../src/core/options/index.ts';
import { catalogueDetails } from '../../../src/core/pricing/catalogue-details.ts';
import { type BillableUsage, priceCalls, priceUsage } from '../../../src/core/pricing/cost.ts';
import { findPrice } from '../../../src/core/pricing/find-price.ts';
import {
  buildPriceTables,
  priceOptionKeys,
  readPriceOptions,
} from '../../../src/core/pricing/tables.ts';
import { type OneHubPrice, type OneHubUsage, oneHubQuota } from '../../support/onehub-database.ts';

const openai = 1;
const anthropic = 14;
const gemini = 25;

const price = (model: string, more: Partial<OldPrice>): OldPrice => ({
  model,
  isPerCall: false,
  channelType: openai,
  input: 1,
  output: 1,
  ratios: {},
  ...more,
});
const offer = (channelType: number, models: Readonly<Record<string, string>>): OldOffer => ({
  channelType,
  models: new Map(Object.entries(models)),
});

function carried(
  prices: readonly OldPrice[],
  offers: readonly OldOffer[],
  set: readonly string[] = [],
) {
  const site: OldSite = {
    options: new Map(),
    groups: [],
    prices,
    offers,
    homes: new Map(),
    gateways: new Map(),
  };
  const { report, options } = carryPrices(site, new Set(set));
  const values = new Map(options.map(({ key, value }) => [key, value]));
  const tables = buildPriceTables(
    readPriceOptions((key) => {
      const value = values.get(key);
      return value === undefined ? defaultOptions()[key] : parseOption(key, value);
    }),
    catalogueDetails,
  );
  const notes = Object.fromEntries(report.notes.map(({ reason, examples }) => [reason, examples]));
  return { report, options, tables, notes };
}

/** The tokens of a reply in our normal form. */
function ours({ prompt, completion, extra = {} }: OneHubUsage): BillableUsage {
  const names: Readonly<Record<string, keyof BillableUsage>> = {
    cached_tokens: 'cachedTokens',
    cached_read_tokens: 'cachedTokens',
    cached_write_tokens: 'cacheWriteTokens',
    input_audio_tokens: 'promptAudioTokens',
    output_audio_tokens: 'completionAudioTokens',
    input_image_tokens: 'promptImageTokens',
    reasoning_tokens: 'reasoningTokens',
  };
  return {
    promptTokens: prompt,
    completionTokens: completion,
    ...Object.fromEntries(
      Object.entries(extra).flatMap(([kind, count]) => {
        const name = names[kind];
        return name === undefined ? [] : [[name, count]];
      }),
    ),
  };
}

function charge(
  tables: ReturnType<typeof carried>['tables'],
  model: string,
  usage: OneHubUsage,
  group: number,
) {
  const found = findPrice(model, tables);
  if (found === undefined) throw new Error(`${model} has no price`);
  const unit = decimal(defaultOptions().QuotaPerUnit);
  return found.kind === 'call'
    ? priceCalls(found.price, 1, decimal(group), unit).quota
    : priceUsage(ours(usage), found, decimal(group), unit).quota;
}

interface Case {
  readonly model: string;
  readonly channel: number;
  readonly price: OneHubPrice;
  readonly usage: OneHubUsage;
}

type Kinds = Readonly<Record<string, number>>;

/** Extra ratios of the price, and what of the tokens is of these kinds. */
const sold = (
  ...[model, channel, input, output, extra_ratios = {}, extra = {}, more = {}]: [
    ...[model: string, channel: number, input: number, output: number],
    ...[ratios?: Kinds, extra?: Kinds, more?: Partial<OneHubUsage & OneHubPrice>],
  ]
): Case => {
  const { type = 'tokens', prompt = 12_345, completion = 678 } = more;
  const price = { type, input, output, extra_ratios };
  return { model, channel, price, usage: { prompt, completion, extra } };
};
const long = { prompt: 400_000, completion: 5_000 };
const cached = { cached_tokens: 9_000 };
const claudes = { cached_read_tokens: 9_000, cached_write_tokens: 300 };
const spoken = { input_audio_tokens: 2_000, output_audio_tokens: 300 };
const drawn = { input_image_tokens: 1_000 };

/** Names of the catalogue beside names that nobody knows: what it says of them must not count. */
const cases: readonly Case[] = [
  sold('house-model', openai, 1.25, 5),
  // A ratio that does not end.
  sold('house-third', openai, 0.3, 1),
  sold('house-free', openai, 0, 0),
  sold('house-embed', openai, 0.01, 0.01, {}, {}, { completion: 0 }),
  // Cached tokens cost what others do unless the price says otherwise.
  sold('gpt-5.2', openai, 0.875, 7, {}, cached),
  sold('gpt-5.2', openai, 0.875, 7, { cached_tokens: 0.1 }, cached),
  sold('gpt-4.1-2025-04-14', openai, 1, 4, { cached_tokens: 0.25 }, cached),
  // No step of the prompt's length there.
  sold('gpt-5.4', openai, 1.25, 7.5, {}, {}, long),
  sold('gemini-2.5-pro', gemini, 0.625, 5, {}, {}, long),
  sold('claude-sonnet-4-5', anthropic, 1.5, 7.5, {}, claudes, long),
  sold(
    ...(['claude-sonnet-4-5', anthropic, 1.5, 7.5] as const),
    ...([{ cached_read_tokens: 0.2, cached_write_tokens: 2 }, claudes] as const),
  ),
  // By a reseller's OpenAI wire, Claude's cached tokens are OpenAI's.
  sold('claude-sonnet-4-5', openai, 1.5, 7.5, {}, cached),
  sold(
    'gemini-2.5-flash',
    gemini,
    0.15,
    0.3,
    { reasoning_tokens: 5.833 },
    { reasoning_tokens: 400 },
  ),
  sold(
    ...(['gpt-4o-audio-preview', openai, 1.25, 5] as const),
    ...([{ input_audio_tokens: 16, output_audio_tokens: 8 }, spoken] as const),
  ),
  // Audio costs what text costs unless the price says otherwise.
  sold('gpt-4o-audio-preview', openai, 1.25, 5, {}, spoken),
  sold(
    ...(['gpt-image-1', openai, 5, 20, { input_text_tokens: 0.5 }] as const),
    { input_text_tokens: 400, ...drawn },
    { prompt: 1_400, completion: 4_160 },
  ),
  sold('house-draws', openai, 1, 4, { input_image_tokens: 1.6 }, drawn),
  sold('house-call', openai, 50, 0, {}, {}, { type: 'times' }),
  sold('house-cents', openai, 0.35, 9, {}, {}, { type: 'times' }),
];

describe('a request costs what it cost there', () => {
  test.each(cases)('$model by channel type $channel, $price', (one) => {
    const row = price(one.model, {
      channelType: one.channel,
      isPerCall: one.price.type === 'times',
      input: one.price.input,
      output: one.price.output,
      ratios: one.price.extra_ratios ?? {},
    });
    const { tables } = carried([row], [offer(one.channel, { [one.model]: one.model })]);
    for (const group of [1, 0.8, 2.35]) {
      const there = oneHubQuota(one.price, one.usage, group);
      // It rounds up, and cuts off each kind of token; here the sum is rounded once.
      const most = Math.max(one.price.input, one.price.output) * group * 2 + 1;
      const here = charge(tables, one.model, one.usage, group);
      expect(Math.abs(here - there), `${here} here, ${there} there`).toBeLessThanOrEqual(most);
      if (Object.keys(one.usage.extra ?? {}).length === 0)
        expect(Math.abs(here - there)).toBeLessThanOrEqual(1);
    }
  });

  test('a cache write that lives for an hour costs what others do', () => {
    const { tables } = carried(
      [price('claude-sonnet-4-5', { channelType: anthropic, input: 1.5, output: 7.5 })],
      [offer(anthropic, { 'claude-sonnet-4-5': 'claude-sonnet-4-5' })],
    );
    const found = findPrice('claude-sonnet-4-5', tables);
    if (found?.kind !== 'ratio') throw new Error('no ratio');
    const usage = {
      promptTokens: 1_000,
      completionTokens: 0,
      cacheWriteTokens: 1_000,
      cacheWrite1hTokens: 1_000,
    };
    const unit = decimal(defaultOptions().QuotaPerUnit);
    expect(priceUsage(usage, found, decimal(1), unit).quota).toBe(1_875);
  });
});

describe('names', () => {
  test('a name that channels map costs what it is mapped to, unless it is marked', () => {
    const { tables, notes } = carried(
      [price('big', { input: 4, output: 4 }), price('cheap', { input: 1, output: 1 })],
      [offer(openai, { cheap: 'big' }), offer(openai, { alias: 'big', own: 'cheap' })],
    );
    const usage = { prompt: 100, completion: 0 };
    expect(charge(tables, 'cheap', usage, 1)).toBe(400);
    expect(charge(tables, 'alias', usage, 1)).toBe(400);
    expect(charge(tables, 'own', usage, 1)).toBe(100);
    expect(notes).toEqual({});
  });

  test('where channels sell a name as several models, it has the highest price', () => {
    const { tables, notes } = carried(
      [price('big', { input: 4, output: 4 }), price('small', { input: 1, output: 1 })],
      [offer(openai, { both: 'small' }), offer(openai, { both: 'big' })],
    );
    expect(charge(tables, 'both', { prompt: 100, completion: 0 }, 1)).toBe(400);
    expect(notes).toEqual({ price_differs: ['both: small, big'] });
  });

  test('where replies count what was cached otherwise, cached tokens have the highest price', () => {
    const name = 'house-model';
    const { tables, notes } = carried(
      [price(name, { channelType: anthropic })],
      [offer(anthropic, { [name]: name }), offer(openai, { [name]: name })],
    );
    const usage = { prompt: 100, completion: 0, extra: { cached_tokens: 100 } };
    expect(charge(tables, name, usage, 1)).toBe(100);
    expect(notes).toEqual({ price_differs: [`${name}: CacheRatio`] });
  });

  test('a price that is beyond our limits is left out and named', () => {
    const { tables, notes } = carried([price('house-model', { input: 2e6, output: 2e6 })], []);
    expect(findPrice('house-model', tables)).toBeUndefined();
    expect(notes).toEqual({ option_entry_dropped: ['ModelRatio house-model'] });
  });

  test('a pattern holds for the names that channels have, the longest one first', () => {
    const { tables, notes, report } = carried(
      [
        price('house-*', { input: 2 }),
        price('house-big-*', { input: 6 }),
        price('house-own', { input: 9 }),
      ],
      [
        offer(openai, {
          'house-a': 'house-a',
          'house-big-a': 'house-big-a',
          'house-own': 'house-own',
        }),
      ],
    );
    const cost = (model: string) => charge(tables, model, { prompt: 100, completion: 0 }, 1);
    expect([cost('house-a'), cost('house-big-a'), cost('house-own')]).toEqual([200, 600, 900]);
    expect(findPrice('house-b', tables)).toBeUndefined();
    expect(notes).toEqual({ price_pattern: ['house-*', 'house-big-*'] });
    expect(report).toMatchObject({ read: 3, carried: 3, leftOut: 0 });
  });

  test('a name without a price costs the default; what no price says is named', () => {
    const { tables, notes, report } = carried(
      [
        price('half-free', { input: 0, output: 2 }),
        price('draws', { ratios: { output_image_tokens: 4 } }),
      ],
      [offer(openai, { unknown: 'unknown' })],
    );
    expect(charge(tables, 'unknown', { prompt: 100, completion: 10 }, 1)).toBe(3_300);
    expect(findPrice('half-free', tables)).toBeUndefined();
    expect(notes).toEqual({
      price_assumed: ['unknown'],
      price_left_out: ['half-free'],
      price_part_left_out: ['draws: output_image_tokens'],
    });
    expect(report).toMatchObject({ read: 2, carried: 1, leftOut: 1 });
  });

  test('every table is written, so that no default of ours remains; a site with prices keeps them', () => {
    const prices = [price('house-model', {})];
    const { options, tables } = carried(prices, []);
    expect(options.map(({ key }) => key).sort()).toEqual(
      priceOptionKeys.filter((key) => !key.startsWith('Group')).sort(),
    );
    expect([...tables.modelRatio.keys()]).toEqual(['house-model']);
    const kept = carried(prices, [], ['CacheRatio']);
    expect(kept.options).toEqual([]);
    expect(kept.report).toMatchObject({ carried: 0, alreadyThere: 1 });
  });
});
