// Covers src/core/pricing/cost.ts, src/core/pricing/steps.ts.
import { describe, expect, it } from 'vitest';
import { decimal, one, toNumber } from '../../../src/core/kernel/decimal.ts';
import { type BillableUsage, priceUsage } from '../../../src/core/pricing/cost.ts';
import { readDetails } from '../../../src/core/pricing/details.ts';
import { makeTicket } from '../../../src/core/pricing/explain.ts';
import type { RatioPrice } from '../../../src/core/pricing/find-price.ts';
import { explanationSteps } from '../../../src/core/pricing/steps.ts';
import { drawing, plain, rich, unit } from './sample-prices.ts';

/** Kind, count and ratio of each line. */
const linesOf = (usage: BillableUsage, price: RatioPrice) =>
  priceUsage(usage, price, one, unit).lines.map(({ kind, count, ratio, tool }) =>
    tool === undefined ? [kind, count, toNumber(ratio)] : [kind, count, toNumber(ratio), tool],
  );

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
      'thinking, text and images of one answer',
      { completionTokens: 100, reasoningTokens: 20, completionImageTokens: 30 },
      { ...plain, details: readDetails({ thinking: 6, textOutput: 0.5 }) },
      [
        ['output', 30, 4],
        ['thinking', 20, 6],
        ['textOutput', 50, 2],
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
