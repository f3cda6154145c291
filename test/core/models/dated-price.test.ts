// Covers src/core/pricing/price-change.ts
import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../../src/core/config/schema.ts';
import { toNumber } from '../../../src/core/kernel/decimal.ts';
import { ModelCatalogue } from '../../../src/core/models/catalogue.ts';
import { nextChangeOf, priceClock, rowAt } from '../../../src/core/models/dated-price.ts';
import { knownModels } from '../../../src/core/models/known-models.ts';
import { modelRows } from '../../../src/core/models/rows/index.ts';
import type { ModelRow } from '../../../src/core/models/schema.ts';
import { defaultOptions, type OptionValues } from '../../../src/core/options/index.ts';
import { findPrice } from '../../../src/core/pricing/find-price.ts';
import { findListPrice } from '../../../src/core/pricing/list-prices.ts';
import { priceChangeOf } from '../../../src/core/pricing/price-change.ts';
import { cachedPolicy } from '../../../src/core/relay/policy.ts';
import type { OptionStore } from '../../../src/core/site/option-store.ts';
import { createRandom } from '../../../src/demo/random.ts';

afterEach(() => {
  knownModels.replaceAdded({ rules: [], rows: [] });
  knownModels.followClock(priceClock);
});

const model = 'gemini-4-argon';
const change = Date.UTC(2026, 11, 1);
const origin = { source: 'https://vendor.example/prices', seen: '2026-11-01' };
const row = (name: string, from: string, more: Partial<ModelRow> = {}): ModelRow => ({
  name,
  ...origin,
  price: { input: 1, output: 2 },
  ...more,
  nextPrice: { ...origin, from, price: { input: 3, output: 9 } },
});

describe('a price that changes on its day', () => {
  it('is the earlier one until the last millisecond, and the later one from then on, at any time', () => {
    const random = createRandom(12);
    for (let round = 0; round < 500; round += 1) {
      const days = Array.from({ length: 3 }, () => random.between(1, 28));
      const rows = days.map((day, index) =>
        row(`m${index}`, `2027-02-${String(day).padStart(2, '0')}`),
      );
      const midnight = Date.UTC(2027, 1, random.between(1, 28));
      const clock = { time: midnight - random.between(0, 1), now: () => clock.time };
      const catalogue = new ModelCatalogue({ rules: [], rows });
      catalogue.followClock(clock);
      for (let step = 0; step < 6; step += 1) {
        clock.time += random.between(0, 4) * 43_200_000 + random.between(0, 1);
        const { added, repriced } = catalogue;
        const changed = days.flatMap((day, index) =>
          clock.time >= Date.UTC(2027, 1, day) ? [`m${index}`] : [],
        );
        expect(repriced.map(({ name }) => name)).toEqual(changed);
        for (const [index] of days.entries()) {
          const price = catalogue.find(`m${index}`).row?.price;
          expect(price?.input).toBe(changed.includes(`m${index}`) ? 3 : 1);
        }
        expect(catalogue.added).toBe(added);
      }
    }
  });

  it('says when the next one comes', () => {
    const rows = [row('a', '2026-12-01'), row('b', '2027-01-01')];
    expect(nextChangeOf(rows, change - 1)).toBe(change);
    expect(nextChangeOf(rows, change)).toBe(Date.UTC(2027, 0, 1));
    expect(nextChangeOf(rows, Date.UTC(2027, 0, 1))).toBe(Number.POSITIVE_INFINITY);
    const [first] = rows;
    expect(first && rowAt(first, change - 1)).toBe(first);
    expect(first && rowAt(first, change)).toEqual({
      name: 'a',
      ...origin,
      price: { input: 3, output: 9 },
    });
  });

  it('names a source and a day for each of the built-in ones', () => {
    const dated = modelRows.filter(({ nextPrice }) => nextPrice !== undefined);
    expect(dated.map(({ name }) => name)).toContain(model);
    for (const { price, nextPrice } of dated) {
      expect(price).toBeDefined();
      expect(nextPrice?.from.localeCompare(nextPrice.seen)).toBe(1);
    }
  });

  it('counts before what an adopted row says, where that has one', () => {
    const clock = { time: change - 1, now: () => clock.time };
    const catalogue = new ModelCatalogue({ rules: [], rows: [row('a', '2026-12-01')] });
    catalogue.followClock(clock);
    const adopted = row('a', '2026-12-01', { price: { input: 2, output: 4 } });
    catalogue.replaceAdded({ rules: [], rows: [adopted] });
    expect(catalogue.added.rows[0]?.price?.input).toBe(2);
    clock.time = change;
    expect(catalogue.added.rows[0]?.price?.input).toBe(3);
    expect(catalogue.repriced).toEqual([]);
  });
});

describe('what a request costs', () => {
  const clock = { time: 0, now: () => clock.time };
  const policyWith = (options: Partial<OptionValues>) => {
    const values = { ...defaultOptions(), ...options };
    const store = { values: () => values, get: (key: keyof OptionValues) => values[key] };
    return cachedPolicy(store as unknown as OptionStore, {} as Config);
  };
  const at = (time: number) => {
    clock.time = time;
    knownModels.followClock(clock);
  };
  const ratioIn = (policy: ReturnType<typeof policyWith>) => {
    const price = findPrice(model, policy().prices);
    return price?.kind === 'ratio' ? toNumber(price.modelRatio) : undefined;
  };

  it('is the price of its second, for the site and by list, without a restart', () => {
    at(change - 1000);
    const policy = policyWith({});
    const before = policy();
    expect(ratioIn(policy)).toBe(1);
    expect(priceChangeOf(model, findPrice(model, before.prices))).toEqual({
      from: '2026-12-01',
      model_ratio: 2,
      completion_ratio: 5,
    });
    clock.time = change - 1;
    expect(policy()).toBe(before);
    clock.time = change;
    expect(ratioIn(policy)).toBe(2);
    expect(policy()).not.toBe(before);
    expect(policy()).toBe(policy());
    const listed = findListPrice(model);
    expect(listed?.kind === 'ratio' && toNumber(listed.modelRatio)).toBe(2);
    expect(priceChangeOf(model, listed)).toBeUndefined();
  });

  it('stays what an operator has set, and nothing where a table does not have the model', () => {
    at(change - 1);
    const tables = defaultOptions().ModelRatio;
    const own = policyWith({ ModelRatio: { ...tables, [model]: 1.5 } });
    const { [model]: _, ...without } = tables;
    const older = policyWith({ ModelRatio: without });
    const perCall = policyWith({ ModelPrice: { [model]: 0.25 } });
    for (const time of [change - 1, change, change + 86_400_000]) {
      clock.time = time;
      expect(ratioIn(own)).toBe(1.5);
      expect(priceChangeOf(model, findPrice(model, own().prices))).toBeUndefined();
      expect(findPrice(model, older().prices)).toBeUndefined();
      expect(findPrice(model, perCall().prices)?.kind).toBe('call');
      for (const { prices } of [older(), perCall()])
        expect(priceChangeOf(model, findPrice(model, prices))).toBeUndefined();
      // A name that only the operator knows.
      expect(priceChangeOf('own-model', findPrice(model, own().prices))).toBeUndefined();
    }
  });
});
