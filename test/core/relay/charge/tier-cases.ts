/** The same for tiers, thinking, images and batches. */
import { type Case, million } from './token-cases.ts';

export const tierCases: readonly Case[] = [
  // Tiers, as the reply names them.
  {
    ...{ model: 'gpt-6-sol', what: 'priority' },
    ...{ prompt: 1000, output: 500, reply: { service_tier: 'priority' } },
    dollars: (1000 * 4 + 500 * 20) / million,
  },
  {
    ...{ model: 'gpt-6-sol', what: 'flex' },
    ...{ prompt: 1000, cached: 400, output: 500, reply: { service_tier: 'flex' } },
    dollars: (600 * 1 + 400 * 0.1 + 500 * 5) / million,
  },
  {
    ...{ model: 'gpt-6.1-sol', what: 'ultrafast' },
    ...{ prompt: 1000, output: 500, reply: { service_tier: 'ultrafast' } },
    dollars: (1000 * 12 + 500 * 60) / million,
  },
  {
    ...{ model: 'gpt-5.5', what: 'priority, which is dearer there' },
    ...{ prompt: 1000, output: 500, reply: { service_tier: 'priority' } },
    dollars: (1000 * 12.5 + 500 * 75) / million,
  },
  {
    ...{ model: 'gpt-6-sol', what: 'the usual tier' },
    ...{ prompt: 1000, output: 500, reply: { service_tier: 'default' } },
    dollars: (1000 * 2 + 500 * 10) / million,
  },
  {
    ...{ model: 'claude-opus-5-5', what: 'fast' },
    ...{ prompt: 1000, cached: 500, output: 500, usage: { speed: 'fast' } },
    dollars: (500 * 8 + 500 * 0.4 + 500 * 40) / million,
  },
  {
    ...{ model: 'claude-opus-5-5', what: 'in the United States' },
    ...{ prompt: 1000, output: 1000 },
    usage: { service_tier: 'standard', speed: 'standard', inference_geo: 'us' },
    dollars: (1000 * 4.4 + 1000 * 22) / million,
  },
  {
    ...{ model: 'claude-opus-5-5', what: 'fast in the United States' },
    ...{ prompt: 1000, output: 1000, usage: { speed: 'fast', inference_geo: 'us' } },
    dollars: (1000 * 8.8 + 1000 * 44) / million,
  },
  {
    ...{ model: 'claude-sonnet-5-5', what: 'anywhere' },
    ...{ prompt: 1000, output: 1000, usage: { inference_geo: 'global' } },
    dollars: (1000 * 2 + 1000 * 10) / million,
  },
  {
    ...{ model: 'gemini-3.8-flash', what: 'priority' },
    ...{ prompt: 1000, output: 1000, usage: { trafficType: 'ON_DEMAND_PRIORITY' } },
    dollars: (1000 * 1.35 + 1000 * 6.75) / million,
  },
  {
    ...{ model: 'gemini-3.8-flash', what: 'flex' },
    ...{ prompt: 1000, output: 1000, usage: { trafficType: 'ON_DEMAND_FLEX' } },
    dollars: (1000 * 0.375 + 1000 * 1.875) / million,
  },
  {
    ...{ model: 'gemini-3.8-flash', what: 'on demand' },
    ...{ prompt: 1000, output: 1000, usage: { trafficType: 'ON_DEMAND' } },
    dollars: (1000 * 0.75 + 1000 * 3.75) / million,
  },
  // Cache reads that a tier or a step makes dearer or cheaper by another factor.
  {
    ...{ model: 'gpt-5.4', what: 'flex, where cache reads are not quite half' },
    ...{ prompt: 10_000, cached: 4000, output: 500, reply: { service_tier: 'flex' } },
    dollars: (6000 * 1.25 + 4000 * 0.13 + 500 * 7.5) / million,
  },
  {
    ...{ model: 'gemini-2.5-flash', what: 'flex, where cache reads cost the usual price' },
    ...{ prompt: 10_000, cached: 4000, output: 1000 },
    usage: { trafficType: 'ON_DEMAND_FLEX' },
    dollars: (6000 * 0.15 + 4000 * 0.03 + 1000 * 1.25) / million,
  },
  {
    ...{ model: 'gemini-3.1-pro-preview', what: 'flex above 200,000, reads at the step alone' },
    ...{ prompt: 300_000, cached: 100_000, output: 1000 },
    usage: { trafficType: 'ON_DEMAND_FLEX' },
    dollars: (200_000 * 2 + 100_000 * 0.4 + 1000 * 9) / million,
  },
  {
    ...{ model: 'qwen3-coder-flash', what: 'above 32,000' },
    ...{ prompt: 40_000, cached: 10_000, output: 1000 },
    dollars: (30_000 * 0.5 + 10_000 * 0.12 + 1000 * 2.5) / million,
  },
  {
    ...{ model: 'qwen3-coder-flash', what: 'above 256,000' },
    ...{ prompt: 300_000, cached: 100_000, output: 1000 },
    dollars: (200_000 * 1.6 + 100_000 * 0.4 + 1000 * 9.6) / million,
  },
  // Thinking inside the output, and beside it.
  {
    ...{ model: 'gpt-6-sol', what: 'with thinking inside its output' },
    ...{ prompt: 1000, output: 500 },
    usage: {
      completion_tokens_details: { reasoning_tokens: 400 },
      output_tokens_details: { reasoning_tokens: 400 },
    },
    dollars: (1000 * 2 + 500 * 10) / million,
  },
  {
    ...{ model: 'claude-opus-5-5', what: 'with thinking inside its output' },
    ...{ prompt: 1000, output: 500, usage: { output_tokens_details: { thinking_tokens: 400 } } },
    dollars: (1000 * 4 + 500 * 20) / million,
  },
  {
    ...{ model: 'gemini-3.8-flash', what: 'with thoughts beside its output' },
    ...{ prompt: 1000, output: 100, usage: { thoughtsTokenCount: 700, totalTokenCount: 1800 } },
    dollars: (1000 * 0.75 + 800 * 3.75) / million,
  },
  {
    ...{ model: 'grok-4.7', what: 'with thinking beside its output' },
    ...{ prompt: 1000, output: 100 },
    usage: {
      total_tokens: 1500,
      completion_tokens_details: { reasoning_tokens: 400 },
      output_tokens_details: { reasoning_tokens: 400 },
    },
    dollars: (1000 * 2 + 500 * 6) / million,
  },
  // Images in and out.
  {
    ...{ model: 'gpt-6-sol', what: 'with images in its prompt, which cost what text costs' },
    ...{ prompt: 1000, output: 100 },
    usage: {
      prompt_tokens_details: { cached_tokens: 0, text_tokens: 200, image_tokens: 800 },
      input_tokens_details: { cached_tokens: 0, text_tokens: 200, image_tokens: 800 },
    },
    dollars: (1000 * 2 + 100 * 10) / million,
  },
  ...(
    [
      ['gemini-3-pro-image', 2, 12, 120],
      ['gemini-3.1-flash-image', 0.5, 3, 60],
    ] as const
  ).flatMap(([model, input, text, image]) => [
    {
      ...{ model, what: 'that draws after some thought, and says a word' },
      ...{ prompt: 1000, output: 1170 },
      usage: {
        thoughtsTokenCount: 400,
        totalTokenCount: 2570,
        candidatesTokensDetails: [
          { modality: 'IMAGE', tokenCount: 1120 },
          { modality: 'TEXT', tokenCount: 50 },
        ],
      },
      dollars: (1000 * input + 450 * text + 1120 * image) / million,
    },
    {
      ...{ model, what: 'that draws nothing' },
      ...{ prompt: 1000, output: 200 },
      usage: { candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: 200 }] },
      dollars: (1000 * input + 200 * text) / million,
    },
    {
      // What is not known to be text costs what images cost.
      ...{ model, what: 'that does not say what it wrote' },
      ...{ prompt: 1000, output: 1170, usage: { thoughtsTokenCount: 400, totalTokenCount: 2570 } },
      dollars: (1000 * input + 400 * text + 1170 * image) / million,
    },
  ]),
  {
    ...{ model: 'claude-opus-5-5', what: 'of a batch' },
    ...{ prompt: 1000, cached: 200, output: 100, usage: { service_tier: 'batch' } },
    dollars: (800 * 2 + 200 * 0.1 + 100 * 10) / million,
  },
  ...(
    [
      [20_000, 0.46, 2.3],
      [32_001, 0.7, 3.5],
      [200_000, 1.4, 7],
    ] as const
  ).map(([prompt, input, output]) => ({
    ...{ model: 'doubao-seed-2-0-pro-260215', what: `with a prompt of ${prompt}` },
    ...{ prompt, output: 10_000 },
    dollars: (prompt * input + 10_000 * output) / million,
  })),
  {
    ...{ model: 'doubao-seed-2-0-mini-260215', what: 'above 128k' },
    ...{ prompt: 200_000, output: 10_000 },
    dollars: (200_000 * 0.12 + 10_000 * 1.2) / million,
  },
];
