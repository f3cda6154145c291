import { describe, expect, it } from 'vitest';
import { decimal, one, toText } from '../../../src/core/kernel/decimal.ts';
import { estimateCalls } from '../../../src/core/pricing/estimate.ts';
import { explainLog } from '../../../src/core/pricing/explain.ts';
import { findPrice, type ModelPrice } from '../../../src/core/pricing/find-price.ts';
import {
  expectedImageTokens,
  imageFactor,
  imageFactors,
  imageOrder,
  imagePrice,
  isPricedEach,
  priceImages,
} from '../../../src/core/pricing/images.ts';
import { imageFields, priceFields } from '../../../src/core/pricing/price-fields.ts';
import { pricesWith } from './default-tables.ts';

const unit = decimal(500_000);

describe('a request for images', () => {
  it.each([
    ['dall-e-2', {}, { count: 1, size: '1024x1024', quality: '' }],
    ['dall-e-3', {}, { count: 1, size: '1024x1024', quality: 'standard' }],
    ['gpt-image-1', { count: 2 }, { count: 2, size: 'auto', quality: 'auto' }],
    [
      'gpt-image-1',
      { size: '1024x1024', quality: 'low' },
      { count: 1, size: '1024x1024', quality: 'low' },
    ],
  ])('of %s, %j is %j', (model, given, order) => {
    expect(imageOrder(model, given)).toEqual(order);
  });
});

describe('factors of size and quality', () => {
  it.each([
    ['dall-e-2', '256x256', '', '0.8'],
    ['dall-e', '256x256', '', '0.8'],
    ['some-model', '256x256', '', '0.4'],
    ['dall-e-2', '512x512', '', '0.9'],
    ['dall-e-2', '1024x1024', '', '1'],
    ['dall-e-3', '1024x1792', 'standard', '2'],
    ['dall-e-3', '1024x1024', 'hd', '2'],
    ['dall-e-3', '1792x1024', 'hd', '3'],
    ['flux', '1024x1024', 'hd', '1'],
    ['flux', '640x480', '', '1'],
  ])('%s %s %s: %s', (model, size, quality, factor) => {
    expect(toText(imageFactor(model, { count: 1, size, quality }))).toBe(factor);
  });
});

describe('models that report tokens', () => {
  it.each([
    ['1024x1024', 'low', 1, 272],
    ['1536x1024', 'medium', 2, 3136],
    ['1024x1536', 'high', 1, 6240],
    // `auto` counts as the most expensive setting.
    ['auto', 'auto', 1, 6240],
  ])('%s %s × %i takes %i', (size, quality, count, tokens) => {
    expect(expectedImageTokens('gpt-image-1', { size, quality, count })).toBe(tokens);
  });

  it('are not priced per image, unless they have a price per call', () => {
    const ratio = findPrice('gpt-image-1', pricesWith()) as ModelPrice;
    expect(isPricedEach('gpt-image-1', ratio)).toBe(false);
    expect(isPricedEach('gpt-image-1', { kind: 'call', price: one })).toBe(true);
    expect(isPricedEach('painter', ratio)).toBe(true);
    expect(
      expectedImageTokens('painter', { size: 'auto', quality: 'high', count: 1 }),
    ).toBeUndefined();
  });
});

it('a ratio of 1 makes an image cost 0.0025 units', () => {
  const price = findPrice('gpt-4o', pricesWith()) as ModelPrice;
  expect(toText(imagePrice(price).price)).toBe('0.003125');
});

it('the hold covers the whole request, rounded up', () => {
  expect(estimateCalls(decimal('0.0000021'), 3, decimal('0.5'), unit)).toBe(2);
  expect(estimateCalls(decimal('0.04'), 2, one, unit)).toBe(40_000);
});

it('a log row explains what images cost', () => {
  const price = { kind: 'call', price: decimal('0.04') } as const;
  const order = { count: 2, size: '1792x1024', quality: 'hd' };
  const other = {
    ...priceFields({}, price, decimal('0.5')),
    ...imageFields('dall-e-3', order, price),
  };
  const ticket = explainLog({ prompt_tokens: 9, completion_tokens: 0, quota: 60_000, other }, unit);
  expect(ticket?.exact).toBe(true);
  expect(ticket?.lines.map(({ kind, count, price: each }) => [kind, count, toText(each)])).toEqual([
    ['call', 2, '0.12'],
  ]);
});

describe('a prompt that is extended first', () => {
  it('costs more where the catalogue says so, and nothing at models that report tokens', () => {
    expect(imageOrder('z-image', { extended: true })).toMatchObject({ extended: true });
    expect(imageOrder('z-image', { extended: false })).not.toHaveProperty('extended');
    expect(imageOrder('gpt-image-1', { extended: true })).not.toHaveProperty('extended');
    const order = { count: 1, size: '1024x1024', quality: '' };
    expect(toText(imageFactor('z-image', { ...order, extended: true }))).toBe('2');
    expect(toText(imageFactor('z-image', order))).toBe('1');
    expect(toText(imageFactor('flux', { ...order, extended: true }))).toBe('1');
  });
});

it.each([
  [
    'dall-e-3',
    [
      ['256x256', '0.4'],
      ['512x512', '0.45'],
      ['1024x1792', '2'],
      ['1792x1024', '2'],
      ['256x256 hd', '0.8'],
      ['512x512 hd', '0.9'],
      ['1024x1792 hd', '3'],
      ['1792x1024 hd', '3'],
      ['1024x1024 hd', '2'],
    ],
  ],
  [
    'dall-e-2',
    [
      ['256x256', '0.8'],
      ['512x512', '0.9'],
      ['1024x1792', '2'],
      ['1792x1024', '2'],
    ],
  ],
  [
    'z-image',
    [
      ['256x256', '0.4'],
      ['512x512', '0.45'],
      ['1024x1792', '2'],
      ['1792x1024', '2'],
      ['prompt_extend', '2'],
    ],
  ],
])('the factors of %s are listed', (model, factors) => {
  expect([...imageFactors(model)].map(([name, factor]) => [name, toText(factor)])).toEqual(factors);
});

it('images that are priced one by one cost price × factor × count', () => {
  const order = { count: 2, size: '1024x1792', quality: 'hd' };
  const each = { kind: 'call', price: decimal('0.04') } as const;
  expect(priceImages('dall-e-3', each, order, decimal('0.5'), unit).quota).toBe(60_000);
  const ratio = findPrice('gpt-4o', pricesWith()) as ModelPrice;
  expect(priceImages('flux', ratio, { ...order, count: 1 }, one, unit).quota).toBe(3125);
});
