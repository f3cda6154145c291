/** Log rows read again: as a ticket, and at another price. */
import { describe, expect, it } from 'vitest';
import { decimal, one, toNumber } from '../../../src/core/kernel/decimal.ts';
import type { BillableUsage } from '../../../src/core/pricing/cost.ts';
import { explainLog, repriceLog } from '../../../src/core/pricing/explain.ts';
import { imageFields, priceFields } from '../../../src/core/pricing/price-fields.ts';
import { call, plain, unit } from './sample-prices.ts';

describe('a row at another price', () => {
  const row = (usage: BillableUsage, price = plain) => ({
    prompt_tokens: usage.promptTokens ?? 0,
    completion_tokens: usage.completionTokens ?? 0,
    other: { ...priceFields(usage, price, decimal('0.5')) },
  });

  it('is priced with its own group ratio', () => {
    const usage = { promptTokens: 100, completionTokens: 10 };
    expect(repriceLog(row(usage), { ...plain, modelRatio: decimal(3) }, unit)).toBe(210);
    expect(repriceLog(row(usage), call, unit)).toBe(5000);
  });

  it('is priced by its images, with their factor', () => {
    const order = { count: 3, size: '1024x1792', quality: 'hd' };
    const other = { ...priceFields({}, call, one), ...imageFields('dall-e-3', order, call) };
    const image = { prompt_tokens: 0, completion_tokens: 0, other };
    expect(repriceLog(image, { kind: 'call', price: decimal('0.01') }, unit)).toBe(45_000);
    // Tokens have no price for images that were charged each.
    expect(repriceLog(image, plain, unit)).toBeUndefined();
  });

  it('is not, where it does not say how it was charged', () => {
    expect(repriceLog({ prompt_tokens: 1, completion_tokens: 1, other: {} }, plain, unit)).toBe(
      undefined,
    );
    expect(
      explainLog({ prompt_tokens: 1, completion_tokens: 1, quota: 1, other: {} }, unit),
    ).toBeUndefined();
  });
});

describe('a row that was written elsewhere', () => {
  const explain = (other: Readonly<Record<string, unknown>>, more: object = {}) =>
    explainLog({ prompt_tokens: 10, completion_tokens: 4, quota: 0, other, ...more }, unit);
  const rawOf = (other: Readonly<Record<string, unknown>>) => {
    const raw = explain(other)?.raw;
    return raw && toNumber(raw);
  };
  const kinds = (other: Readonly<Record<string, unknown>>) =>
    explain(other)?.lines.map(({ kind, count, ratio }) => [kind, count, toNumber(ratio)]);

  it('takes 1 for ratios that it leaves out, and 1.25 for cache writes', () => {
    expect(kinds({ model_ratio: 2, cache_creation_tokens: 4, image: 1 })).toEqual([
      ['input', 5, 2],
      ['cacheWrite', 4, 2.5],
      ['image', 1, 2],
      ['output', 4, 2],
    ]);
    expect(explain({ model_ratio: 2 })?.groupRatio).toEqual(one);
  });

  it.each([
    [{ group_ratio: 0.5 }, 0.5],
    [{ group_ratio: 0.5, user_group_ratio: 0.25 }, 0.25],
    [{ group_ratio: 0.5, user_group_ratio: 0 }, 0],
    [{ group_ratio: 0.5, user_group_ratio: -1 }, 0.5],
    [{ group_ratio: '0.5' }, 1],
    [{ group_ratio: Number.NaN }, 1],
  ])('with %j has the group ratio %d', (ratios, expected) => {
    const ticket = explain({ model_ratio: 1, ...ratios });
    expect(ticket && toNumber(ticket.groupRatio)).toBe(expected);
  });

  it('of the Claude route counts its cache beside the prompt', () => {
    const other = { model_ratio: 1, cache_ratio: 0.5, cache_tokens: 6, cache_creation_tokens: 2 };
    expect(kinds({ ...other, claude: true })?.[0]).toEqual(['input', 10, 1]);
    expect(kinds({ ...other, claude: 'yes' })?.[0]).toEqual(['input', 2, 1]);
  });

  it('reads cached audio, thinking and text beside images by their own ratios', () => {
    expect(
      kinds({
        model_ratio: 1,
        cache_tokens: 5,
        cache_ratio: 0.5,
        cache_audio_tokens: 3,
        cache_audio_ratio: 0.25,
        audio_ratio: 8,
        thinking_tokens: 1,
        thinking_ratio: 6,
        completion_ratio: 4,
      }),
    ).toEqual([
      ['input', 5, 1],
      ['cached', 2, 0.5],
      ['cachedAudio', 3, 2],
      ['output', 3, 4],
      ['thinking', 1, 6],
    ]);
    expect(
      kinds({ model_ratio: 1, completion_ratio: 4, text_output_tokens: 1, text_output_ratio: 0.5 }),
    ).toEqual([
      ['input', 10, 1],
      ['output', 3, 4],
      ['textOutput', 1, 2],
    ]);
  });

  it('reads searches and other tools, and leaves out what is malformed', () => {
    expect(
      kinds({
        model_ratio: 0,
        web_search_call_count: 2,
        web_search_price: 10,
        tool_calls: { file_search: { count: 3, price: 0.0025 }, broken: 7, free: { count: 1 } },
      }),
    ).toEqual([
      ['input', 10, 0],
      ['output', 4, 0],
      ['webSearch', 2, 5000],
      ['toolCall', 3, 1250],
    ]);
    expect(kinds({ model_ratio: 0, tool_calls: { a: { count: 1, price: 1 } } })?.[2]).toEqual([
      'toolCall',
      1,
      500_000,
    ]);
  });

  it('reads a step and tiers, which may have no factor', () => {
    const ticket = explain({
      model_ratio: 1,
      price_step: { above: 5, input: 2, output: 3 },
      tiers: { fast: 2, odd: null },
    });
    expect(ticket?.lines.map(({ ratio }) => toNumber(ratio))).toEqual([4, 6]);
    expect(ticket?.scale?.tiers.map(({ name }) => name)).toEqual(['fast', 'odd']);
    expect(explain({ model_ratio: 1 })).not.toHaveProperty('scale');
  });

  it('reads what other models did, by tokens only', () => {
    const other_models = [
      { model: 'b', model_ratio: 3, prompt_tokens: 2, completion_tokens: 1 },
      { model: 'c', model_ratio: 5 },
      { model: 'd', model_price: 1, model_ratio: 0 },
      { model: 'e' },
      7,
    ];
    const lines = explain({ model_ratio: 1, other_models })?.lines ?? [];
    expect(lines.map(({ model, kind, count }) => [model, kind, count])).toEqual([
      [undefined, 'input', 10],
      [undefined, 'output', 4],
      ['b', 'input', 2],
      ['b', 'output', 1],
    ]);
    expect(explain({ model_ratio: 1, other_models: 'none' })?.lines).toHaveLength(2);
  });

  it('of images derives their price from the ratio of the model', () => {
    const images = { model_price: 0.0025, model_ratio: 0, image_count: 3, image_factor: 2 };
    expect(rawOf(images)).toBe(7500);
    expect(rawOf({ ...images, image_model_ratio: 4 })).toBe(30_000);
    const { image_factor: _, ...plainImages } = images;
    expect(rawOf(plainImages)).toBe(3750);
  });

  it('is exact where its figures give what was charged', () => {
    expect(explain({ model_ratio: 1 }, { quota: 14 })?.exact).toBe(true);
    expect(explain({ model_ratio: 1 }, { quota: 15 })).toMatchObject({ exact: false, quota: 15 });
  });
});
