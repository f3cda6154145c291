import { describe, expect, it } from 'vitest';
import { decimal, multiply, toText } from '../../../src/core/kernel/decimal.ts';
import { readSecondPrices } from '../../../src/core/pricing/second-prices.ts';
import {
  buildVideoRatios,
  videoRatioEntry,
  videoRatios,
  videoTerms,
} from '../../../src/core/pricing/video-ratios.ts';

const table = buildVideoRatios({
  'wan2.5-t2v-preview': { '480P': 1, '720p': 2, '1080P': 3.3333333333333335 },
  'wan2.6*': { '720P': 1, '1080P': 1.5 },
  'wan*': { '720P': 4 },
});

describe('VideoRatios', () => {
  it.each([
    ['wan2.5-t2v-preview', 10, '720P', '20'],
    ['wan2.5-t2v-preview', 5, '1080P', '16.6666666666666675'],
    ['wan2.6-i2v-flash', 8, '1080P', '12'],
    ['wan2.2-t2v-plus', 5, '720P', '20'],
    // A resolution that is not listed has ratio 1.
    ['wan2.2-t2v-plus', 5, '1080P', '5'],
  ])('%s: %i seconds of %s are %s times the price', (model, seconds, resolution, factor) => {
    const ratios = videoRatios(model, { seconds, resolution }, table);
    expect(toText(Object.values(ratios ?? {}).reduce(multiply))).toBe(factor);
  });

  it('a model without an entry has its price per video', () => {
    expect(videoRatios('my-video', { seconds: 10, resolution: '1080P' }, table)).toBeUndefined();
  });

  it('the longest beginning of a name counts, in whichever order they stand', () => {
    const ratios = { 'w*': { '720P': 2 }, 'wan2.6*': { '720P': 3 }, 'wan*': { '720P': 4 } };
    for (const entries of [Object.entries(ratios), Object.entries(ratios).reverse()]) {
      const built = buildVideoRatios({ ...Object.fromEntries(entries), sora: { '720p': 5 } });
      const of = (model: string) => videoRatioEntry(model, built)?.get('720P');
      expect(['wan2.6-x', 'wan1', 'w', 'sora', 'sora-2', 'my-w'].map(of)).toEqual([
        decimal(3),
        decimal(4),
        decimal(2),
        decimal(5),
        undefined,
        undefined,
      ]);
    }
  });
});

describe('the terms of a video', () => {
  const video = { seconds: 8, resolution: '720P' };
  const price = { kind: 'call', price: decimal('0.5') } as const;

  it('are its price and its ratios, where there are any', () => {
    const { price: own, ratios } = videoTerms('wan2.6-x', video, price, table);
    expect(own).toBe(price);
    expect(ratios).toEqual({ seconds: decimal(8), resolution: decimal(1) });
    expect(videoTerms('my-video', video, price, table)).toStrictEqual({ price });
  });

  it('are a price by the second, whatever the ratios say', () => {
    const perSecond = readSecondPrices({ '720P': 0.1, '1080P': 0.3 }, undefined)?.prices;
    const terms = videoTerms('wan2.6-x', video, { ...price, perSecond }, table);
    expect(terms.price).toEqual({ kind: 'call', price: decimal('0.1') });
    expect(terms.ratios).toEqual({ seconds: decimal(8) });
  });
});
