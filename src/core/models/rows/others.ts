/** Models of other vendors: rows of single models, dollars per million tokens. */
import type { ModelRow } from '../schema.ts';

/** LiteLLM's public catalogue of models and prices, version 1.110.2. */
const catalogue = {
  source: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
  seen: '2026-11-24',
} as const;

const longPrompt = [{ above: 200_000, input: 2, output: 2 }] as const;

export const otherRows: readonly ModelRow[] = [
  {
    name: 'grok-4.7',
    price: { input: 2, output: 6, cacheRead: 0.5, steps: longPrompt, factors: { batch: 0.8 } },
    ...catalogue,
  },
  {
    name: 'grok-4.6',
    price: { input: 2, output: 6, cacheRead: 0.5, steps: longPrompt },
    ...catalogue,
  },
  {
    name: 'grok-4.5',
    price: { input: 2, output: 6, cacheRead: 0.3, steps: longPrompt },
    ...catalogue,
  },
  {
    name: 'grok-4.3',
    price: { input: 1.25, output: 2.5, cacheRead: 0.2, steps: longPrompt, factors: { batch: 0.8 } },
    ...catalogue,
  },
  {
    name: 'grok-4.20-reasoning',
    price: { input: 1.25, output: 2.5, cacheRead: 0.2, steps: longPrompt, factors: { batch: 0.8 } },
    ...catalogue,
  },
  {
    name: 'grok-4.20-non-reasoning',
    price: { input: 1.25, output: 2.5, cacheRead: 0.2, steps: longPrompt, factors: { batch: 0.8 } },
    ...catalogue,
  },
  {
    name: 'deepseek-v4-pro',
    price: { input: 1.32, output: 3.96, cacheRead: 0.044, cacheWrite: 0 },
    ...catalogue,
  },
  {
    name: 'deepseek-v4-flash',
    aliases: ['deepseek-flash'],
    price: { input: 0.3, output: 1.2, cacheRead: 0.006, cacheWrite: 0 },
    ...catalogue,
  },
  {
    name: 'deepseek-v4-flash-vision-exp',
    price: { input: 0.3, output: 1.2, cacheRead: 0.006, cacheWrite: 0 },
    ...catalogue,
  },
  { name: 'qwen3.8-max', price: { input: 2, output: 6, cacheRead: 0.25 }, ...catalogue },
  {
    name: 'qwen3.8-flash',
    price: { input: 0.15, output: 0.47, cacheRead: 0.016, cacheWrite: 0.2 },
    ...catalogue,
  },
  {
    name: 'qwen3.7-max',
    price: { input: 2.5, output: 7.5, cacheRead: 0.5, cacheWrite: 3.125 },
    ...catalogue,
  },
  {
    name: 'kimi-k3.1-pro',
    price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2, longCacheWrite: 4 },
    ...catalogue,
  },
  {
    name: 'kimi-k3.1-pro-highspeed',
    price: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 4, longCacheWrite: 8 },
    ...catalogue,
  },
  {
    name: 'kimi-k3',
    price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3, longCacheWrite: 6 },
    ...catalogue,
  },
  { name: 'kimi-k2.7-code', price: { input: 0.95, output: 4, cacheRead: 0.19 }, ...catalogue },
  { name: 'kimi-k2.6', price: { input: 0.95, output: 4, cacheRead: 0.16 }, ...catalogue },
  {
    name: 'glm-5.3',
    price: { input: 1.4, output: 4.4, cacheRead: 0.26, cacheWrite: 0 },
    ...catalogue,
  },
  {
    name: 'glm-5.3-flash',
    price: { input: 0.15, output: 0.5, cacheRead: 0.03, cacheWrite: 0 },
    ...catalogue,
  },
  {
    name: 'glm-5.2',
    price: { input: 1.4, output: 4.4, cacheRead: 0.26, cacheWrite: 0 },
    ...catalogue,
  },
  {
    name: 'glm-5.1',
    price: { input: 1.4, output: 4.4, cacheRead: 0.26, cacheWrite: 0 },
    ...catalogue,
  },
  { name: 'glm-5', price: { input: 1, output: 3.2, cacheRead: 0.2, cacheWrite: 0 }, ...catalogue },
  { name: 'glm-5v-turbo', price: { input: 1.2, output: 4, cacheRead: 0.24 }, ...catalogue },
  {
    name: 'mistral-large-4',
    aliases: ['mistral-large-4-0'],
    price: { input: 0.7, output: 2.1, cacheRead: 0.07 },
    ...catalogue,
  },
  {
    name: 'mistral-medium-3.5',
    aliases: ['mistral-medium-3-5', 'mistral-medium-2604'],
    price: { input: 1.5, output: 7.5, cacheRead: 0.15 },
    ...catalogue,
  },
  {
    name: 'mistral-small-2603',
    price: { input: 0.15, output: 0.6, cacheRead: 0.015 },
    ...catalogue,
  },
  {
    name: 'MiniMax-M3',
    price: {
      input: 0.3,
      output: 1.2,
      cacheRead: 0.06,
      steps: [{ above: 512_000, input: 2, output: 2 }],
    },
    ...catalogue,
  },
  {
    name: 'MiniMax-M2.5',
    price: { input: 0.3, output: 1.2, cacheRead: 0.03, cacheWrite: 0.375 },
    ...catalogue,
  },
  {
    name: 'MiniMax-M2.1',
    price: { input: 0.3, output: 1.2, cacheRead: 0.03, cacheWrite: 0.375 },
    ...catalogue,
  },
];
