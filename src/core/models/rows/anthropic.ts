/** Claude: rows of single models, dollars per million tokens. */
import type { ModelRow } from '../schema.ts';

/** LiteLLM's public catalogue of models and prices, version 1.110.2. */
const catalogue = {
  source: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
  seen: '2026-11-24',
} as const;

const places = { batch: 0.5, us: 1.1 } as const;

/** Anthropic's own list of the ends of its models, in its SDK. */
const deprecations = {
  source:
    'https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/internal/data/deprecated-models.ts',
  seen: '2026-11-23',
} as const;

export const anthropicRows: readonly ModelRow[] = [
  {
    name: 'claude-fable-5-1',
    price: {
      input: 10,
      output: 50,
      cacheRead: 0.25,
      cacheWrite: 12.5,
      longCacheWrite: 20,
      factors: places,
    },
    ...catalogue,
  },
  {
    name: 'claude-mythos-5-1',
    price: {
      input: 10,
      output: 50,
      cacheRead: 0.25,
      cacheWrite: 12.5,
      longCacheWrite: 20,
      factors: places,
    },
    ...catalogue,
  },
  {
    name: 'claude-fable-5',
    released: '2026-06-09',
    price: {
      input: 10,
      output: 50,
      cacheRead: 1,
      cacheWrite: 12.5,
      longCacheWrite: 20,
      factors: places,
    },
    ...catalogue,
  },
  {
    name: 'claude-mythos-5',
    released: '2026-06-09',
    price: {
      input: 10,
      output: 50,
      cacheRead: 1,
      cacheWrite: 12.5,
      longCacheWrite: 20,
      factors: places,
    },
    ...catalogue,
  },
  {
    name: 'claude-opus-5-5',
    released: '2026-09-22',
    price: {
      input: 4,
      output: 20,
      cacheRead: 0.2,
      cacheWrite: 5,
      longCacheWrite: 8,
      factors: { ...places, fast: 2 },
    },
    ...catalogue,
  },
  {
    name: 'claude-opus-5',
    released: '2026-07-24',
    price: {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite: 6.25,
      longCacheWrite: 10,
      factors: { ...places, fast: 2 },
    },
    ...catalogue,
  },
  {
    name: 'claude-opus-4-8',
    released: '2026-05-28',
    price: {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite: 6.25,
      longCacheWrite: 10,
      factors: { ...places, fast: 2 },
    },
    ...catalogue,
  },
  {
    name: 'claude-opus-4-7',
    released: '2026-04-16',
    price: {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite: 6.25,
      longCacheWrite: 10,
      factors: places,
    },
    ...catalogue,
  },
  {
    name: 'claude-sonnet-5-5',
    released: '2026-09-28',
    price: {
      input: 2,
      output: 10,
      cacheRead: 0.1,
      cacheWrite: 2.5,
      longCacheWrite: 4,
      factors: places,
    },
    ...catalogue,
  },
  {
    name: 'claude-sonnet-5',
    released: '2026-06-30',
    price: {
      input: 2,
      output: 10,
      cacheRead: 0.2,
      cacheWrite: 2.5,
      longCacheWrite: 4,
      factors: places,
    },
    ...catalogue,
  },
  {
    name: 'claude-haiku-5-5',
    released: '2026-10-07',
    price: {
      input: 0.1,
      output: 0.5,
      cacheRead: 0.01,
      cacheWrite: 0.125,
      longCacheWrite: 0.2,
      steps: [{ above: 100_000, input: 5, output: 5 }],
      factors: places,
    },
    ...catalogue,
  },
  {
    name: 'claude-opus-4-6',
    aliases: ['claude-opus-4-6-20260205'],
    released: '2026-02-05',
    successor: 'claude-opus-5-5',
    ...catalogue,
  },
  {
    name: 'claude-sonnet-4-5',
    ends: '2026-11-30',
    successor: 'claude-sonnet-5-5',
    ...deprecations,
  },
  { name: 'claude-opus-4-5', ends: '2027-01-22', successor: 'claude-opus-5-5', ...deprecations },
];
