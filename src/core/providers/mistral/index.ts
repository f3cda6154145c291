/**
 * Type 42 (docs/rules/providers.md#mistral). Bodies are always rebuilt: unknown fields are refused
 * with 422.
 */

import { recordOf, recordsOf } from '../../canonical/kit/read-json.ts';
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { askEffort } from '../openai-compatible/encode-chat.ts';
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
]);

/** `required` is called `any`; a tool that is named is the only one left, and `any`. */
function editTools(field: FieldReader): FieldEdits {
  const choice = field('tool_choice');
  if (choice === 'required') return { tool_choice: 'any' };
  if (!isObject(choice)) return {};
  const name = recordOf(choice.function)?.name;
  const named = recordsOf(field('tools')).filter((tool) => recordOf(tool.function)?.name === name);
  return { tool_choice: 'any', tools: named as JsonValue[] };
}

const editChat: EditFields = (field, model) => {
  const seed = field('seed');
  const seeded = seed === undefined ? {} : { random_seed: seed };
  return {
    model,
    edits: {
      ...editTools(field),
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
  extend: askEffort,
  embedsTextOnly: true,
  edits: { embedding: editEmbedding, transcription: editTranscription },
});
