import { describe, expect, it } from 'vitest';
import { toText } from '../../../src/core/kernel/decimal.ts';
import { seriesName } from '../../../src/core/models/series.ts';
import {
  findPrice,
  groupRatioFor,
  specialGroupRatio,
} from '../../../src/core/pricing/find-price.ts';
import { yuan } from '../../../src/core/pricing/rows.ts';
import type { PriceTables } from '../../../src/core/pricing/tables.ts';
import { pricesWith } from './default-tables.ts';

function ratios(model: string, tables: PriceTables = pricesWith()) {
  const price = findPrice(model, tables);
  if (price?.kind !== 'ratio') throw new Error(`${model} is not priced by ratio`);
  return {
    model: toText(price.modelRatio),
    completion: toText(price.completionRatio),
    cache: toText(price.cacheRatio),
    write: toText(price.cacheWriteRatio),
    audio: price.audioRatio && toText(price.audioRatio),
    audioCompletion: toText(price.audioCompletionRatio),
    image: toText(price.imageRatio),
  };
}

describe('default prices', () => {
  it.each([
    // model, ratio, completion ratio, cache ratio
    ['gpt-4', '15', '2', '1'],
    ['gpt-4-turbo-2024-04-09', '5', '3', '1'],
    ['gpt-4.5-preview', '37.5', '2', '0.5'],
    ['gpt-4o', '1.25', '4', '0.5'],
    ['gpt-4o-2024-05-13', '2.5', '3', '1'],
    ['gpt-4o-mini', '0.075', '4', '0.5'],
    ['gpt-4o-all', '15', '2', '1'],
    ['gpt-4-gizmo-g-2fkFE8rbu', '15', '2', '1'],
    ['gpt-4o-gizmo-g-2fkFE8rbu', '2.5', '3', '1'],
    ['gpt-4.1-nano', '0.05', '4', '0.25'],
    ['gpt-5-mini', '0.125', '8', '0.1'],
    ['gpt-5.4', '1.25', '6', '0.1'],
    ['gpt-5.4-nano', '0.1', '6.25', '0.1'],
    ['gpt-3.5-turbo', '0.25', '3', '1'],
    ['gpt-3.5-turbo-0125', '0.25', '3', '1'],
    ['gpt-3.5-turbo-1106', '0.5', '2', '1'],
    ['gpt-3.5-turbo-16k', '1.5', '1.333333333334', '1'],
    ['o1', '7.5', '4', '0.5'],
    ['o3-mini-high', '0.55', '4', '0.5'],
    ['o4-mini', '0.55', '4', '0.25'],
    ['chatgpt-4o-latest', '2.5', '3', '1'],
    ['whisper-1', '3', '1', '1'],
    ['claude-2', '4', '3', '1'],
    ['claude-instant-1.2', '0.4', '3', '1'],
    ['claude-3-5-sonnet-20241022', '1.5', '5', '0.1'],
    ['claude-3-7-sonnet-20250219-thinking', '1.5', '5', '0.1'],
    ['claude-sonnet-4-5', '1.5', '5', '0.1'],
    ['claude-opus-4-1-20250805', '7.5', '5', '0.1'],
    ['claude-opus-4-6-max', '2.5', '5', '0.1'],
    ['claude-haiku-4-5-20251001', '0.5', '5', '0.1'],
    ['gemini-1.5-pro', '1.25', '4', '1'],
    ['gemini-2.5-pro', '0.625', '8', '0.1'],
    ['gemini-2.5-pro-preview-06-05-thinking-2048', '0.625', '8', '0.1'],
    ['gemini-2.5-flash', '0.15', '8.333333333334', '0.1'],
    ['gemini-2.5-flash-lite-preview-06-17', '0.05', '4', '1'],
    ['gemini-3-pro-preview', '1', '6', '0.1'],
    ['gemini-3-pro-image-preview', '1', '60', '1'],
    ['deepseek-chat', '0.14', '1.5', '0.1'],
    ['command-r-plus', '1.25', '4', '1'],
    ['command-light', '0.15', '2', '1'],
    ['ERNIE-Lite-8K-0308', '0.20547945205479454', '2', '1'],
    ['ERNIE-Tiny-8K', '0.0684931506849315', '1', '1'],
    ['glm-4-flash', '0', '1', '1'],
    ['mistral-large-latest', '0.25', '3', '0.1'],
    ['gpt-image-1', '2.5', '8', '0.25'],
  ])('%s', (model, ratio, completion, cache) => {
    expect(ratios(model, pricesWith({ ModelPrice: {} }))).toMatchObject({
      model: ratio,
      completion,
      cache,
    });
  });

  it('gives yuan prices as the shortest text of the double', () => {
    expect(yuan(0.001)).toBe(0.0684931506849315);
    expect(ratios('ERNIE-4.0-8K').model).toBe(String((0.12 * 500) / 7.3));
  });

  it.each([
    ['gpt-4o-audio-preview', '16', '2'],
    ['gpt-4o-audio-preview-2024-10-01', '40', '2'],
    ['gpt-4o-mini-audio-preview', '66.66666666666667', '2'],
    ['gpt-4o-realtime-preview-2024-10-01', '20', '2'],
    ['gpt-4o-realtime-preview-2024-12-17', '8', '2'],
    ['gpt-4o-mini-realtime-preview-2024-12-17', '16.666666666667', '2'],
    ['tts-1-hd', undefined, '0'],
    ['gpt-4o', undefined, '1'],
  ])('audio of %s', (model, audio, audioCompletion) => {
    expect(ratios(model)).toMatchObject({ audio, audioCompletion });
  });

  it.each([
    ['dall-e-3', '0.04'],
    ['dall-e-2', '0.02'],
    ['mj_imagine', '0.1'],
    ['mj_inpaint', '0'],
    ['gpt-4-gizmo-g-abc', '0.1'],
  ])('%s costs %s per call', (model, units) => {
    const price = findPrice(model, pricesWith());
    expect(price?.kind === 'call' && toText(price.price)).toBe(units);
  });
});

describe('findPrice', () => {
  it('prefers an option to every built-in rule', () => {
    const tables = pricesWith({
      CompletionRatio: { 'gpt-4o': 1.5, 'o1-preview': 0 },
      CacheRatio: { 'gpt-4o': 0.3 },
      CreateCacheRatio: { 'gpt-4o': 2 },
      AudioRatio: { 'gpt-4o': 7 },
      AudioCompletionRatio: { 'gpt-4o': 3 },
      ImageRatio: { 'gpt-4o': 1.1 },
    });
    expect(ratios('gpt-4o', tables)).toEqual({
      model: '1.25',
      completion: '1.5',
      cache: '0.3',
      write: '2',
      audio: '7',
      audioCompletion: '3',
      image: '1.1',
    });
    expect(ratios('o1-preview', tables).completion).toBe('0');
  });

  it('takes the price of the model whose snapshot it is, and before that its own', () => {
    const tables = pricesWith();
    expect(ratios('gpt-4.1-2025-04-14', tables)).toEqual(ratios('gpt-4.1', tables));
    expect(ratios('claude-opus-4-8-20260528-thinking', tables).cache).toBe('0.1');
    expect(ratios('gpt-4o-2024-05-13', tables)).toMatchObject({ model: '2.5', cache: '1' });
    const own = pricesWith({ ModelRatio: { 'gpt-4.1-2025-04-14': 7 } });
    expect(ratios('gpt-4.1-2025-04-14', own)).toMatchObject({ model: '7', cache: '0.25' });
    expect(findPrice('house-model-20260101', tables)).toBeUndefined();
  });

  it('prefers the exact name to the wildcard name', () => {
    const tables = pricesWith({ ModelRatio: { 'gpt-4o-gizmo-g-1': 9, 'gpt-4o-gizmo-*': 2.5 } });
    expect(ratios('gpt-4o-gizmo-g-1', tables).model).toBe('9');
    expect(ratios('gpt-4o-gizmo-g-2', tables).model).toBe('2.5');
  });

  it('needs consent if there is no price', () => {
    const tables = pricesWith();
    expect(findPrice('house-model', tables)).toBeUndefined();
    expect(
      findPrice('house-model', tables, { selfUse: false, acceptUnpriced: false }),
    ).toBeUndefined();
    const assumed = { kind: 'ratio', modelRatio: { digits: 375n, scale: 1 }, assumed: true };
    expect(findPrice('house-model', tables, { acceptUnpriced: true })).toMatchObject(assumed);
    expect(findPrice('house-model', tables, { selfUse: true })).toMatchObject(assumed);
    expect(findPrice('gpt-4o', tables, { selfUse: true })).not.toHaveProperty('assumed');
  });

  it('ignores names of Object.prototype', () => {
    const tables = pricesWith();
    for (const name of ['constructor', '__proto__', 'toString', ''])
      expect(findPrice(name, tables)).toBeUndefined();
  });

  it('caches per price tables, so a changed option takes effect', () => {
    const before = pricesWith();
    expect(findPrice('gpt-4o', before)).toBe(findPrice('gpt-4o', before));
    expect(ratios('gpt-4o', pricesWith({ ModelRatio: { 'gpt-4o': 2 } })).model).toBe('2');
    expect(ratios('gpt-4o', before).model).toBe('1.25');
  });

  it('limits the cache when callers invent names', () => {
    const tables = pricesWith();
    for (let index = 0; index < 12_000; index += 1) findPrice(`invented-${index}`, tables);
    expect(ratios('gpt-4o', tables).model).toBe('1.25');
  });
});

describe('groups', () => {
  const tables = pricesWith({
    GroupRatio: { default: 1, vip: 0.8, free: 0 },
    GroupGroupRatio: { vip: { default: 0.5, free: 0.1 } },
  });
  it.each([
    ['default', 'default', '1'],
    ['default', 'vip', '0.8'],
    ['vip', 'default', '0.5'],
    ['vip', 'vip', '0.8'],
    ['vip', 'free', '0.1'],
    ['default', 'free', '0'],
    ['default', 'removed', '1'],
    ['toString', 'constructor', '1'],
  ])('%s using %s pays × %s', (own, effective, ratio) => {
    expect(toText(groupRatioFor(own, effective, tables))).toBe(ratio);
  });

  it('returns the special ratio alone', () => {
    expect(specialGroupRatio('default', 'vip', tables)).toBeUndefined();
    expect(specialGroupRatio('vip', 'default', tables)).toEqual({ digits: 5n, scale: 1 });
  });
});

it('collapses gizmo names for the log', () => {
  expect(seriesName('gpt-4-gizmo-g-abc')).toBe('gpt-4-gizmo-*');
  expect(seriesName('gpt-4o-gizmo-g-abc')).toBe('gpt-4o-gizmo-*');
  expect(seriesName('gemini-2.5-pro-thinking-1024')).toBe('gemini-2.5-pro-thinking-1024');
});

it('a budget of thinking has the price of its series, else that of its model', () => {
  const name = 'gemini-2.5-flash-preview-thinking-4096';
  const tables = pricesWith({
    ModelRatio: { 'gemini-2.5-flash-thinking-*': 7, 'gemini-2.5-flash': 5, 'gemini-2.5-pro': 3 },
  });
  expect(ratios(name, tables).model).toBe('7');
  expect(ratios('gemini-2.5-pro-thinking-128', tables).model).toBe('3');
});
