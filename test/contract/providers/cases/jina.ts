import { expect } from 'vitest';
import type { ProviderCase } from '../support/case.ts';
import { openAiCases } from '../support/openai-cases.ts';
import { jsonReply, recordedReply } from '../support/upstream-replies.ts';

const model = 'jina-clip-v2';
const embedding = { operation: 'embedding', model, path: '/v1/embeddings' } as const;
const vectors = (embeddings: readonly unknown[]) =>
  jsonReply({
    object: 'list',
    model,
    data: embeddings.map((one, index) => ({ object: 'embedding', index, embedding: one })),
    usage: { total_tokens: 20, prompt_tokens: 20 },
  });
/** 0.5 and 0.25 as little-endian floats. */
const base64 = 'AAAAPwAAgD4=';

export const cases: readonly ProviderCase[] = [
  ...openAiCases({ paths: { embedding: '/v1/embeddings', rerank: '/v1/rerank' } }),
  {
    ...embedding,
    title: 'vectors as base64 and vendor-specific inputs',
    body: {
      model,
      input: [{ text: 'a' }, { image: 'https://example.org/a.png' }],
      encoding_format: 'base64',
      task: 'retrieval.query',
    },
    upstreamReplies: [vectors([base64, base64])],
    expectRequests: ([request]) => {
      expect(request?.json).toEqual({
        model,
        input: [{ text: 'a' }, { image: 'https://example.org/a.png' }],
        embedding_type: 'base64',
        task: 'retrieval.query',
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ data: [{ embedding: base64 }, { embedding: base64 }] }),
    billed: { prompt: 20, completion: 0 },
  },
  {
    ...embedding,
    title: 'encoding_format float',
    body: { model, input: 'a', encoding_format: 'float' },
    upstreamReplies: [vectors([[0.5, 0.25]])],
    expectRequests: ([request]) => expect(request?.json).toEqual({ model, input: 'a' }),
    expectReply: ({ json }) => expect(json).toMatchObject({ data: [{ embedding: [0.5, 0.25] }] }),
  },
  {
    ...embedding,
    title: 'an error',
    body: { model, input: 'a' },
    upstreamReplies: [recordedReply('jina', 'failure-422.json', 422)],
    expectRequests: () => undefined,
    expectReply: ({ status, text }) => {
      expect(status).toBe(422);
      expect(text).toContain('extra fields not permitted');
    },
  },
  {
    operation: 'rerank',
    title: 'best first, documents included, all tokens as input',
    model: 'jina-reranker-m0',
    path: '/v1/rerank',
    body: {
      model: 'jina-reranker-m0',
      query: 'cats',
      documents: [{ text: 'a dog' }, { text: 'a cat' }],
      max_chunk_per_doc: 3,
    },
    upstreamReplies: [
      jsonReply({
        model: 'jina-reranker-m0',
        object: 'list',
        usage: { total_tokens: 31, prompt_tokens: 12 },
        results: [
          { index: 0, relevance_score: 0.1, document: { text: 'a dog' } },
          { index: 1, relevance_score: 0.9, document: { text: 'a cat' } },
        ],
      }),
    ],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({
        max_chunk_per_doc: 3,
        documents: [{ text: 'a dog' }, { text: 'a cat' }],
      }),
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        results: [
          { index: 1, relevance_score: 0.9, document: { text: 'a cat' } },
          { index: 0, relevance_score: 0.1, document: { text: 'a dog' } },
        ],
        usage: { prompt_tokens: 31, total_tokens: 31 },
      }),
    billed: { prompt: 31, completion: 0 },
  },
];
