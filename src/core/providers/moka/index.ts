/** Type 44, M3E (docs/rules/providers.md#moka): embeddings of texts, nothing else. */
import { AppError } from '../../kernel/errors.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import type { EditFields } from '../openai-compatible/model-rules.ts';

/**
 * The body is the texts, as a list, and the model. Tokens that could not be decoded and other
 * models are refused before anything is sent.
 */
const editEmbedding: EditFields = (field, model) => {
  if (!model.startsWith('m3e'))
    throw new AppError('unsupported_feature', { detail: `the model ${model}` });
  const input = field('input');
  const texts = typeof input === 'string' ? [input] : input;
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string'))
    throw new AppError('unsupported_feature', { detail: 'input as tokens' });
  return {
    model,
    edits: { input: texts, dimensions: undefined, encoding_format: undefined, user: undefined },
  };
};

export const moka = openaiCompatible({
  slug: 'moka',
  channelTypes: [44],
  defaultBaseUrl: 'https://api.moka.ai',
  keyFormat: { example: 'key' },
  models: ['m3e-large', 'm3e-base', 'm3e-small'],
  without: ['chat', 'completion', 'models'],
  translated: ['embedding'],
  address: (_task, call) => `${call.baseUrl}/embeddings`,
  edits: { embedding: editEmbedding },
});
