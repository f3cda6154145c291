import { openAiCases } from '../support/openai-cases.ts';

export const cases = openAiCases({
  paths: {
    chat: '/v1/chat/completions',
    completion: '/v1/completions',
    embedding: '/v1/embeddings',
  },
  models: { chat: 'yi-large' },
  streamOptions: false,
});
