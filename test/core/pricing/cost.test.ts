import { describe, expect, it } from 'vitest';
import {
  add,
  compare,
  decimal,
  multiply,
  roundToInteger,
  subtract,
  toText,
  zero,
} from '../../../src/core/kernel/decimal.ts';
import { maxAmount } from '../../../src/core/kernel/quota.ts';
import { type BillableUsage, priceCalls, priceUsage } from '../../../src/core/pricing/cost.ts';
import { mostQuota } from '../../../src/core/pricing/estimate.ts';
import type { RatioPrice } from '../../../src/core/pricing/find-price.ts';
import { findPrice } from '../../../src/core/pricing/find-price.ts';
import { fc, runs } from '../../support/property.ts';
import { pricesWith } from './default-tables.ts';

const unit = decimal(500_000);
const tables = pricesWith();

function charge(model: string, usage: BillableUsage, groupRatio: number | string = 1) {
  const price = findPrice(model, tables);
  if (price === undefined) throw new Error(`no price: ${model}`);
  return priceUsage(usage, price, decimal(groupRatio), unit);
}

describe('the formula', () => {
  it.each<[string, string, BillableUsage, string, number]>([
    ['prompt and completion', 'gpt-4o', { promptTokens: 1000, completionTokens: 500 }, '1', 3750],
    [
      'the cached part at its ratio',
      'gpt-4o',
      { promptTokens: 1000, cachedTokens: 800, completionTokens: 0 },
      '1',
      750,
    ],
    ['group ratio', 'gpt-4o', { promptTokens: 1000, completionTokens: 500 }, '0.8', 3000],
    [
      'one prompt token is never free',
      'gpt-4o-mini',
      { promptTokens: 1, completionTokens: 0 },
      '1',
      1,
    ],
    ['a free model is free', 'glm-4-flash', { promptTokens: 9000, completionTokens: 9000 }, '1', 0],
    ['a free group is free', 'gpt-4o', { promptTokens: 9000, completionTokens: 9000 }, '0', 0],
    ['no tokens, no charge', 'gpt-4o', { promptTokens: 0, completionTokens: 0 }, '1', 0],
    ['usage that says nothing', 'gpt-4o', {}, '1', 0],
    ['half rounds away from zero', 'gpt-4o', { promptTokens: 2 }, '1', 3],
    ['less than half rounds down', 'gpt-4o', { promptTokens: 1 }, '1', 1],
    [
      'Claude: cache read and write come out of the prompt',
      'claude-sonnet-4-5',
      { promptTokens: 10_000, cachedTokens: 6000, cacheWriteTokens: 3000, completionTokens: 100 },
      '1',
      8775,
    ],
    [
      'an hour of cache costs 1.6 times five minutes',
      'claude-sonnet-4-5',
      { promptTokens: 3000, cacheWriteTokens: 3000, cacheWrite1hTokens: 1000 },
      '1',
      6750,
    ],
    [
      'only the hour part told',
      'claude-sonnet-4-5',
      { promptTokens: 1000, cacheWrite1hTokens: 1000 },
      '1',
      3000,
    ],
    [
      'audio in and out',
      'gpt-4o-audio-preview',
      {
        promptTokens: 1100,
        promptAudioTokens: 100,
        completionTokens: 250,
        completionAudioTokens: 50,
      },
      '1',
      6250,
    ],
    [
      'audio where text and audio cost the same',
      'gpt-4o',
      {
        promptTokens: 1100,
        promptAudioTokens: 100,
        completionTokens: 250,
        completionAudioTokens: 50,
      },
      '1',
      2625,
    ],
    [
      'image tokens',
      'gpt-image-1',
      { promptTokens: 300, promptImageTokens: 200, completionTokens: 10 },
      '1',
      1450,
    ],
    ['per call', 'dall-e-3', { promptTokens: 0, completionTokens: 0 }, '0.5', 10_000],
    [
      'the row of the design',
      'claude-sonnet-4-5',
      { promptTokens: 18_420, cachedTokens: 12_288, completionTokens: 1326 },
      '0.8',
      16_789,
    ],
  ])('%s', (_, model, usage, groupRatio, quota) => {
    expect(charge(model, usage, groupRatio).quota).toBe(quota);
  });

  it('keeps every ratio and every line exact', () => {
    const { lines, raw } = charge(
      'claude-sonnet-4-5',
      { promptTokens: 18_420, cachedTokens: 12_288, completionTokens: 1326 },
      '0.8',
    );
    expect(lines.map(({ kind, count, ratio }) => [kind, count, toText(ratio)])).toEqual([
      ['input', 6132, '1.5'],
      ['cached', 12_288, '0.15'],
      ['output', 1326, '7.5'],
    ]);
    expect(toText(raw)).toBe('16788.96');
  });

  it('does not have the rounding errors of floats', () => {
    // 0.1 + 0.2 in doubles is more than 0.3; 1.5 × 3 tokens × 1.1 is 4.95, its double
    // 4.9500000000000001776.
    expect(toText(charge('claude-sonnet-4-5', { promptTokens: 3 }, '1.1').raw)).toBe('4.95');
    expect(toText(charge('gpt-4o-mini', { promptTokens: 3, completionTokens: 1 }, '0.7').raw)).toBe(
      '0.3675',
    );
  });

  it('accepts impossible counts', () => {
    const vendorSays = {
      promptTokens: 10,
      cachedTokens: 50,
      cacheWriteTokens: -3,
      completionTokens: Number.NaN,
    };
    const { lines } = charge('claude-sonnet-4-5', vendorSays);
    expect(lines.map(({ kind, count }) => [kind, count])).toEqual([['cached', 10]]);
  });

  it('charges several calls', () => {
    const price = decimal('0.04');
    expect(priceCalls(price, 3, decimal(1), unit).quota).toBe(60_000);
    expect(priceCalls(price, 0, decimal(1), unit).quota).toBe(0);
    expect(priceCalls(decimal(0), 3, decimal(1), unit).quota).toBe(0);
    expect(priceCalls(decimal('0.0000001'), 1, decimal(1), unit).quota).toBe(1);
  });
});

const ratio = fc
  .tuple(fc.bigInt(0n, 10n ** 17n), fc.integer({ min: 15, max: 18 }))
  .map(([digits, scale]) => ({ digits, scale }));
const tokens = fc.integer({ min: 0, max: 1_000_000 });
const anyPrice: fc.Arbitrary<RatioPrice> = fc.record(
  {
    kind: fc.constant('ratio' as const),
    modelRatio: fc.constantFrom(
      decimal(0),
      decimal('0.0684931506849315'),
      decimal('1.25'),
      decimal(75),
    ),
    completionRatio: fc.constantFrom(decimal(1), decimal('1.3333333333333333'), decimal(60)),
    cacheRatio: fc.constantFrom(decimal(0), decimal('0.1'), decimal(1)),
    cacheWriteRatio: fc.constant(decimal('1.25')),
    audioRatio: fc.constantFrom(decimal('16.666666666666668'), decimal(2)),
    audioCompletionRatio: fc.constantFrom(decimal(0), decimal(2)),
    imageRatio: fc.constant(decimal(2)),
  },
  {
    requiredKeys: [
      'kind',
      'modelRatio',
      'completionRatio',
      'cacheRatio',
      'cacheWriteRatio',
      'audioCompletionRatio',
      'imageRatio',
    ],
  },
);
const anyUsage: fc.Arbitrary<BillableUsage> = fc.record(
  {
    promptTokens: tokens,
    completionTokens: tokens,
    cachedTokens: tokens,
    cacheWriteTokens: tokens,
    cacheWrite1hTokens: tokens,
    promptAudioTokens: tokens,
    completionAudioTokens: tokens,
    promptImageTokens: tokens,
  },
  { requiredKeys: [] },
);

describe('properties', () => {
  it('lines add up to the charge before rounding, which changes it by at most a half', () => {
    fc.assert(
      fc.property(anyUsage, anyPrice, ratio, (usage, price, groupRatio) => {
        const { lines, raw, quota } = priceUsage(usage, price, groupRatio, unit);
        const sum = lines.reduce(
          (total, line) => add(total, multiply(line.ratio, decimal(line.count))),
          zero,
        );
        expect(compare(multiply(sum, groupRatio), raw)).toBe(0);
        const rounded = Number(roundToInteger(raw));
        const priced =
          lines.length > 0 && compare(multiply(price.modelRatio, groupRatio), zero) > 0;
        expect(quota).toBe(priced ? Math.max(1, rounded) : rounded);
        const distance = subtract(decimal(rounded), raw);
        expect(compare(multiply(distance, distance), decimal('0.25'))).toBeLessThanOrEqual(0);
      }),
      runs(500),
    );
  });

  it('counts every token once', () => {
    fc.assert(
      fc.property(anyUsage, anyPrice, (usage, price) => {
        const counted = priceUsage(usage, price, decimal(1), unit).lines.reduce(
          (total, line) => total + line.count,
          0,
        );
        expect(counted).toBe((usage.promptTokens ?? 0) + (usage.completionTokens ?? 0));
      }),
      runs(500),
    );
  });

  it('more tokens never cost less', () => {
    fc.assert(
      fc.property(
        tokens,
        tokens,
        fc.nat(1000),
        anyPrice,
        (promptTokens, completionTokens, more, price) => {
          const less = priceUsage(
            { promptTokens, completionTokens },
            price,
            decimal('0.8'),
            unit,
          ).quota;
          expect(
            priceUsage(
              { promptTokens: promptTokens + more, completionTokens },
              price,
              decimal('0.8'),
              unit,
            ).quota,
          ).toBeGreaterThanOrEqual(less);
        },
      ),
    );
  });
});

describe('prices by mistake', () => {
  it.each(['1e300', '5e15'])(
    'a ratio of %s charges the largest amount and says what is not charged',
    (ratio) => {
      const price = findPrice('whisper-1', {
        ...tables,
        modelRatio: new Map([['whisper-1', decimal(ratio)]]),
      });
      if (price === undefined) throw new Error('no price');
      const charged = priceUsage({ promptTokens: 10 }, price, decimal(1), unit);
      expect(charged.quota).toBe(maxAmount);
      expect(charged.uncharged).toBe(10 * Number(ratio) - maxAmount);
      const most = {
        promptTokens: 10,
        mediaTokens: 0,
        outputTokens: 5,
        caching: 'none',
        searches: 0,
      } as const;
      expect(mostQuota(most, price, decimal(1), unit)).toBe(maxAmount);
    },
  );

  it('the largest amount is charged whole', () => {
    const price = { kind: 'call', price: decimal(maxAmount) } as const;
    const charged = priceUsage({}, price, decimal(1), decimal(1));
    expect(charged).toMatchObject({ quota: maxAmount });
    expect(charged.uncharged).toBeUndefined();
  });
});
