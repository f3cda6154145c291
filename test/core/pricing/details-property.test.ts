/**
 * Random entries of ModelPriceDetails and random usages: what the row explains is what was charged,
 * and no charge is above what was held for as many tokens.
 */
import { describe, expect, it } from 'vitest';
import { decimal } from '../../../src/core/kernel/decimal.ts';
import {
  type BillableUsage,
  type PricedUsage,
  priceUsage,
} from '../../../src/core/pricing/cost.ts';
import type { PriceDetailsEntry } from '../../../src/core/pricing/details.ts';
import { mostQuota } from '../../../src/core/pricing/estimate.ts';
import { explainLog } from '../../../src/core/pricing/explain.ts';
import { findPrice, type RatioPrice } from '../../../src/core/pricing/find-price.ts';
import { otherModelFields, priceFields } from '../../../src/core/pricing/price-fields.ts';
import { buildPriceTables } from '../../../src/core/pricing/tables.ts';
import { fc, runs } from '../../support/property.ts';
import { noPrices } from './default-tables.ts';

const factor = fc.oneof(
  fc.integer({ min: 1, max: 400 }).map((value) => value / 100),
  fc.double({ min: 1e-9, max: 100, noNaN: true }),
  fc.constantFrom(1, 4 / 3, 0.1 + 0.2, 1e-9),
);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const step = fc.record({
  above: fc.integer({ min: 1, max: 5000 }),
  input: factor,
  output: factor,
  cacheRead: maybe(factor),
  cacheWrite: maybe(factor),
});
const tierNames = ['priority', 'flex', 'fast', 'offpeak'] as const;
const toolNames = ['web_search', 'web_search_preview', 'file_search'] as const;

/** Without members that are undefined. */
const given = (value: object) => JSON.parse(JSON.stringify(value)) as never;

const entry: fc.Arbitrary<PriceDetailsEntry> = fc
  .record({
    steps: maybe(fc.array(step, { maxLength: 3 })),
    factors: maybe(fc.dictionary(fc.constantFrom(...tierNames), factor)),
    cacheFactors: maybe(
      fc.dictionary(
        fc.constantFrom(...tierNames),
        fc.record({ read: maybe(factor), write: maybe(factor) }),
      ),
    ),
    longCacheWrite: maybe(factor),
    cachedAudio: maybe(factor),
    cachedImage: maybe(factor),
    thinking: maybe(factor),
    textOutput: maybe(factor),
    tools: maybe(fc.dictionary(fc.constantFrom(...toolNames), factor)),
    peakHours: maybe(fc.constant([{ days: [1], from: 0, to: 60 }])),
  })
  .map(given);

const price: fc.Arbitrary<RatioPrice> = fc
  .record({
    ratio: factor,
    completion: factor,
    cache: factor,
    write: factor,
    image: factor,
    audio: maybe(factor),
    audioOut: factor,
    entry,
  })
  .map(({ ratio, completion, cache, write, image, audio, audioOut, entry: details }) => {
    const tables = buildPriceTables({
      ...noPrices,
      ModelRatio: { m: ratio },
      CompletionRatio: { m: completion },
      CacheRatio: { m: cache },
      CreateCacheRatio: { m: write },
      ImageRatio: { m: image },
      // No model draws and speaks.
      AudioRatio: audio === undefined || details.textOutput !== undefined ? {} : { m: audio },
      AudioCompletionRatio: { m: audioOut },
      ModelPriceDetails: { m: details },
    });
    const found = findPrice('m', tables);
    if (found?.kind !== 'ratio') throw new Error('the model has a price');
    return found;
  });

const tokens = fc.oneof(fc.constant(0), fc.nat(3000));
const usage: fc.Arbitrary<BillableUsage> = fc
  .record({
    promptTokens: fc.nat(8000),
    completionTokens: fc.nat(8000),
    cachedTokens: tokens,
    cachedAudioTokens: tokens,
    cachedImageTokens: tokens,
    cacheWriteTokens: tokens,
    cacheWrite1hTokens: tokens,
    promptImageTokens: tokens,
    promptAudioTokens: tokens,
    completionAudioTokens: tokens,
    completionImageTokens: maybe(tokens),
    reasoningTokens: tokens,
    tiers: maybe(fc.array(fc.constantFrom(...tierNames, 'unknown'), { maxLength: 3 })),
    toolCalls: maybe(fc.dictionary(fc.constantFrom(...toolNames), fc.nat(5))),
  })
  .map(given);

const unit = decimal(500_000);

describe('with all that a price can have besides its ratios', () => {
  it('a row explains its charge exactly', () => {
    const others = maybe(fc.array(fc.record({ model: fc.constantFrom('a', 'b'), usage, price })));
    fc.assert(
      fc.property(price, usage, factor, others, (sold, used, ratio, more) => {
        const groupRatio = decimal(ratio);
        const other: readonly PricedUsage[] | undefined = more;
        const charge = priceUsage(used, sold, groupRatio, unit, other);
        const fields = {
          ...priceFields(used, sold, groupRatio),
          ...otherModelFields(other, groupRatio),
        };
        const ticket = explainLog(
          {
            prompt_tokens: used.promptTokens ?? 0,
            completion_tokens: used.completionTokens ?? 0,
            quota: charge.quota,
            other: given(fields),
          },
          unit,
        );
        expect(ticket?.exact, JSON.stringify(fields)).toBe(true);
      }),
      runs(1500),
    );
  });

  it('a hold for as many tokens covers its charge', () => {
    fc.assert(
      fc.property(price, usage, factor, fc.nat(3000), (sold, used, ratio, spare) => {
        const groupRatio = decimal(ratio);
        const { promptTokens = 0, completionTokens = 0, toolCalls } = used;
        // The hour decides about this one.
        const isKnown = (tier: string) =>
          tier !== 'offpeak' || sold.details?.peakHours === undefined;
        const tiers = used.tiers?.filter(isKnown);
        const media =
          (used.promptImageTokens ?? 0) +
          (used.promptAudioTokens ?? 0) +
          (used.cachedAudioTokens ?? 0) +
          (used.cachedImageTokens ?? 0);
        const mediaTokens = Math.min(media, promptTokens);
        const held = mostQuota(
          {
            promptTokens: promptTokens - mediaTokens + spare,
            mediaTokens,
            outputTokens: completionTokens,
            caching: '1h',
            ...(tiers && { tiers }),
            ...(toolCalls && { toolCalls }),
          },
          sold,
          groupRatio,
          unit,
        );
        expect(priceUsage(used, sold, groupRatio, unit).quota).toBeLessThanOrEqual(held);
      }),
      runs(1500),
    );
  });
});
