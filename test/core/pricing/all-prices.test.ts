import { describe, expect, it } from 'vitest';
import { decimal, one, toNumber } from '../../../src/core/kernel/decimal.ts';
import {
  allPrices,
  differingPrices,
  listedPrice,
  priceWords,
} from '../../../src/core/pricing/all-prices.ts';
import { readDetails } from '../../../src/core/pricing/details.ts';
import type { ModelPrice, RatioPrice } from '../../../src/core/pricing/find-price.ts';

const unit = decimal(500_000);
/** $2 per million tokens of input. */
const plain: RatioPrice = {
  kind: 'ratio',
  modelRatio: one,
  completionRatio: decimal(4),
  cacheRatio: decimal('0.5'),
  cacheWriteRatio: decimal('1.25'),
  audioCompletionRatio: one,
  imageRatio: one,
};
const rich: RatioPrice = {
  ...plain,
  audioRatio: decimal(8),
  audioCompletionRatio: decimal(2),
  imageRatio: decimal(3),
  details: readDetails({
    steps: [{ above: 1000, input: 2, output: 1.5 }],
    factors: { priority: 2, flex: 0.5 },
    tools: { web_search: 0.01 },
    longCacheWrite: 2,
    cachedAudio: 0.25,
    cachedImage: 0.5,
    thinking: 6,
    textOutput: 0.5,
  }),
};
const call = { kind: 'call', price: decimal('0.04') } as const;

const numbers = (price: ModelPrice, groupRatio = one) =>
  Object.fromEntries(
    Object.entries(allPrices(price, groupRatio, unit)).map(([name, at]) => [name, toNumber(at)]),
  );

const plainNumbers = { input: 2, output: 8, cache_read: 1, cache_write: 2.5 };

describe('all prices', () => {
  it('of a model are those of its tokens', () => {
    expect(numbers(plain)).toEqual(plainNumbers);
    expect(numbers(plain, decimal('0.5'))).toEqual({
      input: 1,
      output: 4,
      cache_read: 0.5,
      cache_write: 1.25,
    });
    expect(numbers({ ...plain, imageRatio: decimal(3) })).toEqual({
      ...plainNumbers,
      image_input: 6,
    });
    expect(numbers({ ...plain, details: readDetails({ tools: { a: 1 } }) })).toEqual({
      ...plainNumbers,
      tool_a: 1,
    });
  });

  it('and all that it has besides, with the ratio of the group', () => {
    expect(numbers(rich)).toEqual({
      ...plainNumbers,
      audio_input: 16,
      audio_output: 32,
      image_input: 6,
      long_cache_write: 5,
      cached_audio: 4,
      cached_image: 3,
      thinking: 12,
      text_output: 4,
      input_above_1000: 4,
      output_above_1000: 12,
      input_priority: 4,
      input_flex: 1,
      tool_web_search: 0.01,
    });
    expect(numbers(rich, decimal('0.5'))).toMatchObject({ thinking: 6, tool_web_search: 0.005 });
  });

  it('have those of caches above a length and of a tier, where they are apart', () => {
    const details = readDetails({
      steps: [{ above: 1000, input: 2, output: 1, cacheRead: 3, cacheWrite: 4 }],
      factors: { flex: 0.5 },
      cacheFactors: { flex: { read: 0.1, write: 0.2 } },
    });
    expect(numbers({ ...plain, details })).toEqual({
      ...plainNumbers,
      input_above_1000: 4,
      output_above_1000: 8,
      cache_read_above_1000: 3,
      cache_write_above_1000: 10,
      input_flex: 1,
      cache_read_flex: 0.1,
      cache_write_flex: 0.5,
    });
  });

  it('leave out cached audio where audio costs what text costs', () => {
    const { cached_audio: none } = numbers({ ...rich, audioRatio: undefined });
    expect(none).toBeUndefined();
    const { cached_audio: unpriced } = numbers({ ...rich, details: readDetails({ thinking: 6 }) });
    expect(unpriced).toBeUndefined();
  });

  it('of a price by the call are that one', () => {
    expect(numbers(call, decimal('0.5'))).toEqual({ call: 0.02 });
  });
});

describe('the differences of two prices', () => {
  const differences = (from: ModelPrice | undefined, to: ModelPrice | undefined) =>
    differingPrices(from, to, unit).map(({ name, from: before, to: after }) => [
      name,
      before && toNumber(before),
      after && toNumber(after),
    ]);

  it('are none of equal prices, however they were rounded', () => {
    expect(differences(rich, rich)).toEqual([]);
    expect(differences(undefined, undefined)).toEqual([]);
    const third = { ...plain, completionRatio: decimal('4.0000000000001') };
    expect(differences(plain, third)).toEqual([]);
    expect(toNumber(listedPrice(decimal('0.12345678949')))).toBe(0.123456789);
  });

  it('are all prices of a model that had none, or has none now', () => {
    expect(differences(undefined, call)).toEqual([['call', undefined, 0.04]]);
    expect(differences(call, undefined)).toEqual([['call', 0.04, undefined]]);
    expect(differences(call, plain).map(([name]) => name)).toEqual([
      'call',
      'input',
      'output',
      'cache_read',
      'cache_write',
    ]);
  });

  it('name a cache above a length and of a tier only where its share of the cache changed', () => {
    const details = readDetails({
      steps: [{ above: 1000, input: 2, output: 2, cacheRead: 2, cacheWrite: 2 }],
      factors: { flex: 0.5 },
      cacheFactors: { flex: { read: 0.5, write: 0.5 } },
    });
    const from = { ...plain, details };
    const to = { ...from, cacheRatio: decimal('0.25'), cacheWriteRatio: decimal(2) };
    expect(differences(from, to)).toEqual([
      ['cache_read', 1, 0.5],
      ['cache_write', 2.5, 4],
    ]);
  });

  it('name what is relative to another price only where its share changed', () => {
    const dearer = { ...rich, modelRatio: decimal(2) };
    const names = differences(rich, dearer).map(([name]) => name);
    expect(names).toEqual([
      'input',
      'output',
      'cache_read',
      'cache_write',
      'audio_input',
      'audio_output',
      'image_input',
      'cached_audio',
      'cached_image',
      'thinking',
      'text_output',
    ]);
    const { details } = rich;
    if (details === undefined) throw new Error('no details');
    const faster = {
      ...rich,
      details: { ...details, factors: new Map([['priority', { factor: one }]]) },
    };
    expect(differences(rich, faster)).toEqual([
      ['input_priority', 4, 2],
      ['input_flex', 1, undefined],
    ]);
    const longer = { ...rich, details: { ...details, longCacheWrite: one } };
    expect(differences(rich, longer)).toEqual([['long_cache_write', 5, 2.5]]);
  });
});

it.each([
  ['input', 'input', '输入'],
  ['long_cache_write', 'longer cache write', '较长时效的缓存写入'],
  ['call', 'call', '每次'],
  ['input_above_200000', 'input above 200,000 tokens', '输入（超过 200,000 token）'],
  ['output_above_1000', 'output above 1,000 tokens', '输出（超过 1,000 token）'],
  ['cache_read_above_1000', 'cache read above 1,000 tokens', '缓存读取（超过 1,000 token）'],
  ['tool_web_search', 'web search call', 'web search 每次'],
  ['input_priority', 'input at priority', '输入（priority）'],
  ['cache_write_flex', 'cache write at flex', '缓存写入（flex）'],
  ['second_720P', 'second of video in 720P', '每秒 720P 视频'],
  ['second_720P SILENT', 'second of silent video in 720P', '每秒 720P 视频（无声）'],
  ['second_*', 'second of video, other sizes', '每秒其他分辨率视频'],
])('%s is “%s”, or “%s”', (name, en, zh) => {
  expect(priceWords(name, 'en')).toBe(en);
  expect(priceWords(name, 'zh')).toBe(zh);
});
