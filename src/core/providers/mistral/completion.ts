/**
 * Completions on Mistral are "fill in the middle" for its code models: requested like completions,
 * returned like chats. Other models get the prompt as a chat message
 * (docs/rules/providers.md#mistral-completions).
 */

import { recordOf } from '../../canonical/kit/read-json.ts';
import { joinVersioned, jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { BodyFields, PassThrough } from '../../canonical/pass-through.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { readContent } from '../openai-compatible/decode-chat.ts';
import { bearerHeaders } from '../openai-compatible/index.ts';
import { dropFields, type FieldEdits } from '../openai-compatible/model-rules.ts';
import { changeChoices, rewriteReplies } from '../openai-compatible/rewrite.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';

/** Fields of completions that are refused here, and harmless to leave out. */
const unknownFields = [
  'stream_options',
  'best_of',
  'user',
  'n',
  'logit_bias',
  'frequency_penalty',
  'presence_penalty',
  'seed',
];

function readPrompt(fields: BodyFields): JsonValue | undefined {
  const prompt = fields.get('prompt');
  if (!Array.isArray(prompt)) return prompt;
  if (prompt.length !== 1 || typeof prompt[0] !== 'string')
    throw new AppError('unsupported_feature', { detail: 'several prompts, or a prompt as tokens' });
  return prompt[0];
}

/** Fields that request more than one plain continuation. */
function refuseImpossible(fields: BodyFields): void {
  for (const name of ['echo', 'logprobs'])
    if (fields.get(name)) throw new AppError('unsupported_feature', { detail: name });
  if (Number(fields.get('n') ?? 1) > 1)
    throw new AppError('unsupported_feature', { detail: 'n > 1' });
}

function editCompletion(fields: BodyFields): FieldEdits {
  refuseImpossible(fields);
  const field = (name: string) => fields.get(name);
  const seed = field('seed');
  return {
    ...dropFields(field, [...unknownFields, 'echo', 'logprobs']),
    ...(Array.isArray(field('prompt')) ? { prompt: readPrompt(fields) } : {}),
    ...(typeof seed === 'number' ? { random_seed: seed } : {}),
  };
}

/** `message` or `delta` of a chat → `text` of a completion. */
function asText(choice: JsonObject): JsonObject {
  const { message, delta, ...rest } = choice;
  return { ...rest, text: readContent(recordOf(message ?? delta)?.content).text, logprobs: null };
}

function asCompletion(body: JsonObject): JsonObject {
  return body.choices === undefined
    ? body
    : { ...changeChoices(body, asText), object: 'text_completion' };
}

export const completionPassThrough: PassThrough<OpenAiSettings> = {
  format: 'openai-completions',
  target(fields, call) {
    const fills = call.model.startsWith('codestral') || Boolean(fields.get('suffix'));
    if (!fills) return undefined;
    return {
      url: joinVersioned(call.baseUrl, '/v1/fim/completions'),
      headers: { ...jsonHeaders(fields.get('stream') === true), ...bearerHeaders(call) },
      edits: editCompletion(fields),
    };
  },
  rewrite: rewriteReplies(['"choices"'], asCompletion),
};
