/** xAI, Mistral, Perplexity and Cohere, the newest first. */
import type { ModelRow } from '../schema.ts';
import { genaiPrices, litellm, rowsFrom } from './listed.ts';

const longPrompt = [{ above: 200_000, input: 2, output: 2 }] as const;

const xai = rowsFrom({ vendor: 'xai', ...litellm }, [
  ['grok-4.7', { input: 2, output: 6, cacheRead: 0.5, steps: longPrompt, factors: { batch: 0.8 } }],
  ['grok-4.6', { input: 2, output: 6, cacheRead: 0.5, steps: longPrompt }],
  ['grok-4.5', { input: 2, output: 6, cacheRead: 0.3, steps: longPrompt }],
  [
    'grok-4.3',
    { input: 1.25, output: 2.5, cacheRead: 0.2, steps: longPrompt, factors: { batch: 0.8 } },
  ],
  [
    'grok-4.20',
    { input: 1.25, output: 2.5, cacheRead: 0.2, steps: longPrompt, factors: { batch: 0.8 } },
  ],
  [
    'grok-4.20-reasoning',
    { input: 1.25, output: 2.5, cacheRead: 0.2, steps: longPrompt, factors: { batch: 0.8 } },
    { aliases: ['grok-4.20-0309-reasoning'] },
  ],
  [
    'grok-4.20-non-reasoning',
    { input: 1.25, output: 2.5, cacheRead: 0.2, steps: longPrompt, factors: { batch: 0.8 } },
    { aliases: ['grok-4.20-0309-non-reasoning'] },
  ],
  [
    'grok-4.20-multi-agent',
    { input: 1.25, output: 2.5, cacheRead: 0.2, steps: longPrompt, factors: { batch: 0.8 } },
    { aliases: ['grok-4.20-multi-agent-0309'] },
  ],
  ['grok-build-0.1', { input: 1, output: 2, cacheRead: 0.2, steps: longPrompt }],
  ['grok-build-latest', { input: 2, output: 6, cacheRead: 0.3, steps: longPrompt }],
  [
    'grok-code-fast-1',
    { input: 1, output: 2, cacheRead: 0.2, steps: longPrompt },
    { ends: '2026-05-15', successor: 'grok-build-0.1', aliases: ['grok-code-fast'] },
  ],
]);

/**
 * Prices that LiteLLM's catalogue no longer has. Days of the end:
 * https://docs.x.ai/docs/migration/may-15-retirement; the others were gone by the day of the
 * catalogue that no longer has them.
 */
const olderXai = rowsFrom({ vendor: 'xai', ...genaiPrices }, [
  [
    'grok-4-0709',
    { input: 3, output: 15, cacheRead: 0.75 },
    { aliases: ['grok-4'], ends: '2026-05-15', successor: 'grok-4.3' },
  ],
  [
    'grok-4-1-fast-reasoning',
    { input: 0.2, output: 0.5, cacheRead: 0.05 },
    { ends: '2026-05-15', successor: 'grok-4.3' },
  ],
  [
    'grok-4-1-fast-non-reasoning',
    { input: 0.2, output: 0.5, cacheRead: 0.05 },
    { ends: '2026-05-15', successor: 'grok-4.3' },
  ],
  [
    'grok-4-fast-reasoning',
    { input: 0.2, output: 0.5, cacheRead: 0.05 },
    { ends: '2026-05-15', successor: 'grok-4.3' },
  ],
  [
    'grok-4-fast-non-reasoning',
    { input: 0.2, output: 0.5, cacheRead: 0.05 },
    { ends: '2026-05-15', successor: 'grok-4.3' },
  ],
  [
    'grok-3',
    { input: 3, output: 15, cacheRead: 0.75 },
    { aliases: ['grok-3-beta'], ends: '2026-05-15', successor: 'grok-4.3' },
  ],
  [
    'grok-3-fast',
    { input: 5, output: 25, cacheRead: 1.25 },
    { aliases: ['grok-3-fast-beta'], ends: '2026-11-24', successor: 'grok-4.3' },
  ],
  [
    'grok-3-mini',
    { input: 0.3, output: 0.5, cacheRead: 0.075 },
    { aliases: ['grok-3-mini-beta'], ends: '2026-11-24', successor: 'grok-4.3' },
  ],
  [
    'grok-3-mini-fast',
    { input: 0.6, output: 4, cacheRead: 0.15 },
    { aliases: ['grok-3-mini-fast-beta'], ends: '2026-11-24', successor: 'grok-4.3' },
  ],
  [
    'grok-2',
    { input: 2, output: 10 },
    { aliases: ['grok-2-1212'], ends: '2026-11-24', successor: 'grok-4.3' },
  ],
  [
    'grok-2-vision',
    { input: 2, output: 10 },
    { aliases: ['grok-2-vision-1212'], ends: '2026-11-24', successor: 'grok-4.3' },
  ],
]);

const mistral = rowsFrom({ vendor: 'mistral', ...litellm }, [
  [
    'mistral-large-4',
    { input: 0.7, output: 2.1, cacheRead: 0.07 },
    { aliases: ['mistral-large-4-0'] },
  ],
  [
    'mistral-large-3',
    { input: 0.5, output: 1.5, cacheRead: 0.05 },
    { aliases: ['mistral-large-2512'], ends: '2027-04-30', successor: 'mistral-large-4' },
  ],
  ['mistral-large-latest', { input: 0.5, output: 1.5, cacheRead: 0.05 }],
  [
    'mistral-medium-3.5',
    { input: 1.5, output: 7.5, cacheRead: 0.15 },
    { aliases: ['mistral-medium-3-5', 'mistral-medium-2604'], ends: '2027-04-30' },
  ],
  ['mistral-medium-latest', { input: 1.5, output: 7.5, cacheRead: 0.15 }],
  ['mistral-small-2603', { input: 0.15, output: 0.6, cacheRead: 0.015 }],
  ['mistral-small-latest', { input: 0.15, output: 0.6, cacheRead: 0.015 }],
  [
    'ministral-14b-latest',
    { input: 0.2, output: 0.2, cacheRead: 0.02 },
    { aliases: ['ministral-14b-2512'] },
  ],
  [
    'ministral-8b-latest',
    { input: 0.15, output: 0.15, cacheRead: 0.015 },
    { aliases: ['ministral-8b-2512'] },
  ],
  [
    'ministral-3b-latest',
    { input: 0.1, output: 0.1, cacheRead: 0.01 },
    { aliases: ['ministral-3b-2512'] },
  ],
  ['magistral-medium-latest', { input: 1.5, output: 7.5, cacheRead: 0.15 }],
  ['magistral-small-latest', { input: 0.15, output: 0.6, cacheRead: 0.015 }],
  ['devstral-latest', { input: 0.4, output: 2, cacheRead: 0.04 }],
  ['devstral-medium-latest', { input: 0.4, output: 2, cacheRead: 0.04 }],
  ['devstral-small-latest', { input: 0.1, output: 0.3, cacheRead: 0.01 }],
  ['codestral-2508', { input: 0.3, output: 0.9, cacheRead: 0.03 }],
  ['codestral-latest', { input: 0.3, output: 0.9, cacheRead: 0.03 }],
  ['pixtral-large-latest', { input: 2, output: 6, cacheRead: 0.2 }],
  ['open-mistral-nemo', { input: 0.3, output: 0.3, cacheRead: 0.03 }],
  ['voxtral-small-latest', { input: 0.1, output: 0.4, cacheRead: 0.01 }],
  ['mistral-embed', { input: 0.1, output: 0 }],
  ['codestral-embed', { input: 0.15, output: 0, cacheRead: 0.015 }],
]);

const perplexity = rowsFrom({ vendor: 'perplexity', ...litellm }, [
  ['sonar', { input: 1, output: 1 }],
  ['sonar-pro', { input: 3, output: 15 }],
  ['sonar-reasoning', { input: 1, output: 5 }],
  ['sonar-reasoning-pro', { input: 2, output: 8 }],
  ['sonar-deep-research', { input: 2, output: 8 }],
]);

const cohere = rowsFrom({ vendor: 'cohere', ...litellm }, [
  ['command-a-03-2025', { input: 2.5, output: 10 }],
  ['command-r-08-2024', { input: 0.15, output: 0.6 }, { aliases: ['command-r'] }],
  ['command-r-plus-08-2024', { input: 2.5, output: 10 }, { aliases: ['command-r-plus'] }],
  ['command-r7b-12-2024', { input: 0.0375, output: 0.15 }],
  ['c4ai-aya-expanse-32b', { input: 0.5, output: 1.5 }],
  ['embed-v5.0-pro', { input: 0.12, output: 0 }],
  ['embed-v5.0-fast', { input: 0.08, output: 0 }],
  ['embed-v4.0', { input: 0.12, output: 0, imageInput: 0.47 }],
  ['embed-english-v3.0', { input: 0.1, output: 0 }],
  ['embed-multilingual-v3.0', { input: 0.1, output: 0 }],
]);

export const otherRows: readonly ModelRow[] = [
  ...xai,
  ...olderXai,
  ...mistral,
  ...perplexity,
  ...cohere,
];
