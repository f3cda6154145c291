/**
 * What goes into models and comes out, and how long their prompts are where no other rule says so.
 * For lists of models; nothing is refused by it.
 */
import type { ModelRule } from '../schema.ts';

const catalogue = {
  source: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
  seen: '2026-11-24',
} as const;

const text = { reads: ['text'], ...catalogue } as const;
const seeing = { reads: ['text', 'image'], ...catalogue } as const;
const reading = { reads: ['text', 'image', 'file'], ...catalogue } as const;
const watching = { reads: ['text', 'image', 'video'], ...catalogue } as const;

const openai: readonly ModelRule[] = [
  { family: 'gpt', of: ['gpt-3.5', 'gpt-4', 'o1', 'o3-mini'], ...text },
  { family: 'gpt', of: ['gpt-4o', 'gpt-4.1', 'gpt-4-turbo', 'chatgpt-4o'], ...reading },
  { family: 'gpt-5', of: ['gpt-'], from: 5, ...reading },
  { family: 'o-series', of: ['o'], from: 1, lacks: ['-mini', '-preview'], ...reading },
  { family: 'o4-mini', of: ['o4-mini'], ...reading },
  {
    family: 'gpt-audio',
    of: ['gpt-audio', 'gpt-4o-audio', 'gpt-4o-mini-audio'],
    inputTokens: 128_000,
    reads: ['text', 'audio'],
    writes: ['text', 'audio'],
    ...catalogue,
  },
  {
    family: 'gpt-realtime',
    of: ['gpt-realtime', 'gpt-4o-realtime', 'gpt-4o-mini-realtime'],
    kind: 'realtime',
    reads: ['text', 'image', 'audio'],
    writes: ['text', 'audio'],
    ...catalogue,
  },
  {
    family: 'gpt-realtime-preview',
    of: ['gpt-4o-realtime', 'gpt-4o-mini-realtime'],
    takes: { realtime_beta: true },
    source: 'https://platform.openai.com/docs/guides/realtime',
    seen: '2026-11-24',
  },
  {
    family: 'gpt-image',
    of: ['gpt-image', 'chatgpt-image'],
    reads: ['text', 'image'],
    writes: ['image'],
    ...catalogue,
  },
];

const claude: readonly ModelRule[] = [
  { family: 'claude', of: ['claude'], from: 3, ...seeing },
  { family: 'claude', of: ['claude'], from: 3.5, ...reading },
];

const gemini: readonly ModelRule[] = [
  {
    family: 'gemini',
    of: ['gemini-'],
    from: 1.5,
    reads: ['text', 'image', 'audio', 'video', 'file'],
    ...catalogue,
  },
  { family: 'gemini-image', of: ['gemini-'], has: ['-image'], ...seeing },
];

const others: readonly ModelRule[] = [
  { family: 'grok-4', of: ['grok-'], from: 4, inputTokens: 1_000_000, ...seeing },
  {
    family: 'grok-4.5',
    of: ['grok-'],
    from: 4.5,
    lacks: ['grok-4.20'],
    inputTokens: 500_000,
    ...seeing,
  },
  { family: 'deepseek', of: ['deepseek'], ...text },
  { family: 'deepseek', of: ['deepseek'], has: ['-vision'], ...seeing },
  { family: 'kimi', of: ['kimi-'], from: 2.5, inputTokens: 262_144, ...watching },
  { family: 'glm', of: ['glm-'], inputTokens: 200_000, ...text },
  { family: 'glm', of: ['glm-4v', 'glm-4.5v', 'glm-4.6v', 'glm-5v'], ...seeing },
  {
    family: 'mistral',
    of: ['mistral-large', 'mistral-medium', 'mistral-small', 'ministral', 'pixtral'],
    inputTokens: 262_144,
    ...seeing,
  },
  { family: 'mistral', of: ['codestral', 'devstral'], lacks: ['embed'], ...text },
  { family: 'qwen', of: ['qwen'], from: 3.5, inputTokens: 991_808, ...seeing },
  { family: 'qwen', of: ['qwen3.7-max'], ...text },
  { family: 'qwen', of: ['qwen3.8-flash'], ...watching },
  {
    family: 'qwen',
    of: ['qwen3.8-omni'],
    reads: ['text', 'image', 'audio', 'video'],
    ...catalogue,
  },
  { family: 'minimax-m3', of: ['minimax-m'], inputTokens: 1_000_000, ...text },
  { family: 'minimax-m3', of: ['minimax-m'], from: 3, ...seeing },
  { family: 'sonar', of: ['sonar'], inputTokens: 128_000, ...text },
  { family: 'sonar', of: ['sonar-pro'], inputTokens: 200_000, ...text },
  { family: 'command', of: ['command-a'], inputTokens: 256_000, ...text },
  { family: 'command', of: ['command-r'], inputTokens: 128_000, ...text },
  { family: 'aya', of: ['c4ai-aya-expanse-32b'], inputTokens: 128_000, ...text },
  { family: 'grok-build', of: ['grok-build'], inputTokens: 256_000, ...catalogue },
  { family: 'grok-build', of: ['grok-build-latest'], inputTokens: 500_000, ...catalogue },
  { family: 'magistral', of: ['magistral'], inputTokens: 262_144, ...catalogue },
  { family: 'mistral', of: ['codestral', 'open-mistral-nemo'], inputTokens: 128_000, ...text },
  { family: 'mistral', of: ['devstral'], inputTokens: 256_000, ...text },
  {
    family: 'voxtral',
    of: ['voxtral-small'],
    inputTokens: 32_768,
    reads: ['text', 'audio'],
    ...catalogue,
  },
  { family: 'qwen', of: ['qwen3-max'], inputTokens: 258_048, ...text },
  {
    family: 'qwen',
    of: ['qwen3-coder-plus', 'qwen3-coder-flash', 'qwen-flash'],
    inputTokens: 997_952,
    ...text,
  },
  { family: 'qwen', of: ['qwen-max'], inputTokens: 30_720, ...text },
  { family: 'qwen', of: ['qwen-plus', 'qwen-turbo'], inputTokens: 129_024, ...text },
  { family: 'qwen', of: ['qwen-coder'], inputTokens: 1_000_000, ...text },
  { family: 'qwen', of: ['qwq-plus'], inputTokens: 98_304, ...text },
  { family: 'doubao-seed', of: ['doubao-seed-2'], inputTokens: 256_000, ...catalogue },
  {
    family: 'doubao-seed',
    of: ['doubao-seed-2-1'],
    has: ['-260915'],
    inputTokens: 1_024_000,
    ...catalogue,
  },
  { family: 'hy', of: ['hy4'], inputTokens: 960_000, ...text },
];

const embeddings: readonly ModelRule[] = [
  {
    family: 'text-embedding',
    of: ['text-embedding-3', 'text-embedding-ada'],
    inputTokens: 8191,
    ...text,
  },
  { family: 'embed', of: ['mistral-embed', 'codestral-embed'], inputTokens: 8192, ...text },
  { family: 'embed', of: ['embed-english-v3', 'embed-multilingual-v3'], inputTokens: 512, ...text },
  { family: 'embed', of: ['embed-v4', 'embed-v5'], inputTokens: 128_000, ...seeing },
];

export const modalityRules: readonly ModelRule[] = [
  ...openai,
  ...claude,
  ...gemini,
  ...others,
  ...embeddings,
];
