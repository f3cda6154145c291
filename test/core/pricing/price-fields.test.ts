/** What the log row of a charge says of it, and the lines of the charge, kind by kind. */
import { describe, expect, it } from 'vitest';
import { decimal, one, toNumber } from '../../../src/core/kernel/decimal.ts';
import { type BillableUsage, priceUsage } from '../../../src/core/pricing/cost.ts';
import { readDetails } from '../../../src/core/pricing/details.ts';
import { explainLog, makeTicket, repriceLog } from '../../../src/core/pricing/explain.ts';
import type { RatioPrice } from '../../../src/core/pricing/find-price.ts';
import {
  imageFields,
  otherModelFields,
  type PriceFields,
  priceFields,
  realtimeFields,
} from '../../../src/core/pricing/price-fields.ts';
import { explanationSteps } from '../../../src/core/pricing/steps.ts';

const unit = decimal(500_000);
const plain: RatioPrice = {
  kind: 'ratio',
  modelRatio: decimal(1),
  completionRatio: decimal(4),
  cacheRatio: decimal('0.5'),
  cacheWriteRatio: decimal('1.5'),
  audioCompletionRatio: one,
  imageRatio: decimal(3),
};
const rich: RatioPrice = {
  ...plain,
  audioRatio: decimal(8),
  audioCompletionRatio: decimal(2),
  details: readDetails({
    longCacheWrite: 2,
    cachedAudio: 0.25,
    cachedImage: 0.125,
    thinking: 6,
    tools: { web_search: 0.01, web_search_preview: 0.02, file_search: 0.0025 },
  }),
};
const drawing: RatioPrice = { ...plain, details: readDetails({ textOutput: 0.5 }) };
const call = { kind: 'call', price: decimal('0.02') } as const;
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

/** Kind, count and ratio of each line. */
const linesOf = (usage: BillableUsage, price: RatioPrice) =>
  priceUsage(usage, price, one, unit).lines.map(({ kind, count, ratio, tool }) =>
    tool === undefined ? [kind, count, toNumber(ratio)] : [kind, count, toNumber(ratio), tool],
  );

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

describe('the lines of a charge', () => {
  it.each<[string, BillableUsage, RatioPrice, readonly (readonly unknown[])[]]>([
    [
      'cache reads of text, audio and images',
      { promptTokens: 20, cachedTokens: 15, cachedAudioTokens: 4, cachedImageTokens: 3 },
      rich,
      [
        ['input', 5, 1],
        ['cached', 8, 0.5],
        ['cachedAudio', 4, 2],
        ['cachedImage', 3, 0.375],
      ],
    ],
    [
      'no more cached audio and images than what is cached',
      { promptTokens: 20, cachedTokens: 10, cachedAudioTokens: 6, cachedImageTokens: 9 },
      rich,
      [
        ['input', 10, 1],
        ['cachedAudio', 6, 2],
        ['cachedImage', 4, 0.375],
      ],
    ],
    [
      'cached audio and images at the price of text',
      { promptTokens: 20, cachedTokens: 15, cachedAudioTokens: 4, cachedImageTokens: 3 },
      plain,
      [
        ['input', 5, 1],
        ['cached', 15, 0.5],
      ],
    ],
    [
      'cached audio where audio has no price of its own',
      { promptTokens: 20, cachedTokens: 15, cachedAudioTokens: 4 },
      { ...rich, audioRatio: undefined },
      [
        ['input', 5, 1],
        ['cached', 15, 0.5],
      ],
    ],
    [
      'cache writes of both lives',
      { promptTokens: 20, cacheWriteTokens: 9, cacheWrite1hTokens: 4 },
      rich,
      [
        ['input', 11, 1],
        ['cacheWrite', 5, 1.5],
        ['cacheWrite1h', 4, 3],
      ],
    ],
    [
      'images and audio of the prompt',
      { promptTokens: 20, promptImageTokens: 3, promptAudioTokens: 5 },
      rich,
      [
        ['input', 12, 1],
        ['image', 3, 3],
        ['audioIn', 5, 8],
      ],
    ],
    [
      'thinking and audio of the answer',
      { completionTokens: 20, reasoningTokens: 7, completionAudioTokens: 5 },
      rich,
      [
        ['output', 8, 4],
        ['thinking', 7, 6],
        ['audioOut', 5, 16],
      ],
    ],
    [
      'thinking at the price of output',
      { completionTokens: 20, reasoningTokens: 7 },
      plain,
      [['output', 20, 4]],
    ],
    [
      'text beside images',
      { completionTokens: 20, completionImageTokens: 14 },
      drawing,
      [
        ['output', 14, 4],
        ['textOutput', 6, 2],
      ],
    ],
    [
      'calls of tools',
      { toolCalls: { web_search: 2, file_search: 1, unpriced: 3 } },
      rich,
      [
        ['webSearch', 2, 5000, 'web_search'],
        ['toolCall', 1, 1250, 'file_search'],
      ],
    ],
    [
      'only counts that are counts',
      { promptTokens: -1, completionTokens: 2.9, cachedTokens: Number.NaN },
      plain,
      [['output', 2, 4]],
    ],
    [
      'no counts that no number holds exactly',
      { promptTokens: 2 ** 53, completionTokens: 1 },
      plain,
      [['output', 1, 4]],
    ],
  ])('of %s', (_, usage, price, lines) => {
    expect(linesOf(usage, price)).toEqual(lines);
  });

  it('of other models name them', () => {
    const usage = { promptTokens: 5 };
    const { lines, quota } = priceUsage(usage, plain, one, unit, [
      { model: 'b', usage: { promptTokens: 2 }, price: rich },
    ]);
    expect(lines.map(({ kind, count, model }) => [kind, count, model])).toEqual([
      ['input', 5, undefined],
      ['input', 2, 'b'],
    ]);
    expect(quota).toBe(7);
  });

  it('become the steps of an explanation', () => {
    const price: RatioPrice = {
      ...rich,
      details: readDetails({
        steps: [{ above: 10, input: 2, output: 3 }],
        factors: { priority: 2 },
        tools: { web_search: 0.01 },
      }),
    };
    const usage = {
      promptTokens: 20,
      tiers: ['priority', 'unknown'],
      toolCalls: { web_search: 1 },
    };
    const charge = priceUsage(usage, price, decimal('0.5'), unit, [
      { model: 'b', usage: { promptTokens: 2 }, price: plain },
    ]);
    const line = { step: 'line', per: 'million_tokens' };
    expect(explanationSteps(makeTicket(charge, unit), 'vip')).toEqual([
      { step: 'prompt_length', above: 10, input: 2, output: 3 },
      { step: 'tier', name: 'priority', factor: 2 },
      { step: 'tier', name: 'unknown', factor: null },
      { ...line, kind: 'input', count: 20, price: 8, amount: 0.00016 },
      {
        ...line,
        kind: 'webSearch',
        tool: 'web_search',
        count: 1,
        price: 0.01,
        per: 'call',
        amount: 0.01,
      },
      { ...line, kind: 'input', model: 'b', count: 2, price: 2, amount: 0.000004 },
      { step: 'group_ratio', group: 'vip', ratio: 0.5, quota: 2541 },
      { step: 'rounding', raw: 2541, quota: 2541 },
    ]);
    const simple = makeTicket(priceUsage({ promptTokens: 3 }, plain, one, unit), unit);
    expect(explanationSteps(simple, 'a').map(({ step }) => step)).toEqual([
      'line',
      'group_ratio',
      'rounding',
    ]);
    const tierOnly = priceUsage({ promptTokens: 3, tiers: ['priority'] }, price, one, unit);
    expect(explanationSteps(makeTicket(tierOnly, unit), 'a').map(({ step }) => step)).toEqual([
      'tier',
      'line',
      'group_ratio',
      'rounding',
    ]);
  });
});

describe('a row at another price', () => {
  const row = (usage: BillableUsage, price = plain) => ({
    prompt_tokens: usage.promptTokens ?? 0,
    completion_tokens: usage.completionTokens ?? 0,
    other: { ...fieldsOf(usage, price) },
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
