import { expect } from 'vitest';
import type { ProviderCase } from '../support/case.ts';
import { openAiCases } from '../support/openai-cases.ts';
import { jsonReply, recordedReply } from '../support/upstream-replies.ts';

const model = 'bge-reranker-v2-m3';
const documents = ['a dog', 'a cat'];
const rerank = { operation: 'rerank', model, path: '/v1/rerank' } as const;
const results = (document: unknown) =>
  jsonReply({
    id: 'r1',
    results: [
      { index: 0, relevance_score: 0.1, document },
      { index: 1, relevance_score: 0.9, document },
    ],
    meta: null,
  });

export const cases: readonly ProviderCase[] = [
  ...openAiCases({
    paths: {
      chat: '/v1/chat/completions',
      completion: '/v1/completions',
      embedding: '/v1/embeddings',
      image: '/v1/images/generations',
      speech: '/v1/audio/speech',
      transcription: '/v1/audio/transcriptions',
      translation: '/v1/audio/translations',
      rerank: '/v1/rerank',
    },
  }),
  {
    ...rerank,
    title: 'documents that were not requested',
    body: { model, query: 'cats', documents },
    upstreamReplies: [results('x')],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({ model, query: 'cats', documents }),
    expectReply: ({ json }) => {
      const { results: found } = json as { results: unknown };
      expect(found).toEqual([
        { index: 1, relevance_score: 0.9 },
        { index: 0, relevance_score: 0.1 },
      ]);
    },
  },
  {
    ...rerank,
    title: 'requested documents',
    body: { model, query: 'cats', documents, return_documents: true },
    upstreamReplies: [results(null)],
    expectRequests: ([request]) => expect(request?.json.return_documents).toBe(true),
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        results: [
          { index: 1, document: { text: 'a cat' } },
          { index: 0, document: { text: 'a dog' } },
        ],
      }),
  },
  {
    operation: 'chat',
    title: 'an error as a single word',
    model: 'qwen2.5-instruct',
    path: '/v1/chat/completions',
    body: { model: 'qwen2.5-instruct', messages: [{ role: 'user', content: 'Hello' }] },
    upstreamReplies: [recordedReply('xinference', 'failure-400.json', 400)],
    expectRequests: () => undefined,
    expectReply: ({ status, text }) => {
      expect(status).toBe(400);
      expect(text).toContain('Model not found in the model list');
    },
  },
];
