/** Requests and what vendors' lists say that they cost: steps and cache lives. */
import type { VendorReply } from '../../../support/vendor-replies.ts';
import type { FeeName } from './vendor-lists.ts';

export const callers = ['chat', 'messages', 'responses', 'gemini'] as const;
export type Caller = (typeof callers)[number];
export const million = 1_000_000;

export interface Case extends VendorReply {
  readonly model: string;
  /** What is special about it. */
  readonly what: string;
  /** What the request says besides. */
  readonly ask?: Readonly<Record<string, unknown>>;
  /** By the vendor's list (vendor-lists.ts). */
  readonly dollars: number;
  /** What its list says besides the price of tokens. */
  readonly fees?: readonly FeeName[];
  /** Only these formats can say so; absent: all. */
  readonly by?: readonly Caller[];
}

export const tokenCases: readonly Case[] = [
  // Steps: the whole request is in its step.
  {
    model: 'gpt-6-sol',
    what: 'at the end of the first step',
    prompt: 272_000,
    output: 1000,
    dollars: (272_000 * 2 + 1000 * 10) / million,
  },
  {
    model: 'gpt-6-sol',
    what: 'above 272k, with cache reads and writes',
    prompt: 300_000,
    cached: 100_000,
    written: 50_000,
    output: 1000,
    dollars: (150_000 * 4 + 100_000 * 0.4 + 50_000 * 5 + 1000 * 15) / million,
  },
  {
    model: 'gpt-5.5',
    what: 'above 272k',
    prompt: 300_000,
    output: 2000,
    dollars: (300_000 * 10 + 2000 * 45) / million,
  },
  {
    model: 'claude-haiku-5-5',
    what: 'above 100k',
    prompt: 120_000,
    cached: 40_000,
    written: 40_000,
    long: 20_000,
    output: 4000,
    dollars: (40_000 * 0.5 + 40_000 * 0.05 + 20_000 * 0.625 + 20_000 * 1 + 4000 * 2.5) / million,
  },
  {
    model: 'gemini-3.1-pro-preview',
    what: 'above 200k',
    prompt: 250_000,
    cached: 50_000,
    output: 1000,
    dollars: (200_000 * 4 + 50_000 * 0.4 + 1000 * 18) / million,
  },
  {
    model: 'grok-4.7',
    what: 'above 200k',
    prompt: 250_000,
    cached: 50_000,
    output: 1000,
    dollars: (200_000 * 4 + 50_000 * 1 + 1000 * 12) / million,
  },
  {
    model: 'MiniMax-M3',
    what: 'above 512k',
    prompt: 600_000,
    output: 10_000,
    dollars: (600_000 * 0.6 + 10_000 * 2.4) / million,
  },
  {
    model: 'gpt-5.4',
    what: 'above 272k',
    prompt: 272_002,
    output: 2000,
    dollars: (272_002 * 5 + 2000 * 22.5) / million,
  },
  {
    model: 'gpt-5.4-mini',
    what: 'above 272k, where it has no step',
    prompt: 300_000,
    output: 2000,
    dollars: (300_000 * 0.75 + 2000 * 4.5) / million,
  },
  {
    model: 'qwen3.7-plus',
    what: 'above 256k',
    prompt: 300_000,
    cached: 100_000,
    output: 10_000,
    dollars: (200_000 * 1.2 + 100_000 * 0.24 + 10_000 * 4.8) / million,
  },
  ...(
    [
      [32_000, 1, 5],
      [100_000, 1.8, 9],
      [200_000, 3, 15],
      [500_000, 6, 60],
    ] as const
  ).map(([prompt, input, output]) => ({
    model: 'qwen3-coder-plus',
    what: `with a prompt of ${prompt}`,
    prompt,
    output: 1000,
    dollars: (prompt * input + 1000 * output) / million,
  })),
  {
    model: 'doubao-seed-2-0-mini-260215',
    what: 'above 32k',
    prompt: 100_000,
    output: 10_000,
    dollars: (100_000 * 0.058 + 10_000 * 0.58) / million,
  },
  // No step, no tier: plain and cached tokens.
  {
    model: 'glm-5.3',
    what: 'partly cached',
    prompt: 400_000,
    cached: 100_000,
    output: 1000,
    dollars: (300_000 * 1.4 + 100_000 * 0.26 + 1000 * 4.4) / million,
  },
  {
    model: 'mistral-large-4',
    what: 'partly cached',
    prompt: 400_000,
    cached: 100_000,
    output: 1000,
    dollars: (300_000 * 0.7 + 100_000 * 0.07 + 1000 * 2.1) / million,
  },
  {
    model: 'deepseek-v4-pro',
    what: 'partly cached',
    prompt: 400_000,
    cached: 100_000,
    output: 1000,
    dollars: (300_000 * 1.32 + 100_000 * 0.044 + 1000 * 3.96) / million,
  },
  // Cache lives: thirty minutes and twelve hours, five minutes and an hour.
  {
    model: 'gpt-6-sol',
    what: 'with cache writes of thirty minutes',
    prompt: 1000,
    cached: 200,
    written: 800,
    output: 100,
    dollars: (200 * 0.2 + 800 * 2.5 + 100 * 10) / million,
  },
  {
    model: 'gpt-6-sol',
    what: 'with cache writes of both lives',
    prompt: 1000,
    written: 800,
    long: 600,
    output: 100,
    dollars: (200 * 2 + 200 * 2.5 + 600 * 5 + 100 * 10) / million,
  },
  {
    model: 'claude-opus-5-5',
    what: 'with cache writes of both lives',
    prompt: 1000,
    cached: 100,
    written: 800,
    long: 600,
    output: 100,
    dollars: (100 * 4 + 100 * 0.2 + 200 * 5 + 600 * 8 + 100 * 20) / million,
  },
  {
    model: 'kimi-k3',
    what: 'with cache writes of both lives',
    prompt: 1000,
    cached: 100,
    written: 800,
    long: 600,
    output: 100,
    usage: {
      prompt_tokens_details: {
        cached_tokens: 100,
        cache_creation_input_tokens: 800,
        cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 600 },
      },
    },
    dollars: (100 * 3 + 100 * 0.3 + 200 * 3 + 600 * 6 + 100 * 15) / million,
  },
  {
    model: 'qwen3.8-flash',
    what: 'with writes to an explicit cache',
    prompt: 100_000,
    cached: 20_000,
    written: 50_000,
    output: 1000,
    usage: {
      prompt_tokens_details: {
        cached_tokens: 20_000,
        cache_creation_input_tokens: 50_000,
        cache_type: 'ephemeral',
      },
    },
    dollars: (30_000 * 0.15 + 20_000 * 0.016 + 50_000 * 0.2 + 1000 * 0.47) / million,
  },
  {
    model: 'gemini-2.5-flash',
    what: 'with audio, some of it cached',
    prompt: 10_000,
    cached: 4000,
    output: 1000,
    usage: {
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 4000 },
        { modality: 'AUDIO', tokenCount: 6000 },
      ],
      cacheTokensDetails: [
        { modality: 'TEXT', tokenCount: 1000 },
        { modality: 'AUDIO', tokenCount: 3000 },
      ],
    },
    dollars: (3000 * 0.3 + 3000 * 1 + 1000 * 0.03 + 3000 * 0.1 + 1000 * 2.5) / million,
  },
  {
    model: 'grok-4.7',
    what: 'with cached tokens beside the others',
    prompt: 1000,
    cached: 3000,
    output: 500,
    usage: { total_tokens: 4500 },
    dollars: (1000 * 2 + 3000 * 0.5 + 500 * 6) / million,
  },
  ...(
    [
      ['gpt-audio', 2.5, 32, 10, 64],
      ['gpt-audio-1.5', 2.5, 32, 10, 64],
      ['gpt-audio-mini', 0.6, 10, 2.4, 20],
    ] as const
  ).map(([model, text, sound, answer, spoken]) => ({
    model,
    what: 'with sound in and out',
    by: ['chat'] as const,
    prompt: 1000,
    output: 1500,
    usage: {
      prompt_tokens_details: { cached_tokens: 0, text_tokens: 200, audio_tokens: 800 },
      completion_tokens_details: { text_tokens: 300, audio_tokens: 1200, reasoning_tokens: 0 },
    },
    dollars: (200 * text + 800 * sound + 300 * answer + 1200 * spoken) / million,
  })),
];
