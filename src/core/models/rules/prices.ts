/**
 * What whole families cost besides their tokens, and for cached audio. Before the other rules: those
 * name the families.
 */
import type { ModelRule } from '../schema.ts';

/** LiteLLM's public catalogue of models and prices, version 1.110.2. */
const catalogue = {
  source: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
  seen: '2026-11-24',
} as const;
const openAi = { source: 'https://platform.openai.com/docs/pricing', seen: '2026-11-28' } as const;
const openAiTokens = {
  source: 'https://developers.openai.com/api/docs/pricing',
  seen: '2026-11-29',
} as const;
const anthropic = {
  source: 'https://platform.claude.com/docs/en/about-claude/pricing',
  seen: '2026-11-28',
} as const;

/**
 * The list says for 20 minutes of code interpreter or shell $0.03, $0.12, $0.48 and $1.92 by the
 * container's memory, charged by the minute, five at least.
 */
const openAiTools = {
  web_search: 0.01,
  file_search: 0.0025,
  container_minute: 0.0015,
  container_minute_4g: 0.006,
  container_minute_16g: 0.024,
  container_minute_64g: 0.096,
} as const;
/** The older search of models that do not think costs more: what it finds is free. */
const plainModels = { ...openAiTools, web_search_preview: 0.025 } as const;
const thinkers = { ...openAiTools, web_search_preview: 0.01 } as const;

export const priceRules: readonly ModelRule[] = [
  {
    family: 'gpt',
    of: ['gpt-', 'chatgpt-', 'o1', 'o3', 'o4'],
    // The tool chooses its model; the guide names the latest.
    imageModel: 'gpt-image-2',
    source: 'https://developers.openai.com/api/docs/guides/image-generation',
    seen: '2026-11-28',
  },
  { family: 'gpt', of: ['gpt-', 'chatgpt-'], toolPrices: plainModels, ...openAi },
  // What a search finds is a block of 8,000 tokens of input for these two, beside what the reply reports:
  // at $0.15 and $0.40 a million $0.0012 and $0.0032 for each call.
  {
    family: 'gpt',
    of: ['gpt-4o-mini'],
    toolPrices: { ...plainModels, web_search: 0.0112 },
    ...openAiTokens,
  },
  {
    family: 'gpt',
    of: ['gpt-4.1-mini'],
    toolPrices: { ...plainModels, web_search: 0.0132 },
    ...openAiTokens,
  },
  { family: 'gpt-5', of: ['gpt-'], from: 5, toolPrices: thinkers, ...openAi },
  { family: 'o-series', of: ['o'], from: 1, toolPrices: thinkers, ...openAi },
  { family: 'codex', of: ['codex-', 'computer-use-'], toolPrices: thinkers, ...openAi },
  // The list estimates $0.015 for a minute of speech, which is 1,250 tokens at $12 a million.
  { family: 'gpt-tts', of: ['gpt-'], has: ['-mini-tts'], speechTokens: 1250, ...openAi },
  // Models of chat completions that search in each request.
  {
    family: 'gpt-search',
    of: ['gpt-'],
    has: ['-search-preview'],
    toolPrices: { web_search: 0.025 },
    alwaysCalled: ['web_search'],
    ...catalogue,
  },
  {
    family: 'gpt-search',
    of: ['gpt-'],
    has: ['-search-api'],
    toolPrices: { web_search: 0.01 },
    alwaysCalled: ['web_search'],
    ...catalogue,
  },
  // $0.05 for an hour of a container, five minutes at least.
  {
    family: 'claude',
    of: ['claude'],
    toolPrices: { web_search: 0.01, container_minute: 0.000833333334 },
    containersFreeWith: ['web_search_20260209', 'web_fetch_20260209'],
    ...anthropic,
  },
  // Older models pay for each grounded request, those from Gemini 3 on for each query.
  {
    family: 'gemini',
    of: ['gemini-'],
    toolPrices: { grounded_request: 0.035, maps_request: 0.025 },
    // gemini-2.5-flash: $1 in, $0.10 cached; -lite: $0.30 and $0.03.
    cachedAudio: 0.1,
    ...catalogue,
  },
  {
    family: 'gemini-3',
    of: ['gemini-'],
    from: 3,
    toolPrices: { search_query: 0.014, maps_request: 0.014 },
    ...catalogue,
  },
  {
    family: 'grok',
    of: ['grok-'],
    toolPrices: {
      web_search: 0.005,
      x_search: 0.005,
      code_interpreter: 0.005,
      file_search: 0.0025,
      document_search: 0.0025,
    },
    source: 'https://docs.x.ai/developers/pricing.md',
    seen: '2026-11-28',
  },
  {
    family: 'kimi',
    of: ['kimi-', 'moonshot-v1'],
    toolPrices: { $web_search: 0.005 },
    source: 'https://platform.kimi.ai/docs/pricing/tools',
    seen: '2026-11-28',
  },
  // A fee for each request, by the size of what is searched.
  {
    family: 'sonar',
    of: ['sonar'],
    toolPrices: { request_low: 0.005, request_medium: 0.008, request_high: 0.012 },
    ...catalogue,
  },
  {
    family: 'sonar-pro',
    of: ['sonar'],
    has: ['-pro'],
    toolPrices: { request_low: 0.006, request_medium: 0.01, request_high: 0.014 },
    ...catalogue,
  },
  // $2 in, $3 for thinking, $8 out.
  {
    family: 'sonar-deep-research',
    of: ['sonar-deep-research'],
    toolPrices: { search_query: 0.005 },
    thinkingRatio: 1.5,
    ...catalogue,
  },
];
