import { openAiCases } from '../support/openai-cases.ts';

export const cases = openAiCases({
  paths: {
    chat: '/v1/chat/completions',
    completion: '/v1/completions',
    embedding: '/v1/embeddings',
  },
  models: { chat: '360gpt-pro', embedding: 'embedding_s1_v1' },
  streamOptions: false,
});
