// Covers src/core/relay/formats/shared/openai-usage.ts.
/**
 * Usage as callers get it: a gateway that reads it charges its own customers by the same tokens
 * (docs/rules/formats.md#usage-across-formats).
 */
import { describe, expect, it } from 'vitest';
import { usageFromAnthropic } from '../../../../src/core/canonical/kit/anthropic-usage.ts';
import { usageFromOpenAi } from '../../../../src/core/canonical/kit/usage.ts';
import type { Usage } from '../../../../src/core/canonical/usage.ts';
import { decimal, one } from '../../../../src/core/kernel/decimal.ts';
import { priceUsage } from '../../../../src/core/pricing/cost.ts';
import type { RatioPrice } from '../../../../src/core/pricing/find-price.ts';
import { writeAnthropicUsage } from '../../../../src/core/relay/formats/anthropic-messages/write-fields.ts';
import { writeResponsesUsage } from '../../../../src/core/relay/formats/openai-responses/object.ts';
import { writeOpenAiUsage } from '../../../../src/core/relay/formats/shared/openai-usage.ts';

/** Each kind of token at a price of its own. */
const price: RatioPrice = {
  kind: 'ratio',
  modelRatio: one,
  completionRatio: decimal(7),
  cacheRatio: decimal('0.1'),
  cacheWriteRatio: decimal('1.25'),
  audioCompletionRatio: one,
  imageRatio: one,
};
const quotaOf = (usage: Usage | undefined) =>
  priceUsage(usage ?? {}, price, one, decimal(500_000)).quota;

const both = { promptTokens: 10_000, completionTokens: 500 };
const usages: Readonly<Record<string, Usage>> = {
  plain: both,
  'with cache reads': { ...both, cachedTokens: 4000 },
  'with cache writes': { ...both, cachedTokens: 4000, cacheWriteTokens: 3000 },
  'with cache writes of an hour': {
    ...both,
    cachedTokens: 1000,
    cacheWriteTokens: 3000,
    cacheWrite1hTokens: 2000,
  },
  'with nothing but cache writes of an hour': {
    ...both,
    cacheWriteTokens: 10_000,
    cacheWrite1hTokens: 10_000,
  },
  'with thinking': { ...both, reasoningTokens: 400 },
  'with zeros': { ...both, cachedTokens: 0, cacheWriteTokens: 0, cacheWrite1hTokens: 0 },
};

describe.each(Object.entries(usages))('%s', (_, usage) => {
  it.each<[string, Usage | undefined]>([
    ['chat', usageFromOpenAi(writeOpenAiUsage(usage))],
    ['Responses', usageFromOpenAi(writeResponsesUsage(usage))],
    ['messages', usageFromAnthropic(writeAnthropicUsage(usage))],
  ])('costs the same behind %s', (_format, read) => {
    expect(quotaOf(read)).toBe(quotaOf(usage));
  });
});

it('cache writes are not named where there are none', () => {
  expect(writeResponsesUsage(both).input_tokens_details).toEqual({ cached_tokens: 0 });
  expect(writeOpenAiUsage(both).prompt_tokens_details).toEqual({ cached_tokens: 0 });
});

it('New API names cache writes of an hour beside the others', () => {
  const usage = {
    prompt_tokens: 1000,
    completion_tokens: 5,
    prompt_tokens_details: { cached_tokens: 0, cached_creation_tokens: 900 },
    claude_cache_creation_5_m_tokens: 200,
    claude_cache_creation_1_h_tokens: 700,
  };
  expect(usageFromOpenAi(usage)).toMatchObject({ cacheWriteTokens: 900, cacheWrite1hTokens: 700 });
});
