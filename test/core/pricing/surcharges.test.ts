import { expect, it } from 'vitest';
import { decimal, one, toText } from '../../../src/core/kernel/decimal.ts';
import { priceUsage } from '../../../src/core/pricing/cost.ts';
import { explainLog, priceFields } from '../../../src/core/pricing/explain.ts';
import { findPrice, type ModelPrice } from '../../../src/core/pricing/find-price.ts';
import { searchCount, searchPrice } from '../../../src/core/pricing/surcharges.ts';
import { pricesWith } from './default-tables.ts';

const unit = decimal(500_000);

it.each([
  ['claude-sonnet-4-5', '10'],
  ['gpt-5-mini', '10'],
  ['o3', '10'],
  ['gpt-4o-search-preview', '25'],
  ['gpt-4.1', '25'],
  ['gemini-2.5-pro', undefined],
  ['deepseek-chat', undefined],
])('1,000 searches of %s cost %s', (model, price) => {
  const found = searchPrice(model);
  expect(found === undefined ? undefined : toText(found)).toBe(price);
});

it('models that always search count one search', () => {
  expect([
    searchCount('gpt-4o-search-preview', undefined),
    searchCount('gpt-4o', undefined),
  ]).toEqual([1, undefined]);
  expect(searchCount('gpt-4o-search-preview', 0)).toBe(0);
});

it('searches are a separate line, and the log row explains them', () => {
  const price = findPrice('claude-sonnet-4-5', pricesWith()) as ModelPrice;
  const usage = { promptTokens: 100, completionTokens: 10, webSearchRequests: 2 };
  const charge = priceUsage(usage, price, decimal('0.5'), unit);
  // (100 + 10 × 5) × 1.5 + 2 × 5,000, × 0.5
  expect(charge.quota).toBe(5113);
  expect(charge.lines.map(({ kind, count }) => [kind, count])).toEqual([
    ['input', 100],
    ['output', 10],
    ['webSearch', 2],
  ]);
  const other = priceFields(usage, price, decimal('0.5'));
  expect(other).toMatchObject({ web_search: true, web_search_call_count: 2, web_search_price: 10 });
  const ticket = explainLog(
    { prompt_tokens: 100, completion_tokens: 10, quota: 5113, other: { ...other } },
    unit,
  );
  expect(ticket?.exact).toBe(true);
  expect(toText(ticket?.lines.at(-1)?.price ?? one)).toBe('0.01');
});

it('nothing is added to a price per call', () => {
  const price = { kind: 'call', price: one } as const;
  expect(priceUsage({ webSearchRequests: 5 }, price, one, unit).quota).toBe(500_000);
});
