/**
 * Charges, log rows and explanations of random usages at random prices against the oracle, to the
 * unit.
 */
import { describe, expect, it } from 'vitest';
import { decimal, multiply } from '../../../src/core/kernel/decimal.ts';
import { type BillableUsage, priceCalls, priceUsage } from '../../../src/core/pricing/cost.ts';
import { explainLog, makeTicket } from '../../../src/core/pricing/explain.ts';
import {
  findPrice,
  groupRatioFor,
  specialGroupRatio,
} from '../../../src/core/pricing/find-price.ts';
import {
  imageFactor,
  imageOrder,
  imagePrice,
  priceImages,
} from '../../../src/core/pricing/images.ts';
import { imageFields, priceFields } from '../../../src/core/pricing/price-fields.ts';
import { explanationSteps } from '../../../src/core/pricing/steps.ts';
import { fc, runs } from '../../support/property.ts';
import { pricesWith } from './default-tables.ts';
import { type OracleUsage, oracleForCalls, oracleForTokens } from './oracle.ts';
import { ratioArbitrary, usageArbitrary } from './random-usage.ts';

const units = fc.constantFrom(500_000, 500_000, 1, 1000, 333_333.333333);

function billable(usage: OracleUsage): BillableUsage {
  return {
    promptTokens: usage.prompt,
    completionTokens: usage.completion,
    cachedTokens: usage.cached,
    cacheWriteTokens: usage.written,
    cacheWrite1hTokens: usage.writtenForHour,
    promptImageTokens: usage.image,
    promptAudioTokens: usage.audioIn,
    completionAudioTokens: usage.audioOut,
    toolCalls: { web_search: usage.searches },
  };
}

/** As the row is stored and read again. */
const stored = (fields: object) => JSON.parse(JSON.stringify(fields)) as Record<string, unknown>;

describe('a charge, its log row and its explanation agree with the oracle', () => {
  it('by tokens, with cache, images, audio and searches', () => {
    const prices = fc.record({
      ratio: ratioArbitrary,
      completion: ratioArbitrary,
      cache: ratioArbitrary,
      write: ratioArbitrary,
      image: ratioArbitrary,
      audio: fc.option(ratioArbitrary, { nil: undefined }),
      audioOut: ratioArbitrary,
      // The surcharge follows from the name.
      model: fc.constantFrom('plain', 'claude-mine', 'gpt-5-mine'),
    });
    const groups = fc.record({
      common: ratioArbitrary,
      special: fc.option(ratioArbitrary, { nil: undefined }),
    });
    fc.assert(
      fc.property(prices, groups, units, usageArbitrary, (price, group, unit, usage) => {
        const { model, audio } = price;
        const tables = pricesWith({
          ModelRatio: { [model]: price.ratio },
          CompletionRatio: { [model]: price.completion },
          CacheRatio: { [model]: price.cache },
          CreateCacheRatio: { [model]: price.write },
          ImageRatio: { [model]: price.image },
          AudioRatio: audio === undefined ? {} : { [model]: audio },
          AudioCompletionRatio: { [model]: price.audioOut },
          GroupRatio: { vip: group.common },
          GroupGroupRatio: group.special === undefined ? {} : { own: { vip: group.special } },
        });
        const groupRatio = group.special ?? group.common;
        const searches = model === 'plain' ? 0 : 10;
        const expected = oracleForTokens(
          usage,
          { ...price, searches },
          { groupRatio, quotaPerUnit: unit },
        );

        const found = findPrice(model, tables);
        if (found === undefined) throw new Error('the model has a price');
        const charge = priceUsage(
          billable(usage),
          found,
          groupRatioFor('own', 'vip', tables),
          decimal(unit),
        );
        expect(charge.quota).toBe(expected);

        const other = stored(
          priceFields(
            billable(usage),
            found,
            groupRatioFor('own', 'vip', tables),
            specialGroupRatio('own', 'vip', tables),
          ),
        );
        const row = {
          prompt_tokens: usage.prompt,
          completion_tokens: usage.completion,
          quota: expected,
          other,
        };
        const ticket = explainLog(row, decimal(unit));
        expect(ticket).toMatchObject({
          quota: expected,
          exact: true,
          raw: makeTicket(charge, decimal(unit)).raw,
        });
        if (ticket === undefined) throw new Error('the row has a price');
        expect(explanationSteps(ticket, 'vip').at(-1)).toMatchObject({
          step: 'rounding',
          quota: expected,
        });
      }),
      runs(1500),
    );
  });

  it('per request', () => {
    fc.assert(
      fc.property(
        ratioArbitrary,
        ratioArbitrary,
        units,
        usageArbitrary,
        (price, groupRatio, unit, usage) => {
          const expected = oracleForCalls(price, 1, 1, { groupRatio, quotaPerUnit: unit });
          const found = findPrice(
            'm',
            pricesWith({ ModelPrice: { m: price }, ModelRatio: { m: 3 } }),
          );
          if (found === undefined) throw new Error('the model has a price');
          const charge = priceUsage(billable(usage), found, decimal(groupRatio), decimal(unit));
          expect(charge.quota).toBe(expected);
          const other = stored(priceFields(billable(usage), found, decimal(groupRatio)));
          const row = {
            prompt_tokens: usage.prompt,
            completion_tokens: usage.completion,
            quota: expected,
            other,
          };
          expect(explainLog(row, decimal(unit))).toMatchObject({ quota: expected, exact: true });
        },
      ),
      runs(300),
    );
  });

  it('per image, at a price or by a ratio, with size and quality', () => {
    const orders = fc.record({
      model: fc.constantFrom('dall-e-3', 'some-image-model'),
      count: fc.integer({ min: 1, max: 10 }),
      size: fc.constantFrom(
        ['1024x1024', 1] as const,
        ['256x256', 0.4] as const,
        ['1024x1792', 2] as const,
      ),
      hd: fc.boolean(),
      byRatio: fc.boolean(),
    });
    fc.assert(
      fc.property(
        orders,
        ratioArbitrary,
        ratioArbitrary,
        units,
        ({ model, count, size, hd, byRatio }, value, group, unit) => {
          const better = hd && model === 'dall-e-3' ? (size[1] === 2 ? 1.5 : 2) : 1;
          const site = { groupRatio: group, quotaPerUnit: unit };
          // 0.0025 units per image and ratio.
          const expected = byRatio
            ? oracleForCalls(value, count, 0.0025 * size[1] * better, site)
            : oracleForCalls(value, count, size[1] * better, site);
          const found = findPrice(
            model,
            pricesWith(
              byRatio
                ? { ModelPrice: {}, ModelRatio: { [model]: value } }
                : { ModelPrice: { [model]: value } },
            ),
          );
          if (found === undefined) throw new Error('the model has a price');
          const order = imageOrder(model, {
            count,
            size: size[0],
            ...(hd ? { quality: 'hd' } : {}),
          });
          expect(priceImages(model, found, order, decimal(group), decimal(unit)).quota).toBe(
            expected,
          );
          expect(
            priceCalls(
              multiply(imagePrice(found).price, imageFactor(model, order)),
              count,
              decimal(group),
              decimal(unit),
            ).quota,
          ).toBe(expected);
          const other = stored({
            ...priceFields({}, imagePrice(found), decimal(group)),
            ...imageFields(model, order, found),
          });
          const row = { prompt_tokens: 0, completion_tokens: 0, quota: expected, other };
          expect(explainLog(row, decimal(unit))).toMatchObject({ quota: expected, exact: true });
        },
      ),
      runs(500),
    );
  });
});
