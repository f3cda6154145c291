/** Gemini: rows of single models, dollars per million tokens. */
import type { ModelRow } from '../schema.ts';

/** LiteLLM's public catalogue of models and prices, version 1.110.2. */
const catalogue = {
  source: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
  seen: '2026-11-24',
} as const;

const tiers = { batch: 0.5, flex: 0.5, priority: 1.8 } as const;

export const googleRows: readonly ModelRow[] = [
  {
    name: 'gemini-4-argon',
    price: { input: 2, output: 10, cacheRead: 0.1, factors: tiers },
    ...catalogue,
  },
  {
    name: 'gemini-4-hydrogen',
    price: { input: 1.5, output: 7.5, cacheRead: 0.075, factors: tiers },
    ...catalogue,
  },
  {
    name: 'gemini-3.8-flash',
    price: { input: 0.75, output: 3.75, cacheRead: 0.075, factors: tiers },
    ...catalogue,
  },
  {
    name: 'gemini-3.7-flash',
    price: { input: 0.75, output: 3.75, cacheRead: 0.075, factors: tiers },
    ...catalogue,
  },
  {
    name: 'gemini-3.6-flash',
    price: { input: 0.75, output: 3.75, cacheRead: 0.075, factors: tiers },
    ...catalogue,
  },
  {
    name: 'gemini-3.5-flash',
    price: { input: 1.5, output: 9, cacheRead: 0.15, factors: tiers },
    ...catalogue,
  },
  {
    name: 'gemini-3.5-flash-lite',
    price: { input: 0.3, output: 2.5, cacheRead: 0.03, factors: tiers },
    ...catalogue,
  },
  {
    name: 'gemini-3.1-pro-preview',
    price: {
      input: 2,
      output: 12,
      cacheRead: 0.2,
      steps: [{ above: 200_000, input: 2, output: 1.5 }],
      factors: tiers,
    },
    ...catalogue,
  },
  {
    name: 'gemini-3.1-flash-lite',
    ends: '2027-05-07',
    price: { input: 0.25, output: 1.5, cacheRead: 0.025, factors: tiers },
    ...catalogue,
  },
];
