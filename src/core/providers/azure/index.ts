/**
 * Type 3 (docs/rules/providers.md#azure-requests): OpenAI's models as deployments of a resource of
 * one's own.
 */

import type { Call } from '../../canonical/provider.ts';
import { z } from '../../kernel/zod.ts';
import { openAiModels } from '../openai/models.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import {
  type EditFields,
  editForOpenAi,
  type FieldEdits,
} from '../openai-compatible/model-rules.ts';
import { openAiSettings } from '../openai-compatible/settings.ts';
import { azureAddress, deploymentName, isBefore2024September } from './address.ts';
import { azureFields } from './fields.ts';

const azureSettings = openAiSettings.extend({
  /** Deployments are named without the dots of their models: `gpt-35-turbo`. */
  azure_strip_dots: z.boolean().optional(),
  /**
   * `api-version` of Responses; absent: `preview`, or the channel's at
   * `*.cognitiveservices.azure.com`.
   */
  azure_responses_version: z.string().optional(),
});

/** Tokens of Entra ID are JSON Web Tokens; keys of a resource are not. */
function azureHeaders({ key }: Call): Record<string, string> {
  const credential = key.reveal();
  const isToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(credential);
  return isToken ? { authorization: `Bearer ${credential}` } : { 'api-key': credential };
}

/** OpenAI's rules; to an API of before September 2024 the limit has its old name. */
const editForAzure: EditFields = (field, given, call) => {
  const { model, edits } = editForOpenAi(field, given, call);
  if (!isBefore2024September(call)) return { model, edits };
  const { max_completion_tokens: moved, ...older }: FieldEdits = edits;
  const limit = moved ?? field('max_completion_tokens');
  if (limit === undefined) return { model, edits };
  return { model, edits: { ...older, max_completion_tokens: undefined, max_tokens: limit } };
};

export const azure = openaiCompatible({
  slug: 'azure',
  serves: ['openai'],
  channelTypes: [3],
  defaultBaseUrl: null,
  measuresUsage: true,
  keyFormat: { example: '32 hexadecimal digits' },
  other: { label: azureFields.other.label.en, pattern: /^[\w.-]+$/ },
  settings: azureSettings,
  models: openAiModels,
  without: ['models'],
  keepsResponses: true,
  also: ['image', 'image-edit', 'speech', 'transcription', 'translation', 'responses', 'realtime'],
  address: azureAddress,
  headers: azureHeaders,
  upstreamModel: deploymentName,
  edit: editForAzure,
  streamOptions: (_model, call) => !isBefore2024September(call),
});
