/** Prices that a site learned, and which of its own they leave alone (docs/rules/models.md#adopted-prices). */
import { describe, expect, it } from 'vitest';
import type { ModelRow } from '../../../src/core/models/schema.ts';
import { withAddedPrices } from '../../../src/core/pricing/added-prices.ts';
import { defaultModelRatio } from '../../../src/core/pricing/defaults.ts';
import type { PriceOptions } from '../../../src/core/pricing/tables.ts';
import { noPrices as empty } from './default-tables.ts';

const row = (more: Partial<ModelRow>): ModelRow => ({
  name: 'm',
  source: 'https://vendor.example/prices',
  seen: '2026-11-01',
  ...more,
});
const price = {
  input: 4,
  output: 12,
  cacheRead: 1,
  cacheWrite: 5,
  audioInput: 8,
  audioOutput: 16,
  imageInput: 2,
};

type Rows = readonly ModelRow[];
const learn = (rows: Rows, options: Partial<PriceOptions> = {}, margin?: number) =>
  withAddedPrices(
    { ...empty, ...options },
    { added: { rules: [], rows }, repriced: [] },
    { margin },
  );
const reprice = (repriced: Rows, options: Partial<PriceOptions>) =>
  withAddedPrices({ ...empty, ...options }, { added: { rules: [], rows: [] }, repriced });

describe('a model that was learned', () => {
  it('has the same price in dollars whatever the quota of a unit is', () => {
    const sale = { margin: 1.5, quotaPerUnit: 1_000_000 };
    const added = { added: { rules: [], rows: [row({ price })] }, repriced: [] };
    expect(withAddedPrices(empty, added, sale).ModelRatio).toEqual({ m: 6 });
  });

  it('has its list price under each of its names, times the margin', () => {
    const priced = learn([row({ aliases: ['a'], price })], {}, 1.5);
    const both = (value: number) => ({ m: value, a: value });
    expect(priced).toEqual({
      ...empty,
      ModelRatio: both(3),
      CompletionRatio: both(3),
      CacheRatio: both(0.25),
      CreateCacheRatio: both(1.25),
      AudioRatio: both(2),
      AudioCompletionRatio: both(2),
      ImageRatio: both(0.5),
    });
    expect(learn([row({ price })]).ModelRatio).toEqual({ m: 2 });
  });

  it('that the site has priced keeps that price, under the names that it priced', () => {
    const rows = [row({ aliases: ['a'], price: { input: 4, output: 12 } })];
    const called = learn(rows, { ModelPrice: { m: 1 } });
    expect([called.ModelRatio, called.CompletionRatio]).toEqual([{ a: 2 }, { a: 3 }]);
    const own = learn(rows, { ModelRatio: { m: 7 }, CompletionRatio: { a: 9 } });
    expect([own.ModelRatio, own.CompletionRatio]).toEqual([{ m: 7, a: 2 }, { a: 9 }]);
  });

  it('leaves the prices of others as they are', () => {
    const table = { other: 3 };
    const names = Object.keys(empty).filter((name) => /Ratio$/.test(name) && !/Group/.test(name));
    const tables = Object.fromEntries(names.map((name) => [name, table]));
    const priced = learn([row({ price })], { ...tables, ModelPrice: { called: 1 } });
    for (const name of names)
      expect(priced[name as 'ModelRatio']).toEqual({ ...table, m: expect.any(Number) });
    expect(priced.ModelPrice).toEqual({ called: 1 });
  });

  it('that the program priced has what was learned instead', () => {
    const [name = '', ratio = 0] = Object.entries(defaultModelRatio)[0] ?? [];
    const rows = [row({ name, price: { input: 2 * ratio + 2, output: 1 } })];
    expect(learn(rows, { ModelRatio: { [name]: ratio } }).ModelRatio).toEqual({
      [name]: ratio + 1,
    });
    expect(learn(rows).ModelRatio).toEqual({ [name]: ratio + 1 });
    expect(learn(rows, { ModelRatio: { [name]: ratio + 5 } }).ModelRatio[name]).toBe(ratio + 5);
  });

  it('that is sold by the second has those prices, times the margin, but for what the site says', () => {
    const rows = [row({ aliases: ['a'], secondPrices: { '720P': 0.2, '*': 0.4 } })];
    const perSecond = { '720P': 0.3, '*': 0.6 };
    const own = { m: { perSecond: { '*': 9 } }, other: { tools: { x: 1 } } };
    expect(learn(rows, { ModelPriceDetails: own }, 1.5)).toEqual({
      ...empty,
      ModelPriceDetails: { ...own, a: { perSecond } },
    });
  });

  it('without a price changes nothing', () => {
    const options = { ...empty };
    const catalogue = { added: { rules: [], rows: [row({})] }, repriced: [] };
    expect(withAddedPrices(options, catalogue)).toBe(options);
  });
});

describe('a list price that changed on its day', () => {
  const [name = '', ratio = 0] = Object.entries(defaultModelRatio)[0] ?? [];
  const [alias = '', other = 0] = Object.entries(defaultModelRatio)[1] ?? [];
  const rows = [row({ name, aliases: [alias], price: { input: 200, output: 1 } })];

  it('counts under the names that the site sells, without a margin', () => {
    expect(reprice(rows, { ModelRatio: { [name]: ratio, [alias]: other } }).ModelRatio).toEqual({
      [name]: 100,
      [alias]: 100,
    });
    expect(reprice(rows, { ModelRatio: { [name]: ratio } }).ModelRatio).toEqual({ [name]: 100 });
    expect(reprice(rows, { ModelRatio: { [alias]: other } }).ModelRatio).toEqual({ [alias]: 100 });
    expect(reprice(rows, {}).ModelRatio).toEqual({});
  });

  it('leaves the site’s own alone', () => {
    const own = { ModelRatio: { [name]: ratio + 1 } };
    expect(reprice(rows, own).ModelRatio).toEqual(own.ModelRatio);
  });
});
