/** Sites of New API that price models by expressions keep their prices. */
import { expect, test } from 'vitest';
import { mapOption } from '../../../src/core/import/mapping/options.ts';
import { Notes } from '../../../src/core/import/notes.ts';
import { carryExpressions } from '../../../src/core/import/price-expressions.ts';
import { parseOption } from '../../../src/core/options/index.ts';
import type { StoredOption } from '../../../src/core/storage/storage.ts';

const sonnet =
  'v1:len <= 200000 ? tier("a", p*3 + c*15 + cr*0.3 + cc*3.75 + cc1h*6) : tier("b", p*6 + c*22.5 + cr*0.6 + cc*7.5 + cc1h*12)';
const seedance = '(tier("在线推理", p * 0 + c * 10)) * (param("service_tier") == "flex" ? 0.5 : 1)';
const options = {
  // What New API leaves in the tables when a model is priced by an expression.
  ModelRatio: { 'my-sonnet': 9, seedance: 1, 'by-ratio': 2 },
  CompletionRatio: { 'my-sonnet': 9 },
  // A video's price there is one for the whole of it here.
  ModelPrice: { 'my-sonnet': 1, 'veo-3.1-generate-preview': 0.4 },
  ImageRatio: { 'my-sonnet': 9 },
  'billing_setting.billing_mode': {
    'my-sonnet': 'tiered_expr',
    seedance: 'tiered_expr',
    'per-call': 'tiered_expr',
    'by-ratio': 'ratio',
    empty: 'tiered_expr',
  },
  'billing_setting.billing_expr': {
    'my-sonnet': sonnet,
    seedance,
    'per-call': 'tier("request", fixed(0.01))',
    'by-ratio': 'tier("old", p * 100)',
    empty: ' ',
  },
  'billing_setting.plugin_billing_expr': { 'kling::kling-v3': 'tier("s", u("seconds"))' },
};

function carry(more: Readonly<Record<string, unknown>> = {}, set: readonly string[] = []) {
  const notes = new Notes();
  const source = new Map(
    Object.entries({ ...options, ...more }).map(([key, value]) => [key, JSON.stringify(value)]),
  );
  const carried = new Map<string, StoredOption>();
  for (const [key, value] of source) {
    const option = mapOption(key, value, notes);
    if (option !== undefined && !set.includes(option.key)) carried.set(option.key, option);
  }
  carryExpressions(source, carried, new Set(set), notes);
  const read = (key: Parameters<typeof parseOption>[0]) =>
    parseOption(key, carried.get(key)?.value ?? '{}') as Readonly<Record<string, unknown>>;
  return { notes: notes.list(), carried, read };
}

test('an expression becomes the entries of its model; old ratios end', () => {
  const { read, notes } = carry();
  expect(read('ModelRatio')).toEqual({ 'my-sonnet': 1.5, 'by-ratio': 2 });
  expect(read('ModelPrice')).toEqual({ 'per-call': 0.01, 'veo-3.1-generate-preview': 0.4 });
  expect(read('CompletionRatio')).toEqual({ 'my-sonnet': 5 });
  expect(read('ImageRatio')).toEqual({});
  expect(read('CacheRatio')['my-sonnet']).toBe(0.1);
  expect(read('CreateCacheRatio')['my-sonnet']).toBe(1.25);
  expect(read('ModelPriceDetails')).toEqual({
    'my-sonnet': {
      steps: [{ above: 200_000, input: 2, output: 1.5 }],
      peakHours: [],
      longCacheWrite: 1.6,
    },
  });
  // A table that the source does not have keeps what it has of other models.
  expect(Object.keys(read('CacheRatio')).length).toBeGreaterThan(100);
  // All that has to be priced by hand is named, and nothing is called unknown.
  expect(notes).toEqual([
    { reason: 'price_expression_unreadable', count: 2, examples: ['kling::kling-v3, seedance'] },
  ]);
});

test('the unit of the source counts, and prices of this site stay', () => {
  expect(carry({ QuotaPerUnit: 1_000_000 }).read('ModelRatio')['my-sonnet']).toBe(3);
  const kept = carry({}, ['CacheRatio']);
  expect(kept.read('ModelRatio')).toEqual(options.ModelRatio);
  expect(kept.carried.has('CacheRatio')).toBe(false);
});
