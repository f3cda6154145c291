import type { ChatRequest } from '../../../canonical/chat.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { Fields, readModel } from '../shared/fields.ts';

/** Fields that a chat cannot serve. `echo: false` and the like have no effect. */
const impossible = ['echo', 'logprobs', 'suffix'] as const;

function readPrompt(fields: Fields): string {
  const prompt = fields.raw('prompt');
  if (prompt === undefined || prompt === '') return fields.fail('field prompt is required');
  const texts = fields.texts('prompt') ?? [];
  if (texts.length !== 1) throw new AppError('unsupported_feature', { detail: 'several prompts' });
  return texts[0] ?? '';
}

/**
 * The prompt is the only message of a user. Throws AppError model_required, invalid_text_request,
 * unsupported_feature.
 */
export function readCompletionRequest(body: JsonObject): ChatRequest {
  const fields = new Fields(body, 'invalid_text_request');
  const model = readModel(fields);
  for (const name of impossible) {
    const value = fields.raw(name);
    if (value !== undefined && value !== false && value !== '')
      throw new AppError('unsupported_feature', { detail: name });
  }
  return {
    model,
    messages: [{ role: 'user', content: [{ type: 'text', text: readPrompt(fields) }] }],
    stream: fields.flag('stream') ?? false,
    maxOutputTokens: fields.count('max_tokens'),
    temperature: fields.number('temperature'),
    topP: fields.number('top_p'),
    stop: fields.texts('stop'),
    seed: fields.number('seed'),
    frequencyPenalty: fields.number('frequency_penalty'),
    presencePenalty: fields.number('presence_penalty'),
    candidateCount: fields.count('n'),
    user: fields.text('user'),
    origin: 'openai-completions',
    extra: {},
  };
}
