/** OpenAI's models of this year: rows of single models, dollars per million tokens. */
import type { ModelRow } from '../schema.ts';

/** LiteLLM's public catalogue of models and prices, version 1.110.2. */
const catalogue = {
  source: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
  seen: '2026-11-24',
} as const;

/** Thinking cannot be switched off. */
const alwaysThinking = { efforts: ['low', 'medium', 'high', 'xhigh', 'max'] } as const;
const longPrompt = [{ above: 272_000, input: 2, output: 1.5 }] as const;
const tiers = { batch: 0.5, flex: 0.5, priority: 2 } as const;

export const openaiRows: readonly ModelRow[] = [
  {
    name: 'gpt-6.1-sol',
    price: {
      input: 2,
      output: 10,
      cacheRead: 0.1,
      cacheWrite: 2.5,
      longCacheWrite: 5,
      steps: longPrompt,
      factors: { ...tiers, ultrafast: 6 },
    },
    ...alwaysThinking,
    ...catalogue,
  },
  {
    name: 'gpt-6.1-terra',
    price: {
      input: 1,
      output: 5,
      cacheRead: 0.05,
      cacheWrite: 1.25,
      longCacheWrite: 2.5,
      steps: longPrompt,
      factors: tiers,
    },
    ...catalogue,
  },
  {
    name: 'gpt-6-astra',
    price: {
      input: 10,
      output: 50,
      cacheRead: 1,
      cacheWrite: 12.5,
      longCacheWrite: 25,
      steps: longPrompt,
      factors: { ...tiers, ultrafast: 6 },
    },
    ...alwaysThinking,
    ...catalogue,
  },
  {
    name: 'gpt-6-sol',
    price: {
      input: 2,
      output: 10,
      cacheRead: 0.2,
      cacheWrite: 2.5,
      longCacheWrite: 5,
      steps: longPrompt,
      factors: tiers,
    },
    ...catalogue,
  },
  {
    name: 'gpt-6-luna',
    price: {
      input: 0.1,
      output: 0.5,
      cacheRead: 0.01,
      cacheWrite: 0.125,
      longCacheWrite: 0.25,
      steps: longPrompt,
      factors: tiers,
    },
    ...catalogue,
  },
  {
    name: 'gpt-6-rosalind',
    price: {
      input: 15,
      output: 75,
      cacheRead: 1.5,
      cacheWrite: 18.75,
      longCacheWrite: 37.5,
      steps: longPrompt,
    },
    ...alwaysThinking,
    ...catalogue,
  },
  {
    name: 'gpt-6-cyber',
    price: { input: 20, output: 100, cacheRead: 2, cacheWrite: 25, longCacheWrite: 50 },
    ...catalogue,
  },
  {
    name: 'gpt-6-astra-law',
    price: { input: 10, output: 50, cacheRead: 1 },
    ...alwaysThinking,
    ...catalogue,
  },
  {
    name: 'gpt-5.6-sol',
    aliases: ['gpt-5.6'],
    price: {
      input: 4,
      output: 20,
      cacheRead: 0.4,
      cacheWrite: 5,
      longCacheWrite: 10,
      steps: longPrompt,
      factors: tiers,
    },
    ...catalogue,
  },
  {
    name: 'gpt-5.6-terra',
    price: {
      input: 2,
      output: 12,
      cacheRead: 0.2,
      cacheWrite: 2.5,
      longCacheWrite: 5,
      steps: longPrompt,
      factors: tiers,
    },
    ...catalogue,
  },
  {
    name: 'gpt-5.6-luna',
    price: {
      input: 0.2,
      output: 1.2,
      cacheRead: 0.02,
      cacheWrite: 0.25,
      longCacheWrite: 0.5,
      steps: longPrompt,
      factors: tiers,
    },
    ...catalogue,
  },
  {
    name: 'gpt-5.5',
    released: '2026-04-23',
    price: {
      input: 5,
      output: 30,
      cacheRead: 0.5,
      steps: longPrompt,
      factors: { batch: 0.5, flex: 0.5, priority: 2.5 },
    },
    ...catalogue,
  },
  {
    name: 'gpt-5.5-pro',
    price: { input: 30, output: 180, steps: longPrompt, factors: { batch: 0.5, flex: 0.5 } },
    ...catalogue,
  },
  {
    name: 'gpt-5.4-pro',
    price: { input: 30, output: 180, steps: longPrompt, factors: { batch: 0.5, flex: 0.5 } },
    ...catalogue,
  },
  {
    name: 'gpt-5.2',
    released: '2025-12-11',
    price: { input: 1.75, output: 14, cacheRead: 0.175, factors: tiers },
    ...catalogue,
  },
  { name: 'gpt-5.2-pro', price: { input: 21, output: 168, factors: { batch: 0.5 } }, ...catalogue },
  {
    name: 'gpt-5.3-codex',
    ends: '2027-04-01',
    price: { input: 1.75, output: 14, cacheRead: 0.175, factors: { priority: 2 } },
    ...catalogue,
  },
];
