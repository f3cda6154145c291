/**
 * Type 42 (docs/rules/providers.md#mistral). Bodies are always rebuilt: unknown fields are refused
 * with 422.
 */

import { recordOf } from '../../canonical/kit/read-json.ts';
import { usageFromOpenAi, withTier } from '../../canonical/kit/usage.ts';
import { askEffort, keepCacheKey } from '../openai-compatible/encode-chat.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import {
  dropFields,
  type EditFields,
  editEffort,
  type FieldEdits,
  type FieldReader,
} from '../openai-compatible/model-rules.ts';
import { completionPassThrough } from './completion.ts';
import { writeMistralMessages } from './messages.ts';

const chatFields = new Set([
  ...[
    'model',
    'messages',
    'stream',
    'temperature',
    'top_p',
    'max_tokens',
    'stop',
    'random_seed',
    'n',
    'response_format',
  ],
  ...[
    'presence_penalty',
    'frequency_penalty',
    'tools',
    'tool_choice',
    'parallel_tool_calls',
    'safe_prompt',
    'prediction',
  ],
  ...['reasoning_effort', 'prompt_mode', 'metadata', 'guardrails', 'prompt_cache_key'],
  'service_tier',
]);

/** `required` is called `any`. */
function editTools(field: FieldReader): FieldEdits {
  return field('tool_choice') === 'required' ? { tool_choice: 'any' } : {};
}

const tiers: Readonly<Record<string, string>> = {
  auto: 'auto',
  default: 'standard_only',
  standard_only: 'standard_only',
};

/** Tiers that only others know are left out: the usual one is meant where none is named. */
function editTier(field: FieldReader): FieldEdits {
  const tier = field('service_tier');
  return tier === undefined ? {} : { service_tier: tiers[String(tier)] };
}

const editChat: EditFields = (field, model) => {
  const seed = field('seed');
  const seeded = seed === undefined ? {} : { random_seed: seed };
  return {
    model,
    edits: {
      ...editTools(field),
      ...editTier(field),
      ...editEffort(field, model),
      ...seeded,
      messages: writeMistralMessages(field('messages')),
    },
  };
};

const editEmbedding: EditFields = (field, model) => {
  const size = field('dimensions');
  const sized = size === undefined ? {} : { dimensions: undefined, output_dimension: size };
  return { model, edits: { ...sized, ...dropFields(field, ['user']) } };
};

/** Subtitles are written by the gateway, from segments. */
const editTranscription: EditFields = (field, model) => {
  const format = field('response_format');
  const segmented = format === 'srt' || format === 'vtt' || format === 'verbose_json';
  const requested = segmented ? { timestamp_granularities: 'segment' } : {};
  return { model, edits: { ...dropFields(field, ['prompt', 'response_format']), ...requested } };
};

export const mistral = openaiCompatible({
  slug: 'mistral',
  channelTypes: [42],
  defaultBaseUrl: 'https://api.mistral.ai',
  measuresUsage: true,
  keyFormat: { example: 'key' },
  models: ['voxtral-mini-latest'],
  also: ['transcription'],
  translated: ['transcription'],
  operations: { completion: { passThrough: [completionPassThrough] } },
  chatFields,
  streamOptions: false,
  developerRole: false,
  edit: editChat,
  extend: (request, model) => ({ ...askEffort(request, model), ...keepCacheKey(request) }),
  readUsage: (raw) => withTier(usageFromOpenAi(raw), recordOf(raw)?.service_tier),
  embedsTextOnly: true,
  edits: { embedding: editEmbedding, transcription: editTranscription },
});
