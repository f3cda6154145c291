/** Type 38 (docs/rules/providers.md#jina): embeddings and reranking, no chat. */
import { openaiCompatible } from '../openai-compatible/index.ts';
import type { EditFields } from '../openai-compatible/model-rules.ts';

/** Vectors as base64 are requested in Jina's own field; OpenAI's is refused by some models. */
const editEmbedding: EditFields = (field, model) => {
  const encoding = field('encoding_format');
  if (encoding === undefined) return { model, edits: {} };
  const requested = encoding === 'base64' && field('embedding_type') === undefined;
  return {
    model,
    edits: requested
      ? { encoding_format: undefined, embedding_type: 'base64' }
      : { encoding_format: undefined },
  };
};

export const jina = openaiCompatible({
  slug: 'jina',
  channelTypes: [38],
  defaultBaseUrl: 'https://api.jina.ai',
  keyFormat: { example: 'jina_…' },
  models: [
    ...['jina-embeddings-v3', 'jina-clip-v2', 'jina-clip-v1'],
    ...['jina-reranker-m0', 'jina-reranker-v2-base-multilingual'],
  ],
  without: ['chat', 'completion'],
  also: ['rerank'],
  embedsTextOnly: true,
  edits: { embedding: editEmbedding },
});
