/** OpenAI's models from GPT-5 on, the newest first. */
import type { ModelRow } from '../schema.ts';
import { litellm, rowsFrom } from './listed.ts';

/** Thinking cannot be switched off. */
const alwaysThinking = { efforts: ['low', 'medium', 'high', 'xhigh', 'max'] } as const;
const longPrompt = [{ above: 272_000, input: 2, output: 1.5 }] as const;
const tiers = { batch: 0.5, flex: 0.5, priority: 2 } as const;
const batchAndFlex = { batch: 0.5, flex: 0.5 } as const;

/** Released on a day after that of the public lists. OpenAI's price list has no flex for them. */
const newest = {
  released: '2026-11-17',
  source: 'https://developers.openai.com/api/docs/models/gpt-6.2-sol',
  seen: '2026-11-29',
  ...alwaysThinking,
} as const;

export const openaiRows: readonly ModelRow[] = rowsFrom({ vendor: 'openai', ...litellm }, [
  [
    'gpt-6.2-astra',
    {
      input: 8,
      output: 40,
      cacheRead: 0.4,
      cacheWrite: 10,
      longCacheWrite: 20,
      steps: longPrompt,
      factors: { batch: 0.5, priority: 2 },
    },
    { ...newest, source: 'https://github.com/iyulab/TokenMeter/releases/tag/v0.17.0' },
  ],
  [
    'gpt-6.2-sol',
    {
      input: 2,
      output: 10,
      cacheRead: 0.1,
      cacheWrite: 2.5,
      longCacheWrite: 5,
      steps: longPrompt,
      // Ultrafast is 3 until 2027-02-28.
      factors: { batch: 0.5, priority: 2, ultrafast: 6 },
    },
    newest,
  ],
  [
    'gpt-6.1-sol',
    {
      input: 2,
      output: 10,
      cacheRead: 0.1,
      cacheWrite: 2.5,
      longCacheWrite: 5,
      steps: longPrompt,
      factors: { ...tiers, ultrafast: 6 },
    },
    { ...alwaysThinking },
  ],
  [
    'gpt-6.1-terra',
    {
      input: 1,
      output: 5,
      cacheRead: 0.05,
      cacheWrite: 1.25,
      longCacheWrite: 2.5,
      steps: longPrompt,
      factors: tiers,
    },
  ],
  [
    'gpt-6-astra',
    {
      input: 10,
      output: 50,
      cacheRead: 1,
      cacheWrite: 12.5,
      longCacheWrite: 25,
      steps: longPrompt,
      factors: { ...tiers, ultrafast: 6 },
    },
    { ...alwaysThinking },
  ],
  [
    'gpt-6-sol',
    {
      input: 2,
      output: 10,
      cacheRead: 0.2,
      cacheWrite: 2.5,
      longCacheWrite: 5,
      steps: longPrompt,
      factors: tiers,
    },
  ],
  [
    'gpt-6-luna',
    {
      input: 0.1,
      output: 0.5,
      cacheRead: 0.01,
      cacheWrite: 0.125,
      longCacheWrite: 0.25,
      steps: longPrompt,
      factors: tiers,
    },
  ],
  [
    'gpt-6-rosalind',
    {
      input: 15,
      output: 75,
      cacheRead: 1.5,
      cacheWrite: 18.75,
      longCacheWrite: 37.5,
      steps: longPrompt,
    },
    { ...alwaysThinking },
  ],
  ['gpt-6-cyber', { input: 20, output: 100, cacheRead: 2, cacheWrite: 25, longCacheWrite: 50 }],
  ['gpt-6-astra-law', { input: 10, output: 50, cacheRead: 1 }, { ...alwaysThinking }],
  [
    'gpt-5.6-sol',
    {
      input: 4,
      output: 20,
      cacheRead: 0.4,
      cacheWrite: 5,
      longCacheWrite: 10,
      steps: longPrompt,
      factors: tiers,
    },
    { aliases: ['gpt-5.6'] },
  ],
  [
    'gpt-5.6-terra',
    {
      input: 2,
      output: 12,
      cacheRead: 0.2,
      cacheWrite: 2.5,
      longCacheWrite: 5,
      steps: longPrompt,
      factors: tiers,
    },
  ],
  [
    'gpt-5.6-luna',
    {
      input: 0.2,
      output: 1.2,
      cacheRead: 0.02,
      cacheWrite: 0.25,
      longCacheWrite: 0.5,
      steps: longPrompt,
      factors: tiers,
    },
  ],
  [
    'gpt-5.6-cyber',
    {
      input: 12.5,
      output: 75,
      cacheRead: 1.25,
      cacheWrite: 15.625,
      longCacheWrite: 31.25,
      steps: longPrompt,
    },
  ],
  [
    'gpt-5.5',
    {
      input: 5,
      output: 30,
      cacheRead: 0.5,
      steps: longPrompt,
      factors: { batch: 0.5, flex: 0.5, priority: 2.5 },
    },
    { released: '2026-04-23', endsAt: { azure: '2027-10-26' }, inputTokens: 922_000 },
  ],
  [
    'gpt-5.5-pro',
    { input: 30, output: 180, steps: longPrompt, factors: batchAndFlex },
    { inputTokens: 922_000 },
  ],
  ['gpt-5.5-cyber', { input: 12.5, output: 75, cacheRead: 1.25 }],
  [
    'gpt-5.4',
    {
      input: 2.5,
      output: 15,
      cacheRead: 0.25,
      steps: longPrompt,
      factors: tiers,
      // 0.13 dollars, which is not quite half.
      cacheFactors: { batch: { read: 0.52 }, flex: { read: 0.52 } },
    },
    { endsAt: { azure: '2027-09-02' }, inputTokens: 922_000 },
  ],
  [
    'gpt-5.4-mini',
    { input: 0.75, output: 4.5, cacheRead: 0.075, factors: tiers },
    { endsAt: { azure: '2027-09-21' } },
  ],
  [
    'gpt-5.4-nano',
    { input: 0.2, output: 1.25, cacheRead: 0.02, factors: batchAndFlex },
    { ends: '2027-04-01', successor: 'gpt-6-luna', endsAt: { azure: '2027-09-21' } },
  ],
  [
    'gpt-5.4-pro',
    { input: 30, output: 180, steps: longPrompt, factors: batchAndFlex },
    { endsAt: { azure: '2027-09-07' }, inputTokens: 922_000 },
  ],
  [
    'gpt-5.3-codex',
    { input: 1.75, output: 14, cacheRead: 0.175, factors: { priority: 2 } },
    { ends: '2027-04-01', successor: 'gpt-6-sol', endsAt: { azure: '2027-08-24' } },
  ],
  [
    'gpt-5.3-chat-latest',
    { input: 1.75, output: 14, cacheRead: 0.175 },
    { ends: '2026-08-10', successor: 'gpt-5.6-sol' },
  ],
  [
    'gpt-5.2',
    { input: 1.75, output: 14, cacheRead: 0.175, factors: tiers },
    { released: '2025-12-11', endsAt: { azure: '2027-06-08' } },
  ],
  ['gpt-5.2-pro', { input: 21, output: 168, factors: { batch: 0.5 } }],
  [
    'gpt-5.2-codex',
    { input: 1.75, output: 14, cacheRead: 0.175 },
    { ends: '2026-07-23', successor: 'gpt-5.6-sol', endsAt: { azure: '2027-07-13' } },
  ],
  [
    'gpt-5.2-chat-latest',
    { input: 1.75, output: 14, cacheRead: 0.175 },
    { ends: '2026-08-10', successor: 'gpt-5.6-sol' },
  ],
  [
    'gpt-5.1',
    { input: 1.25, output: 10, cacheRead: 0.125, factors: tiers },
    { ends: '2027-04-01', successor: 'gpt-6-sol', endsAt: { azure: '2027-07-13' } },
  ],
  [
    'gpt-5.1-codex',
    { input: 1.25, output: 10, cacheRead: 0.125 },
    { ends: '2026-07-23', successor: 'gpt-5.6-sol', endsAt: { azure: '2027-05-15' } },
  ],
  [
    'gpt-5.1-codex-max',
    { input: 1.25, output: 10, cacheRead: 0.125 },
    { ends: '2026-07-23', successor: 'gpt-5.6-sol', endsAt: { azure: '2027-05-18' } },
  ],
  [
    'gpt-5.1-codex-mini',
    { input: 0.25, output: 2, cacheRead: 0.025 },
    { ends: '2026-07-23', successor: 'gpt-5.6-terra', endsAt: { azure: '2027-05-15' } },
  ],
  [
    'gpt-5.1-chat-latest',
    { input: 1.25, output: 10, cacheRead: 0.125 },
    { ends: '2026-07-23', successor: 'gpt-5.6-sol' },
  ],
  [
    'gpt-5',
    { input: 1.25, output: 10, cacheRead: 0.125, factors: tiers },
    { ends: '2026-12-11', successor: 'gpt-5.6-sol', endsAt: { azure: '2027-02-09' } },
  ],
  [
    'gpt-5-mini',
    // Priority: $0.45, $0.045 and $3.60 (LiteLLM 1.110.2).
    { input: 0.25, output: 2, cacheRead: 0.025, factors: { ...tiers, priority: 1.8 } },
    { ends: '2026-12-11', successor: 'gpt-5.6-terra', endsAt: { azure: '2027-07-13' } },
  ],
  [
    'gpt-5-nano',
    { input: 0.05, output: 0.4, cacheRead: 0.005, factors: batchAndFlex },
    { ends: '2026-12-11', successor: 'gpt-5.6-luna', endsAt: { azure: '2027-02-09' } },
  ],
  [
    'gpt-5-pro',
    { input: 15, output: 120, factors: { batch: 0.5 } },
    { ends: '2026-12-11', successor: 'gpt-5.6-sol', endsAt: { azure: '2027-04-07' } },
  ],
  [
    'gpt-5-codex',
    { input: 1.25, output: 10, cacheRead: 0.125 },
    { ends: '2026-07-23', successor: 'gpt-5.6-sol', endsAt: { azure: '2027-03-17' } },
  ],
  [
    'gpt-5-chat-latest',
    { input: 1.25, output: 10, cacheRead: 0.125 },
    { ends: '2026-07-23', successor: 'gpt-5.6-sol' },
  ],
  ['gpt-5-search-api', { input: 1.25, output: 10, cacheRead: 0.125 }],
]);
