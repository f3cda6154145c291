/** How the tokens of texts and images are counted for OpenAI's models. Later rules say more. */
import type { ModelRule } from '../schema.ts';

const images = {
  source: 'https://platform.openai.com/docs/guides/images-vision',
  seen: '2026-11-24',
} as const;
const tokenizers = {
  source: 'https://github.com/openai/tiktoken/blob/main/tiktoken/model.py',
  seen: '2026-11-24',
} as const;

export const openaiTokenRules: readonly ModelRule[] = [
  {
    family: 'cl100k',
    of: [
      ...['gpt-', 'chatgpt-', 'text-embedding-', 'text-moderation', 'davinci-', 'babbage-'],
      ...['tts-', 'whisper-', 'dall-e-'],
    ],
    vendor: 'openai',
    tokenizer: 'cl100k',
    imageTokens: { base: 85, tile: 170 },
    ...tokenizers,
  },
  {
    family: 'o200k',
    of: [
      ...[
        'chatgpt-4o',
        'gpt-4o',
        'gpt-4.1',
        'gpt-4.5',
        'gpt-oss',
        'gpt-realtime',
        'gpt-audio',
        'gpt-image',
        'gpt-transcribe',
      ],
      ...['codex-', 'computer-use', 'omni-moderation'],
    ],
    vendor: 'openai',
    tokenizer: 'o200k',
    imageTokens: { base: 85, tile: 170 },
    ...tokenizers,
  },
  { family: 'o200k', of: ['gpt-'], from: 5, tokenizer: 'o200k', ...tokenizers },
  {
    family: 'gpt-4o-mini',
    of: ['gpt-4o-mini'],
    imageTokens: { base: 2833, tile: 5667 },
    ...images,
  },
  {
    family: 'gpt-4.1-mini',
    of: ['gpt-4.1-mini'],
    imageTokens: { base: 85, patchFactor: 1.62 },
    ...images,
  },
  {
    family: 'gpt-4.1-nano',
    of: ['gpt-4.1-nano'],
    imageTokens: { base: 85, patchFactor: 2.46 },
    ...images,
  },
  { family: 'gpt-5', of: ['gpt-5'], imageTokens: { base: 70, tile: 140 }, ...images },
  {
    family: 'gpt-5-mini',
    of: ['gpt-5-mini'],
    imageTokens: { base: 70, patchFactor: 1.62 },
    ...images,
  },
  {
    family: 'gpt-5-nano',
    of: ['gpt-5-nano'],
    imageTokens: { base: 70, patchFactor: 2.46 },
    ...images,
  },
  {
    family: 'o-series',
    of: ['o'],
    from: 1,
    thinks: true,
    vendor: 'openai',
    tokenizer: 'o200k',
    imageTokens: { base: 85, tile: 170 },
    ...tokenizers,
  },
  { family: 'o1', of: ['o'], from: 1, below: 2, imageTokens: { base: 75, tile: 150 }, ...images },
  { family: 'o3', of: ['o'], from: 3, below: 4, imageTokens: { base: 75, tile: 150 }, ...images },
  { family: 'o4-mini', of: ['o4-mini'], imageTokens: { base: 75, patchFactor: 1.72 }, ...images },
  {
    family: 'computer-use-preview',
    of: ['computer-use'],
    imageTokens: { base: 65, tile: 129 },
    ...images,
  },
];
