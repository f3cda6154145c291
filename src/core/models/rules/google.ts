/** Gemini's generations (docs/rules/providers.md#gemini-generations). Later rules say more. */
import type { ModelRule } from '../schema.ts';

const models = {
  source: 'https://ai.google.dev/gemini-api/docs/models',
  seen: '2026-11-24',
} as const;
const thinking = {
  source: 'https://ai.google.dev/gemini-api/docs/thinking',
  seen: '2026-11-24',
} as const;
/** Levels and refusals by model in the AI SDK, `packages/google`. */
const levels = {
  source: 'https://github.com/vercel/ai/blob/main/packages/google/src/google-model-catalog.ts',
  seen: '2026-11-24',
} as const;

const of = ['gemini-'];
const fromLow = ['low', 'medium', 'high'] as const;

export const googleRules: readonly ModelRule[] = [
  {
    family: 'gemini',
    of: [...of, 'gemma', 'learnlm'],
    vendor: 'gemini',
    ...models,
  },
  { family: 'gemini', of, inputTokens: 1_048_576, outputTokens: 8192, thinking: [], ...models },
  { family: 'gemini-2', of, from: 2, takes: { safety_off: true }, ...models },
  {
    family: 'gemini-2.5',
    of,
    from: 2.5,
    thinks: true,
    outputTokens: 65_536,
    thinking: [],
    takes: { json_schema: true },
    ...models,
  },
  {
    family: 'gemini-2.5',
    of,
    from: 2.5,
    below: 3,
    thinking: ['budget'],
    budget: { min: 0, max: 24_576, off: true },
    drops: ['frequencyPenalty', 'presencePenalty'],
    ...thinking,
  },
  {
    family: 'gemini-2.5-flash-lite',
    of,
    from: 2.5,
    below: 3,
    has: ['flash-lite'],
    budget: { min: 512, max: 24_576, off: true },
    ...thinking,
  },
  {
    family: 'gemini-2.5-pro',
    of,
    from: 2.5,
    below: 3,
    has: ['-pro'],
    budget: { min: 128, max: 32_768, off: false },
    ...thinking,
  },
  {
    family: 'gemini-3',
    of,
    from: 3,
    thinking: ['level'],
    efforts: ['minimal', ...fromLow],
    takes: { json_beside_tools: true },
    ...thinking,
  },
  { family: 'gemini-3-pro', of, from: 3, has: ['-pro'], efforts: fromLow, ...thinking },
  {
    family: 'gemini-3-pro',
    of: ['gemini-3-pro'],
    efforts: ['low', 'high'],
    ...thinking,
  },
  { family: 'gemini-3.7', of, from: 3.7, lacks: ['-lite'], efforts: fromLow, ...levels },
  {
    family: 'gemini-4',
    of,
    from: 4,
    efforts: fromLow,
    outputTokens: 1_048_576,
    ...models,
  },
  {
    family: 'gemini-4',
    of,
    from: 4,
    takes: { continuation: true },
    // `Candidate.continuationToken` and `GenerateContentConfig.automaticContinuation`.
    source: 'https://www.npmjs.com/package/@google/genai/v/3.1.0',
    seen: '2026-11-28',
  },
  {
    family: 'gemini-hydrogen',
    of,
    from: 4,
    has: ['-hydrogen'],
    efforts: [...fromLow, 'xhigh'],
    ...levels,
  },
  {
    // The newest of each, which their names do not say.
    family: 'gemini-latest',
    of: ['gemini-flash-', 'gemini-pro-', 'gemini-robotics', 'gemini-omni', 'gemini-live'],
    outputTokens: 65_536,
    ...models,
  },
  {
    family: 'gemini-latest',
    of: ['gemini-flash-lite-latest'],
    efforts: ['minimal', ...fromLow],
    ...levels,
  },
  {
    family: 'gemini-exp',
    of: ['gemini-exp'],
    thinks: false,
    thinking: [],
    efforts: [],
    outputTokens: 8192,
    takes: { json_schema: false, json_beside_tools: false },
    ...models,
  },
  {
    family: 'gemini-image',
    of,
    has: ['image', 'nano-banana'],
    kind: 'image',
    writes: ['text', 'image'],
    ...models,
  },
  {
    family: 'gemini-image',
    of,
    from: 2.5,
    has: ['image', 'nano-banana'],
    outputTokens: 32_768,
    ...models,
  },
  { family: 'gemini-tts', of, has: ['-tts'], kind: 'speech', writes: ['audio'], ...models },
  {
    family: 'gemini-embedding',
    of: ['gemini-embedding'],
    embeds: 1,
    source: 'https://cloud.google.com/vertex-ai/generative-ai/docs/embeddings/get-text-embeddings',
    seen: '2026-11-24',
  },
  { family: 'gemma', of: ['gemma'], takes: { system: false }, ...models },
];
