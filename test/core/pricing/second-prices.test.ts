import { describe, expect, it } from 'vitest';
import { toText } from '../../../src/core/kernel/decimal.ts';
import { catalogueDetails } from '../../../src/core/pricing/catalogue-details.ts';
import { findPrice } from '../../../src/core/pricing/find-price.ts';
import { readSecondPrices, secondPrice } from '../../../src/core/pricing/second-prices.ts';
import { buildPriceTables } from '../../../src/core/pricing/tables.ts';

const empty = {
  ModelRatio: {},
  ModelPrice: {},
  CompletionRatio: {},
  CacheRatio: {},
  CreateCacheRatio: {},
  AudioRatio: {},
  AudioCompletionRatio: {},
  ImageRatio: {},
  ModelPriceDetails: {},
  GroupRatio: {},
  GroupGroupRatio: {},
};

describe('prices by the second', () => {
  const known = { '720P': 0.2, '1080p': 0.3, '1080P silent': 0.1 };
  it.each([
    ['720P', false, '0.2'],
    // No price of its own without sound.
    ['720P', true, '0.2'],
    ['1080P', false, '0.3'],
    ['1080P', true, '0.1'],
    // What nobody lists costs the highest.
    ['4K', false, '0.3'],
    ['4K', true, '0.3'],
  ])('%s, silent %s: %s', (resolution, silent, text) => {
    const { prices } = readSecondPrices(known, undefined) ?? { prices: new Map() };
    expect(toText(secondPrice({ seconds: 5, resolution, silent }, prices))).toBe(text);
  });

  it('an own entry replaces the resolutions that it names', () => {
    const { prices, lowest } = readSecondPrices(known, { '1080P': 1, '*': 0.05 }) ?? {};
    expect([...(prices ?? [])].map(([name, price]) => [name, toText(price)])).toEqual([
      ['720P', '0.2'],
      ['1080P', '1'],
      ['1080P SILENT', '0.1'],
      ['*', '0.05'],
    ]);
    expect(lowest && toText(lowest)).toBe('0.05');
    expect(readSecondPrices(undefined, {})).toBeUndefined();
  });
});

describe('which price a video has', () => {
  const model = 'veo-3.1-generate-001';
  const priceOf = (options: Partial<typeof empty>, asked: { perSecond?: boolean } = {}) =>
    findPrice(model, buildPriceTables({ ...empty, ...options }, catalogueDetails), asked);

  it('a price that a site has set stays one for a whole video, whoever set it', () => {
    expect(priceOf({ ModelPrice: { [model]: 0.4 } })).toEqual({
      kind: 'call',
      price: expect.anything(),
    });
    expect(priceOf({ ModelRatio: { [model]: 2 } })?.kind).toBe('ratio');
  });

  it('without one that of the list; a chat has none', () => {
    const price = priceOf({});
    expect(price?.kind === 'call' && [...(price.perSecond?.keys() ?? [])]).toEqual([
      '720P',
      '1080P',
      '4K',
      '*',
    ]);
    expect(priceOf({}, { perSecond: false })).toBeUndefined();
  });
});
