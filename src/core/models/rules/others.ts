/** Models of the other vendors (docs/rules/providers.md). Later rules say more. */
import type { ModelRule } from '../schema.ts';

const xaiModels = { source: 'https://docs.x.ai/docs/models', seen: '2026-11-24' } as const;
const xaiEfforts = {
  source: 'https://github.com/vercel/ai/blob/main/packages/xai/src/supports-reasoning-effort.ts',
  seen: '2026-11-24',
} as const;
const grok: readonly ModelRule[] = [
  { family: 'grok', of: ['grok-'], vendor: 'xai', ...xaiModels },
  { family: 'grok-3', of: ['grok-3'], thinks: true, ...xaiModels },
  {
    family: 'grok-3-mini',
    of: ['grok-3-mini'],
    efforts: ['low', 'high'],
    drops: ['presence_penalty', 'frequency_penalty', 'stop'],
    takes: { max_completion_tokens: true },
    ...xaiModels,
  },
  {
    family: 'grok-4',
    of: ['grok-'],
    from: 4,
    lacks: ['non-reasoning'],
    drops: ['presence_penalty', 'frequency_penalty', 'stop'],
    ...xaiModels,
  },
  {
    family: 'grok-code',
    of: ['grok-code'],
    drops: ['presence_penalty', 'frequency_penalty', 'stop'],
    efforts: [],
    ...xaiModels,
  },
  { family: 'grok-4', of: ['grok-4'], thinks: true, efforts: [], ...xaiModels },
  {
    family: 'grok-4.20-multi-agent',
    of: ['grok-4.20-multi-agent'],
    efforts: ['low', 'medium', 'high'],
    ...xaiEfforts,
  },
  {
    family: 'grok-4.3',
    of: ['grok-'],
    from: 4.3,
    thinks: true,
    efforts: ['none', 'low', 'medium', 'high'],
    ...xaiEfforts,
  },
  {
    family: 'grok-4.6',
    of: ['grok-'],
    from: 4.6,
    efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
    ...xaiEfforts,
  },
];

const deepseekDocs = {
  source: 'https://api-docs.deepseek.com/guides/thinking_mode',
  seen: '2026-11-24',
} as const;
const v4 = {
  thinks: true,
  thinking: ['switch', 'off'],
  efforts: ['none', 'low', 'high', 'max'],
  inputTokens: 1_000_000,
  outputTokens: 393_216,
  takes: { thinking_returned: true },
  ...deepseekDocs,
} as const;
const deepseek: readonly ModelRule[] = [
  { family: 'deepseek', of: ['deepseek'], vendor: 'deepseek', ...deepseekDocs },
  { family: 'deepseek-r1', of: ['deepseek-r'], thinks: true, ...deepseekDocs },
  {
    family: 'deepseek-reasoner',
    of: ['deepseek'],
    has: ['reasoner'],
    thinks: true,
    drops: ['logprobs', 'top_logprobs'],
    ...deepseekDocs,
  },
  {
    // As Volcano Ark names them, with a date behind.
    family: 'deepseek-v3',
    of: ['deepseek-v3-'],
    thinking: ['switch', 'off'],
    source: 'https://www.volcengine.com/docs/82379/1449737',
    seen: '2026-11-24',
  },
  { family: 'deepseek-v4', of: ['deepseek-'], from: 4, ...v4 },
  { family: 'deepseek-v4', of: ['deepseek-flash'], ...v4 },
];

const kimiDocs = { source: 'https://platform.moonshot.ai/docs', seen: '2026-11-24' } as const;
const kimi: readonly ModelRule[] = [
  {
    family: 'kimi',
    of: ['kimi-'],
    vendor: 'moonshot',
    efforts: [],
    drops: ['temperature', 'top_p', 'n', 'presence_penalty', 'frequency_penalty'],
    takes: { max_completion_tokens: true, forced_tools: false, thinking_returned: true },
    ...kimiDocs,
  },
  {
    family: 'kimi-k3',
    of: ['kimi-'],
    from: 3,
    thinks: true,
    efforts: ['low', 'high', 'max'],
    inputTokens: 1_048_576,
    outputTokens: 1_048_576,
    cacheLives: ['5m', '1h'],
    ...kimiDocs,
  },
];

const glmDocs = {
  source: 'https://docs.bigmodel.cn/cn/guide/capabilities/thinking',
  seen: '2026-11-24',
} as const;
const glm: readonly ModelRule[] = [
  { family: 'glm', of: ['glm-'], vendor: 'zhipu', efforts: [], ...glmDocs },
  {
    family: 'glm-4.5',
    of: ['glm-'],
    from: 4.5,
    thinks: true,
    thinking: ['switch', 'off'],
    ...glmDocs,
  },
  { family: 'glm-4', of: ['glm-4-alltools'], takes: { whole_replies: false }, ...glmDocs },
  { family: 'glm-4v', of: ['glm-4v'], imageTokens: { base: 1047 }, ...glmDocs },
  {
    family: 'glm-5.2',
    of: ['glm-'],
    from: 5.2,
    inputTokens: 1_000_000,
    outputTokens: 128_000,
    ...glmDocs,
  },
  {
    family: 'glm-5.3',
    of: ['glm-'],
    from: 5.3,
    thinking: ['switch'],
    efforts: ['low', 'high', 'max'],
    usualEffort: 'max',
    source: 'https://docs.bigmodel.cn/cn/guide/models/text/glm-5.3',
    seen: '2026-11-28',
  },
];

/** `minimal` is its switch for thinking. Older ones take no effort, or it is not known. */
const doubao: readonly ModelRule[] = [
  {
    family: 'doubao-seed',
    of: ['doubao-seed-'],
    thinking: ['switch', 'off'],
    source: 'https://www.volcengine.com/docs/82379/1449737',
    seen: '2026-11-24',
  },
  {
    family: 'doubao-seed-2',
    of: ['doubao-seed-'],
    from: 2,
    thinks: true,
    efforts: ['minimal', 'low', 'medium', 'high'],
    usualEffort: 'medium',
    source: 'https://docs.byteplus.com/en/docs/Byteplus_LAS/Chat_API',
    seen: '2026-11-28',
  },
];

const mistralDocs = {
  source: 'https://docs.mistral.ai/studio/conversations/reasoning',
  seen: '2026-10-26',
} as const;
/** Efforts by model in the AI SDK, `packages/mistral`. */
const mistralModels = {
  source: 'https://github.com/vercel/ai/blob/main/packages/mistral/src/mistral-model-catalog.ts',
  seen: '2026-11-24',
} as const;
const mistral: readonly ModelRule[] = [
  {
    family: 'mistral',
    of: ['mistral-', 'magistral', 'devstral', 'labs-leanstral'],
    lacks: ['embed', 'ocr', 'moderation', 'code'],
    vendor: 'mistral',
    efforts: ['none', 'high'],
    ...mistralModels,
  },
  {
    family: 'mistral',
    of: ['codestral', 'ministral', 'pixtral', 'open-mi', 'voxtral', 'mistral-large'],
    vendor: 'mistral',
    efforts: [],
    ...mistralModels,
  },
  { family: 'mistral', of: ['magistral'], thinks: true, ...mistralDocs },
  {
    family: 'mistral-large-4',
    of: ['mistral-large-'],
    from: 4,
    thinks: true,
    efforts: ['low', 'medium', 'high'],
    inputTokens: 1_048_576,
    outputTokens: 1_048_576,
    ...mistralModels,
  },
];

const alibabaDocs = {
  source: 'https://www.alibabacloud.com/help/en/model-studio/models',
  seen: '2026-11-24',
} as const;
const alibaba: readonly ModelRule[] = [
  // Extending the prompt costs as much as the image: https://help.aliyun.com/zh/model-studio/models
  {
    family: 'z-image',
    of: ['z-image'],
    kind: 'image',
    imagePrices: { extended: 2 },
    ...alibabaDocs,
  },
  {
    family: 'qwen-rerank',
    of: ['qwen'],
    from: 3,
    has: ['rerank'],
    kind: 'rerank',
    takes: { rerank_wire: true },
    ...alibabaDocs,
  },
];

/** Open models and others that think before they answer. */
const thinkers: readonly ModelRule[] = [
  {
    family: 'qwen3',
    of: ['qwen'],
    from: 3,
    thinks: true,
    source: 'https://www.alibabacloud.com/help/en/model-studio/deep-thinking',
    seen: '2026-11-24',
  },
  {
    family: 'qwq',
    of: ['qwq'],
    thinks: true,
    source: 'https://www.alibabacloud.com/help/en/model-studio/deep-thinking',
    seen: '2026-11-24',
  },
  {
    family: 'minimax-m',
    of: ['minimax-m'],
    thinks: true,
    source: 'https://platform.minimax.io/docs/guides/models-intro',
    seen: '2026-11-24',
  },
];

export const otherRules: readonly ModelRule[] = [
  ...grok,
  ...deepseek,
  ...kimi,
  ...glm,
  ...doubao,
  ...mistral,
  ...thinkers,
  ...alibaba,
];
