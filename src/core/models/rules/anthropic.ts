/** Claude's generations (docs/rules/providers.md#claude-generations). Later rules say more. */
import type { ModelRule } from '../schema.ts';

const overview = {
  source: 'https://platform.claude.com/docs/en/about-claude/models/overview',
  seen: '2026-11-24',
} as const;
const thinkingGuide = {
  source: 'https://platform.claude.com/docs/en/build-with-claude/extended-thinking',
  seen: '2026-11-24',
} as const;
const effortGuide = {
  source: 'https://platform.claude.com/docs/en/build-with-claude/effort',
  seen: '2026-11-24',
} as const;
/** Flags of models in the AI SDK, `packages/anthropic`. */
const refusals = {
  source:
    'https://github.com/vercel/ai/blob/main/packages/anthropic/src/anthropic-language-model.ts',
  seen: '2026-11-24',
} as const;

const of = ['claude'];
const sampling = ['temperature', 'top_p', 'top_k'];

export const anthropicRules: readonly ModelRule[] = [
  {
    family: 'claude',
    of,
    vendor: 'anthropic',
    inputTokens: 200_000,
    outputTokens: 4096,
    thinking: [],
    efforts: [],
    cacheLives: ['5m', '1h'],
    ...overview,
  },
  {
    family: 'claude-2',
    of: ['claude-2', 'claude-instant'],
    kind: 'completion',
    source: 'https://platform.claude.com/docs/en/about-claude/model-deprecations',
    seen: '2026-11-24',
  },
  { family: 'claude-3.5', of, from: 3.5, outputTokens: 8192, ...overview },
  {
    family: 'claude-3.7',
    of,
    from: 3.7,
    outputTokens: 64_000,
    thinking: ['budget', 'off'],
    ...thinkingGuide,
  },
  { family: 'claude-4', of, from: 4, ...overview },
  {
    family: 'claude-opus-4',
    of,
    from: 4,
    below: 4.5,
    has: ['opus'],
    outputTokens: 32_000,
    ...overview,
  },
  {
    family: 'claude-opus-4.1',
    of,
    from: 4.1,
    has: ['opus'],
    takes: { json_schema: true },
    source: 'https://platform.claude.com/docs/en/build-with-claude/structured-outputs',
    seen: '2026-11-24',
  },
  {
    family: 'claude-4.5',
    of,
    from: 4.5,
    takes: { json_schema: true, two_samplings: false },
    ...overview,
  },
  {
    family: 'claude-opus-4.5',
    of,
    from: 4.5,
    has: ['opus'],
    efforts: ['low', 'medium', 'high'],
    ...effortGuide,
  },
  {
    family: 'claude-4.6',
    of,
    from: 4.6,
    inputTokens: 1_000_000,
    outputTokens: 128_000,
    thinking: ['budget', 'adaptive', 'off'],
    efforts: ['low', 'medium', 'high', 'max'],
    usualEffort: 'high',
    takes: { prefill: false },
    ...effortGuide,
  },
  {
    family: 'claude-4.7',
    of,
    from: 4.7,
    thinking: ['adaptive', 'off'],
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    drops: sampling,
    ...effortGuide,
  },
  { family: 'claude-5', of, from: 5, thinks: true, ...overview },
  {
    family: 'claude-fable-5',
    of: ['claude-fable', 'claude-mythos'],
    from: 5,
    thinking: ['adaptive'],
    ...refusals,
  },
  {
    family: 'claude-fable-5.1',
    of: ['claude-fable', 'claude-mythos'],
    from: 5.1,
    takes: { forced_tools: false },
    ...refusals,
  },
  {
    family: 'claude-5.5',
    of,
    from: 5.5,
    lacks: ['haiku'],
    thinking: ['adaptive'],
    takes: { forced_tools: false },
    ...refusals,
  },
  {
    family: 'claude-sonnet-5.5',
    of,
    from: 5.5,
    has: ['sonnet'],
    thinking: ['adaptive', 'between_tools'],
    ...refusals,
  },
];
