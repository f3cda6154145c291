/** What the log row of a charge says of it. */
import { describe, expect, it } from 'vitest';
import { decimal, one } from '../../../src/core/kernel/decimal.ts';
import type { BillableUsage } from '../../../src/core/pricing/cost.ts';
import type { RatioPrice } from '../../../src/core/pricing/find-price.ts';
import {
  imageFields,
  otherModelFields,
  type PriceFields,
  priceFields,
  realtimeFields,
} from '../../../src/core/pricing/price-fields.ts';
import { call, drawing, plain, rich } from './sample-prices.ts';

const none = { group_ratio: 0.5, user_group_ratio: -1 };
const fieldsOf = (usage: BillableUsage, price: RatioPrice) =>
  priceFields(usage, price, decimal('0.5'));
const base: PriceFields = {
  model_ratio: 1,
  model_price: -1,
  completion_ratio: 4,
  ...none,
  cache_tokens: 0,
  cache_ratio: 0.5,
};

describe('the fields of a row', () => {
  it('have the ratios, and counts only of what there was', () => {
    expect(fieldsOf({}, plain)).toEqual(base);
    expect(fieldsOf({ promptTokens: 9, completionTokens: 9, reasoningTokens: 9 }, plain)).toEqual(
      base,
    );
    expect(fieldsOf({}, rich)).toEqual(base);
    expect(priceFields({}, plain, decimal('0.5'), decimal('0.25'))).toEqual({
      ...base,
      user_group_ratio: 0.25,
    });
  });

  it.each<[string, BillableUsage, RatioPrice, Partial<PriceFields>]>([
    ['cache reads', { cachedTokens: 7 }, plain, { cache_tokens: 7 }],
    [
      'cache writes',
      { cacheWriteTokens: 7 },
      plain,
      { cache_creation_tokens: 7, cache_creation_ratio: 1.5 },
    ],
    [
      'cache writes of the longer life, at the usual factor',
      { cacheWrite1hTokens: 5 },
      plain,
      {
        cache_creation_tokens: 5,
        cache_creation_ratio: 1.5,
        cache_creation_tokens_1h: 5,
        cache_creation_ratio_1h: 2.4,
      },
    ],
    [
      'cache writes of the longer life, at a factor of the model',
      { cacheWriteTokens: 7, cacheWrite1hTokens: 5 },
      rich,
      {
        cache_creation_tokens: 7,
        cache_creation_ratio: 1.5,
        cache_creation_tokens_1h: 5,
        cache_creation_ratio_1h: 3,
        cache_creation_factor_1h: 2,
      },
    ],
    [
      'cached audio',
      { cachedTokens: 7, cachedAudioTokens: 3 },
      rich,
      { cache_tokens: 7, cache_audio_tokens: 3, cache_audio_ratio: 0.25, audio_ratio: 8 },
    ],
    ['cached audio at the price of text', { cachedAudioTokens: 3 }, plain, {}],
    [
      'cached images',
      { cachedTokens: 7, cachedImageTokens: 2 },
      rich,
      { cache_tokens: 7, cache_image_tokens: 2, cache_image_ratio: 0.125, image_ratio: 3 },
    ],
    ['cached images at the price of text', { cachedImageTokens: 2 }, plain, {}],
    [
      'thinking',
      { completionTokens: 9, reasoningTokens: 4 },
      rich,
      { thinking_tokens: 4, thinking_ratio: 6 },
    ],
    ['images', { promptImageTokens: 6 }, plain, { image: 6, image_ratio: 3 }],
    [
      'text beside images',
      { completionTokens: 9, completionImageTokens: 7 },
      drawing,
      { text_output_tokens: 2, text_output_ratio: 0.5 },
    ],
    [
      'thinking beside images that are not counted',
      { completionTokens: 9, reasoningTokens: 4 },
      drawing,
      { text_output_tokens: 4, text_output_ratio: 0.5 },
    ],
    ['no text beside images', {}, drawing, { text_output_tokens: 0, text_output_ratio: 0.5 }],
    [
      'audio',
      { promptTokens: 20, promptAudioTokens: 6, completionTokens: 9, completionAudioTokens: 2 },
      rich,
      {
        audio: true,
        audio_input: 6,
        audio_output: 2,
        text_input: 14,
        text_output: 7,
        audio_ratio: 8,
        audio_completion_ratio: 2,
      },
    ],
    [
      'audio of one side, more of it than the whole',
      { promptTokens: 5, promptAudioTokens: 6 },
      rich,
      {
        audio: true,
        audio_input: 6,
        audio_output: 0,
        text_input: 0,
        text_output: 0,
        audio_ratio: 8,
        audio_completion_ratio: 2,
      },
    ],
    ['audio at the price of text', { promptTokens: 9, promptAudioTokens: 6 }, plain, {}],
    [
      'searches, and other tools',
      { toolCalls: { web_search: 2, web_search_preview: 4, file_search: 3, unpriced: 5 } },
      rich,
      {
        web_search: true,
        web_search_call_count: 2,
        web_search_price: 10,
        tool_calls: {
          web_search_preview: { count: 4, price: 0.02 },
          file_search: { count: 3, price: 0.0025 },
        },
      },
    ],
    ['tools that were not called', { toolCalls: { web_search: 0, file_search: 0 } }, rich, {}],
    ['tools without prices', { toolCalls: { web_search: 2 } }, plain, {}],
  ])('of %s', (_, usage, price, fields) => {
    expect(fieldsOf(usage, price)).toEqual({ ...base, ...fields });
  });

  it('of a price by the call have no ratios, and say what was cached', () => {
    const fixed = { model_ratio: 0, model_price: 0.02, completion_ratio: 0, ...none };
    expect(priceFields({ promptTokens: 9 }, call, decimal('0.5'))).toEqual(fixed);
    expect(priceFields({ cachedTokens: 4, cacheWriteTokens: 3 }, call, decimal('0.5'))).toEqual({
      ...fixed,
      cache_tokens: 4,
      cache_creation_tokens: 3,
    });
  });

  it('of other models stand apart', () => {
    const usage = { promptTokens: 5, completionTokens: 3 };
    expect(otherModelFields(undefined, one)).toEqual({});
    expect(
      otherModelFields(
        [
          { model: 'a', usage, price: plain },
          { model: 'b', usage: {}, price: plain },
        ],
        decimal('0.5'),
      ),
    ).toEqual({
      other_models: [
        { model: 'a', prompt_tokens: 5, completion_tokens: 3, ...base },
        { model: 'b', prompt_tokens: 0, completion_tokens: 0, ...base },
      ],
    });
  });

  it('of a realtime session split audio from text even where there was none', () => {
    expect(realtimeFields({ promptTokens: 5, completionTokens: 3 }, rich)).toEqual({
      ws: true,
      audio_input: 0,
      audio_output: 0,
      text_input: 5,
      text_output: 3,
      audio_ratio: 8,
      audio_completion_ratio: 2,
    });
    expect(realtimeFields({ promptTokens: 5 }, plain)).toEqual({ ws: true });
    expect(realtimeFields({ promptTokens: 5 }, call)).toEqual({ ws: true });
  });

  it('of images say count, size and quality, and the ratio of a model that has one', () => {
    expect(imageFields('dall-e-3', { count: 2, size: '1024x1792', quality: 'hd' }, call)).toEqual({
      image_count: 2,
      image_size: '1024x1792',
      image_quality: 'hd',
      image_factor: 3,
    });
    expect(imageFields('painter', { count: 1, size: '256x256', quality: '' }, plain)).toEqual({
      image_count: 1,
      image_size: '256x256',
      image_factor: 0.4,
      image_model_ratio: 1,
    });
  });
});
