/** OpenAI's models (docs/rules/providers.md#openai-models). Later rules say more. */
import type { ModelRule } from '../schema.ts';
import { openaiTokenRules } from './openai-tokens.ts';

const models = { source: 'https://platform.openai.com/docs/models', seen: '2026-11-24' } as const;
const reference = {
  source: 'https://platform.openai.com/docs/api-reference/chat',
  seen: '2026-11-24',
} as const;
const effortsGuide = {
  source: 'https://platform.openai.com/docs/guides/reasoning',
  seen: '2026-11-24',
} as const;
const imageCalls = {
  source: 'https://platform.openai.com/docs/api-reference/images/create',
  seen: '2026-11-24',
} as const;

const penalties = ['presence_penalty', 'frequency_penalty'];
const probabilities = ['logprobs', 'top_logprobs'];
const sampling = ['temperature', 'top_p'];

/**
 * That o1, o3 and o4-mini refuse `parallel_tool_calls`, and gpt-5 `stop` and penalties, is known
 * from error messages that users of langchain, llama_index, inspect_ai and smolagents report; that
 * gpt-5.5 accepts stop sequences again, from litellm.
 */
const thinkers: readonly ModelRule[] = [
  {
    family: 'o-series',
    of: ['o'],
    from: 1,
    thinks: true,
    efforts: ['low', 'medium', 'high'],
    usualEffort: 'medium',
    inputTokens: 200_000,
    outputTokens: 100_000,
    drops: [...sampling, ...penalties, ...probabilities, 'logit_bias'],
    dropsTranslated: ['stop', 'parallel_tool_calls'],
    takes: { max_completion_tokens: true, developer_role: true },
    ...reference,
  },
  {
    family: 'o1',
    of: ['o'],
    from: 1,
    below: 2,
    dropsTranslated: ['parallel_tool_calls'],
    ...reference,
  },
  {
    family: 'o1-preview',
    of: ['o1-mini', 'o1-preview'],
    takes: { developer_role: false },
    outputTokens: 65_536,
    ...models,
  },
  { family: 'o1-preview', of: ['o1-preview'], outputTokens: 32_768, ...models },
  {
    family: 'gpt-5',
    of: ['gpt-'],
    from: 5,
    thinks: true,
    efforts: ['minimal', 'low', 'medium', 'high'],
    usualEffort: 'medium',
    inputTokens: 272_000,
    outputTokens: 128_000,
    drops: [...sampling, ...probabilities],
    dropsTranslated: ['stop', ...penalties],
    takes: { max_completion_tokens: true, developer_role: true },
    cacheLives: ['5m', '24h'],
    ...models,
  },
  {
    family: 'gpt-5.1',
    of: ['gpt-'],
    from: 5.1,
    efforts: ['none', 'low', 'medium', 'high'],
    usualEffort: 'none',
    takes: { sampling_without_thinking: true },
    ...effortsGuide,
  },
  {
    family: 'gpt-5.2',
    of: ['gpt-'],
    from: 5.2,
    efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
    ...effortsGuide,
  },
  {
    family: 'gpt-5.4',
    of: ['gpt-'],
    from: 5.4,
    responses: 'tools_with_effort',
    source: 'https://github.com/openai/openai-openapi/issues/541',
    seen: '2026-05-18',
  },
  { family: 'gpt-5.5', of: ['gpt-'], from: 5.5, dropsTranslated: [], ...models },
  {
    family: 'gpt-5.6',
    of: ['gpt-'],
    from: 5.6,
    efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
    usualEffort: 'medium',
    inputTokens: 922_000,
    responses: 'tools',
    cacheLives: ['30m', '12h'],
    source: 'https://github.com/livekit/agents/issues/7169',
    seen: '2026-09-08',
  },
  {
    family: 'gpt-6',
    of: ['gpt-'],
    from: 6,
    source: 'https://github.com/onyx-dot-app/onyx/issues/15008',
    seen: '2026-09-23',
  },
];

/** Models of a generation that differ from the rest of it by a word in their name. */
const variants: readonly ModelRule[] = [
  {
    family: 'gpt-chat',
    of: ['gpt-'],
    from: 5,
    has: ['-chat'],
    thinks: false,
    efforts: [],
    inputTokens: 128_000,
    outputTokens: 16_384,
    drops: [],
    dropsTranslated: [],
    ...models,
  },
  {
    family: 'gpt-pro',
    of: ['gpt-'],
    from: 5,
    has: ['-pro'],
    efforts: ['high'],
    responses: 'always',
    ...models,
  },
  {
    family: 'gpt-pro',
    of: ['gpt-'],
    from: 5.2,
    has: ['-pro'],
    efforts: ['medium', 'high', 'xhigh'],
    ...models,
  },
  {
    family: 'codex',
    of: ['gpt-', 'codex'],
    has: ['codex'],
    thinks: true,
    efforts: ['low', 'medium', 'high'],
    responses: 'always',
    ...models,
  },
  {
    family: 'codex',
    of: ['gpt-'],
    from: 5.2,
    has: ['codex'],
    efforts: ['low', 'medium', 'high', 'xhigh'],
    ...models,
  },
  {
    family: 'o-pro',
    of: ['o1-pro', 'o3-pro'],
    responses: 'always',
    ...models,
  },
  {
    family: 'deep-research',
    of: ['o3-', 'o4-', 'gpt-'],
    has: ['-deep-research'],
    responses: 'always',
    ...models,
  },
  {
    family: 'computer-use-preview',
    of: ['computer-use-preview'],
    responses: 'always',
    ...models,
  },
  {
    family: 'gpt-4o-search',
    of: ['gpt-4o'],
    has: ['-search-preview'],
    drops: ['temperature'],
    ...models,
  },
  {
    family: 'gpt-image',
    of: ['gpt-image'],
    kind: 'image',
    drops: ['response_format'],
    ...imageCalls,
  },
  {
    family: 'gpt-image',
    of: ['gpt-image', 'chatgpt-image'],
    images: {
      sizes: ['auto', '1024x1024', '1536x1024', '1024x1536'],
      qualities: ['auto', 'low', 'medium', 'high'],
      most: 10,
      anySize: true,
    },
    imagePrices: { byTokens: true },
    ...imageCalls,
  },
  {
    family: 'dall-e',
    of: ['dall-e'],
    images: { sizes: ['1024x1024', '512x512', '256x256'], qualities: [], most: 10 },
    // $0.02, $0.018 and $0.016, until the model ended; LiteLLM's (https://models.litellm.ai) by pixels.
    imagePrices: { factors: { '256x256': 0.8, '512x512': 0.9 } },
    ...imageCalls,
  },
  {
    family: 'dall-e-3',
    of: ['dall-e-3'],
    images: {
      sizes: ['1024x1024', '1792x1024', '1024x1792'],
      qualities: ['standard', 'hd'],
      most: 1,
    },
    imagePrices: {
      factors: {
        '1024x1792': 2,
        '1792x1024': 2,
        hd: 2,
        '1024x1792 hd': 3,
        '1792x1024 hd': 3,
      },
    },
    ...imageCalls,
  },
];

const limits: readonly ModelRule[] = [
  { family: 'gpt-3.5', of: ['gpt-3.5'], inputTokens: 16_385, outputTokens: 4096, ...models },
  { family: 'gpt-4', of: ['gpt-4'], inputTokens: 8192, ...models },
  {
    family: 'gpt-4-turbo',
    of: ['gpt-4-turbo', 'gpt-4-1106', 'gpt-4-0125', 'gpt-4-vision'],
    outputTokens: 4096,
    ...models,
  },
  { family: 'gpt-4-turbo', of: ['gpt-4-turbo'], inputTokens: 128_000, ...models },
  { family: 'gpt-4o', of: ['gpt-4o', 'chatgpt-4o'], outputTokens: 16_384, ...models },
  { family: 'gpt-4o', of: ['gpt-4o'], inputTokens: 128_000, ...models },
  { family: 'gpt-4.5', of: ['gpt-4.5'], outputTokens: 16_384, ...models },
  { family: 'gpt-4.1', of: ['gpt-4.1'], inputTokens: 1_047_576, outputTokens: 32_768, ...models },
  { family: 'codex', of: ['codex'], inputTokens: 200_000, ...models },
  {
    family: 'gpt-oss',
    of: ['gpt-oss'],
    thinks: true,
    thinking: ['level'],
    efforts: ['low', 'medium', 'high'],
    source: 'https://github.com/openai/gpt-oss',
    seen: '2026-11-24',
  },
];

/** From the general to the particular: the family of a name is that of the last rule that fits. */
export const openaiRules: readonly ModelRule[] = [
  ...openaiTokenRules,
  ...limits,
  ...thinkers,
  ...variants,
];
