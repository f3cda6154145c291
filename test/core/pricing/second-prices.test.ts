// Covers src/core/pricing/logged-video.ts
import { describe, expect, it } from 'vitest';
import { decimal, one, toText } from '../../../src/core/kernel/decimal.ts';
import { catalogueDetails } from '../../../src/core/pricing/catalogue-details.ts';
import { explainLog, repriceLog } from '../../../src/core/pricing/explain.ts';
import { findPrice } from '../../../src/core/pricing/find-price.ts';
import { loggedVideo, repriceVideo } from '../../../src/core/pricing/logged-video.ts';
import { pricesByKind } from '../../../src/core/pricing/price-per-million.ts';
import { readSecondPrices, secondPrice } from '../../../src/core/pricing/second-prices.ts';
import { explanationSteps } from '../../../src/core/pricing/steps.ts';
import { buildPriceTables } from '../../../src/core/pricing/tables.ts';
import { noPrices as empty } from './default-tables.ts';

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
    const { lowest: paid } = readSecondPrices({ '480P': 0, '720P': 2, '4K': 3 }, undefined) ?? {};
    expect(paid && toText(paid)).toBe('2');
    const { lowest: free } = readSecondPrices({ '480P': 0 }, undefined) ?? {};
    expect(free && toText(free)).toBe('0');
  });
});

describe('which price a video has', () => {
  const model = 'veo-3.1-generate-001';
  const priceOf = (options: Partial<typeof empty>, requested: { perSecond?: boolean } = {}) =>
    findPrice(model, buildPriceTables({ ...empty, ...options }, catalogueDetails), requested);

  it('a price that a site has set stays one for a whole video, however it was set', () => {
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

describe('the row of a video', () => {
  const unit = decimal(500_000);
  const row = (other: object) => ({
    prompt_tokens: 0,
    completion_tokens: 0,
    quota: 600_000,
    other: { model_ratio: 0, model_price: 0.4, group_ratio: 0.5, ...other },
  });
  const bySecond = row({ ratios: { seconds: 6 }, video_resolution: '1080P silent' });
  const byRatios = row({ ratios: { seconds: 3, resolution: 2 } });
  const whole = { kind: 'call', price: decimal(1) } as const;
  const { prices } = readSecondPrices({ '1080P': 1, '1080P silent': 0.5 }, undefined) ?? {};
  const seconds = { ...whole, ...(prices && { perSecond: prices }) };

  it('is explained by its seconds', () => {
    expect(explainLog(bySecond, unit)).toMatchObject({
      exact: true,
      lines: [{ kind: 'second', count: 6 }],
    });
    expect(explainLog(byRatios, unit)).toMatchObject({
      exact: true,
      lines: [{ kind: 'second', count: 3 }],
    });
    const ticket = explainLog(bySecond, unit);
    const [line] = ticket === undefined ? [] : explanationSteps(ticket, 'vip');
    expect(line).toMatchObject({ kind: 'second', count: 6, per: 'second' });
  });

  it.each([
    // 6 × 0.5 × 0.5 by the second; 1 × 0.5 for the whole video.
    ['by the second', bySecond, 750_000, 250_000],
    // Its resolution is not known; 3 × 1 × 2 × 0.5 by the ratios of the site.
    ['by ratios of the site', byRatios, undefined, 1_500_000],
  ])('priced anew, %s', (_, logged, perSecond, perVideo) => {
    expect(repriceLog(logged, seconds, unit)).toBe(perSecond);
    expect(repriceLog(logged, whole, unit)).toBe(perVideo);
  });
});

describe('what a row says of a video', () => {
  it.each([
    [{}, undefined],
    [{ ratios: 'x' }, undefined],
    [{ ratios: { seconds: '6' } }, undefined],
    [{ ratios: { seconds: 0 } }, undefined],
    [{ ratios: { seconds: -1 } }, undefined],
    [{ ratios: { seconds: 6 } }, { seconds: 6 }],
    [
      { ratios: { seconds: 6, resolution: 2 }, video_resolution: '720P' },
      { seconds: 6, ratio: decimal(2), resolution: '720P' },
    ],
    [{ ratios: { seconds: 6, resolution: '2' }, video_resolution: 7 }, { seconds: 6 }],
  ])('%j', (other, video) => {
    expect(loggedVideo(other)).toEqual(video);
  });

  it.each([
    ['720P', 12_000_000],
    ['720P silent', 6_000_000],
    ['480P', 3_000_000],
  ])('%s is priced anew by its resolution', (resolution, quota) => {
    const { prices } = readSecondPrices({ '480P': 1, '720P': 4, '720P silent': 2 }, {}) ?? {};
    const price = { kind: 'call', price: one, ...(prices && { perSecond: prices }) } as const;
    const video = { seconds: 6, ratio: undefined, resolution };
    expect(repriceVideo(video, price, one, decimal(500_000))).toBe(quota);
  });
});

describe('prices of several resolutions', () => {
  const { prices = new Map(), lowest } = readSecondPrices({ a: 2, b: 5, c: 1, d: 3 }, {}) ?? {};
  it('what is not named costs the highest, and the lowest is known', () => {
    expect(toText(prices.get('*') ?? decimal(0))).toBe('5');
    expect(toText(lowest ?? decimal(0))).toBe('1');
  });
  it('a video is with sound unless it says otherwise', () => {
    const own = new Map([
      ['A', decimal(4)],
      ['A SILENT', decimal(2)],
    ]);
    expect(toText(secondPrice({ seconds: 1, resolution: 'A' }, own))).toBe('4');
    expect(() => secondPrice({ seconds: 1, resolution: 'B' }, own)).toThrow(RangeError);
  });
  it('are in a list by their names, times the ratio of the group', () => {
    const price = { kind: 'call', price: one, perSecond: prices } as const;
    const listed = pricesByKind(price, decimal(2), decimal(500_000));
    expect(Object.entries(listed).map(([name, each]) => [name, each && toText(each)])).toEqual([
      ['second_A', '4'],
      ['second_B', '10'],
      ['second_C', '2'],
      ['second_D', '6'],
      ['second_*', '10'],
    ]);
  });
});
