/**
 * The vendors' list prices that the cases are worked out from, each with the public page that says so
 * and the day on which it did. Dollars per million tokens; steps and tiers as factors of them.
 */

/** Where a price stands. */
interface Origin {
  readonly source: string;
  readonly seen: string;
}

export interface ListEntry extends Origin {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  /** Cache writes of the usual life, and of the longer one. */
  readonly written?: number;
  readonly long?: number;
  /** Sound and images in and out. */
  readonly audioIn?: number;
  readonly audioOut?: number;
  readonly cachedAudio?: number;
  readonly imageIn?: number;
  readonly imageOut?: number;
  /** With a prompt of more tokens: factors of input and output. */
  readonly above?: readonly (readonly [tokens: number, input: number, output: number])[];
  readonly tiers?: Readonly<Record<string, number>>;
}

/** A price that is not one of tokens: dollars for each of `per`. */
interface Fee extends Origin {
  readonly dollars: number;
  readonly per: string;
}

/** LiteLLM's public catalogue, version 1.110.2, which the vendors' pages were checked against. */
export const litellm: Origin = {
  source: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
  seen: '2026-11-24',
};
const openai: Origin = {
  source: 'https://developers.openai.com/api/docs/pricing',
  seen: '2026-11-28',
};
const openaiAudio: Origin = { ...openai, seen: '2026-09-16' };
const anthropic: Origin = {
  source: 'https://platform.claude.com/docs/en/about-claude/pricing',
  seen: '2026-11-28',
};
const xai: Origin = { source: 'https://docs.x.ai/developers/pricing.md', seen: '2026-11-28' };
const kimi: Origin = { source: 'https://platform.kimi.ai/docs/pricing/tools', seen: '2026-11-28' };

const openaiTiers = { priority: 2, flex: 0.5 };
const geminiTiers = { priority: 1.8, flex: 0.5 };
const above272k = [[272_000, 2, 1.5]] as const;
const realtimeSmall = { audioIn: 10, cachedAudio: 0.3, audioOut: 20, imageIn: 0.8 } as const;
const realtime = { audioIn: 32, cachedAudio: 0.4, audioOut: 64, imageIn: 5 } as const;

/** By the model; those of list-cases.ts besides. */
export const listEntries: Readonly<Record<string, ListEntry>> = {
  'gpt-6-sol': {
    input: 2,
    output: 10,
    cached: 0.2,
    written: 2.5,
    long: 5,
    above: above272k,
    tiers: openaiTiers,
    ...litellm,
  },
  'gpt-6.1-sol': {
    input: 2,
    output: 10,
    cached: 0.1,
    written: 2.5,
    long: 5,
    above: above272k,
    tiers: { ...openaiTiers, ultrafast: 6 },
    ...litellm,
  },
  'gpt-5.5': {
    input: 5,
    output: 30,
    cached: 0.5,
    above: above272k,
    tiers: { priority: 2.5 },
    ...litellm,
  },
  'gpt-5.4': { input: 2.5, output: 15, cached: 0.25, above: above272k, ...litellm },
  'gpt-5.4-mini': { input: 0.75, output: 4.5, cached: 0.075, ...litellm },
  'gpt-4.1': { input: 2, output: 8, cached: 0.5, ...litellm },
  'gpt-5-search-api': { input: 1.25, output: 10, cached: 0.125, ...litellm },
  'gpt-4o-search-preview': { input: 2.5, output: 10, cached: 1.25, ...litellm },
  'gpt-image-2': { input: 5, output: 30, imageIn: 8, ...litellm },
  'gpt-audio': { input: 2.5, output: 10, audioIn: 32, audioOut: 64, ...litellm },
  'gpt-audio-1.5': { input: 2.5, output: 10, audioIn: 32, audioOut: 64, ...litellm },
  'gpt-audio-mini': { input: 0.6, output: 2.4, audioIn: 10, audioOut: 20, ...litellm },
  'gpt-realtime-2.1': { input: 4, output: 24, cached: 0.4, ...realtime, ...openaiAudio },
  'gpt-realtime-2.1-mini': {
    input: 0.6,
    output: 2.4,
    cached: 0.06,
    ...realtimeSmall,
    ...openaiAudio,
  },
  'gpt-realtime': { input: 4, output: 16, cached: 0.4, ...realtime, ...openaiAudio },
  'gpt-realtime-mini': {
    input: 0.6,
    output: 2.4,
    cached: 0.06,
    ...realtimeSmall,
    ...openaiAudio,
  },
  'gpt-4o-mini-tts': { input: 0.6, output: 12, audioOut: 12, ...openaiAudio },
  'gpt-4o-transcribe': { input: 2.5, output: 10, audioIn: 6, ...openaiAudio },
  'gpt-4o-mini-transcribe': { input: 1.25, output: 5, audioIn: 3, ...openaiAudio },
  // By the character, of which it says $15 for a million.
  'tts-1': { input: 15, output: 0, ...openaiAudio },
  // By the minute, which counts as 1,000 tokens (docs/rules/pricing.md#audio-seconds).
  'whisper-1': { input: 6, output: 0, ...openaiAudio },
  'text-embedding-3-small': { input: 0.02, output: 0, ...litellm },
  'text-embedding-3-large': { input: 0.13, output: 0, ...litellm },
  'text-embedding-ada-002': { input: 0.1, output: 0, ...litellm },
  'claude-opus-5-5': {
    input: 4,
    output: 20,
    cached: 0.2,
    written: 5,
    long: 8,
    tiers: { fast: 2, us: 1.1, batch: 0.5 },
    ...litellm,
  },
  'claude-sonnet-5-5': { input: 2, output: 10, cached: 0.1, written: 2.5, long: 4, ...litellm },
  'claude-opus-4-7': { input: 5, output: 25, cached: 0.5, written: 6.25, long: 10, ...litellm },
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cached: 0.01,
    written: 0.125,
    long: 0.2,
    above: [[100_000, 5, 5]],
    ...litellm,
  },
  'claude-fable-5-1': {
    input: 10,
    output: 50,
    cached: 0.25,
    written: 12.5,
    long: 20,
    tiers: { us: 1.1 },
    ...litellm,
  },
  'qwen3.8-flash': { input: 0.15, output: 0.47, cached: 0.016, written: 0.2, ...litellm },
  'qwen3.7-plus': {
    input: 0.4,
    output: 1.6,
    cached: 0.08,
    above: [[256_000, 3, 3]],
    ...litellm,
  },
  'qwen3-coder-flash': {
    input: 0.3,
    output: 1.5,
    cached: 0.08,
    ...litellm,
    above: [
      [32_000, 0.5 / 0.3, 2.5 / 1.5],
      [256_000, 1.6 / 0.3, 9.6 / 1.5],
    ],
  },
  'qwen3-coder-plus': {
    input: 1,
    output: 5,
    cached: 0.1,
    ...litellm,
    above: [
      [32_000, 1.8, 1.8],
      [128_000, 3, 3],
      [256_000, 6, 12],
    ],
  },
  'gemini-3.1-pro-preview': {
    input: 2,
    output: 12,
    cached: 0.2,
    above: [[200_000, 2, 1.5]],
    ...litellm,
  },
  'gemini-3.8-flash': {
    input: 0.75,
    output: 3.75,
    cached: 0.075,
    tiers: geminiTiers,
    ...litellm,
  },
  'gemini-2.5-flash': {
    input: 0.3,
    output: 2.5,
    cached: 0.03,
    audioIn: 1,
    cachedAudio: 0.1,
    ...litellm,
  },
  'gemini-3-pro-image': { input: 2, output: 12, imageOut: 120, ...litellm },
  'gemini-3.1-flash-image': { input: 0.5, output: 3, imageOut: 60, ...litellm },
  'kimi-k3': { input: 3, output: 15, cached: 0.3, written: 3, long: 6, ...litellm },
  'glm-5.3': { input: 1.4, output: 4.4, cached: 0.26, ...litellm },
  sonar: { input: 1, output: 1, ...litellm },
  'sonar-pro': { input: 3, output: 15, ...litellm },
  // Thinking $3, citations $2.
  'sonar-deep-research': { input: 2, output: 8, ...litellm },
  'MiniMax-M3': {
    input: 0.3,
    output: 1.2,
    cached: 0.06,
    above: [[512_000, 2, 2]],
    ...litellm,
  },
  'mistral-large-4': { input: 0.7, output: 2.1, cached: 0.07, ...litellm },
  'deepseek-v4-pro': {
    input: 1.32,
    output: 3.96,
    cached: 0.044,
    tiers: { offpeak: 0.5 },
    source: 'https://api-docs.deepseek.com/quick_start/pricing',
    seen: '2026-11-28',
  },
  // $0.70 and $3.50, then $1.40 and $7.
  'doubao-seed-2-0-pro-260215': {
    input: 0.46,
    output: 2.3,
    ...litellm,
    above: [
      [32_000, 0.7 / 0.46, 3.5 / 2.3],
      [128_000, 1.4 / 0.46, 7 / 2.3],
    ],
  },
  'doubao-seed-2-0-mini-260215': {
    input: 0.029,
    output: 0.29,
    ...litellm,
    above: [
      [32_000, 2, 2],
      [128_000, 0.12 / 0.029, 1.2 / 0.29],
    ],
  },
  'grok-4.7': { input: 2, output: 6, cached: 0.5, above: [[200_000, 2, 2]], ...litellm },
};

/** What costs more than tokens. */
export const fees = {
  web_search: { dollars: 0.01, per: 'search', ...openai },
  web_search_preview: { dollars: 0.025, per: 'search of a model that does not think', ...openai },
  search_model: { dollars: 0.025, per: 'request of gpt-4o-search-preview', ...litellm },
  search_api: { dollars: 0.01, per: 'request of gpt-5-search-api', ...litellm },
  file_search: { dollars: 0.0025, per: 'search', ...openai },
  container_1g: { dollars: 0.03, per: '20 minutes, by the minute, five at least', ...openai },
  container_4g: { dollars: 0.12, per: '20 minutes', ...openai },
  container_16g: { dollars: 0.48, per: '20 minutes', ...openai },
  container_64g: { dollars: 1.92, per: '20 minutes', ...openai },
  claude_search: { dollars: 0.01, per: 'search', ...anthropic },
  claude_fetch: { dollars: 0, per: 'page', ...anthropic },
  claude_code: { dollars: 0.05, per: 'hour, five minutes at least', ...anthropic },
  computer_use: { dollars: 0, per: 'call: its tokens are all', ...litellm },
  grounding: { dollars: 0.014, per: 'query, from Gemini 3 on', ...litellm },
  grounded_request: { dollars: 0.035, per: 'grounded request, before Gemini 3', ...litellm },
  maps: { dollars: 0.014, per: 'request', ...litellm },
  // `toolUsePromptTokenCount` of its types.
  url_context: {
    dollars: 0,
    per: 'page: its tokens are input',
    source: 'https://www.npmjs.com/package/@google/genai/v/3.1.0',
    seen: '2026-11-28',
  },
  xai_search: { dollars: 0.005, per: 'search of the web or of X', ...xai },
  xai_code: { dollars: 0.005, per: 'call', ...xai },
  xai_files: { dollars: 0.0025, per: 'search', ...xai },
  kimi_search: { dollars: 0.005, per: 'call', ...kimi },
  sonar_low: { dollars: 0.005, per: 'request', ...litellm },
  sonar_medium: { dollars: 0.008, per: 'request', ...litellm },
  sonar_high: { dollars: 0.012, per: 'request', ...litellm },
  sonar_pro_low: { dollars: 0.006, per: 'request', ...litellm },
  sonar_pro_medium: { dollars: 0.01, per: 'request', ...litellm },
  sonar_pro_high: { dollars: 0.014, per: 'request', ...litellm },
  sonar_query: { dollars: 0.005, per: 'query', ...litellm },
  whisper: { dollars: 0.006, per: 'minute', ...openai },
  // The page estimates it from the tokens.
  spoken_minute: { dollars: 0.015, per: 'minute of gpt-4o-mini-tts', ...openai },
  image_tokens: {
    dollars: 30,
    per: 'million tokens, by quality and size',
    source: 'https://developers.openai.com/api/docs/guides/image-generation',
    seen: '2026-11-28',
  },
} as const satisfies Readonly<Record<string, Fee>>;

export type FeeName = keyof typeof fees;
