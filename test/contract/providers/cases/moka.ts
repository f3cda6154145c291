import { expect } from 'vitest';
import type { ProviderCase } from '../support/case.ts';
import { openAiCases } from '../support/openai-cases.ts';
import { jsonReply, recordedReply } from '../support/upstream-replies.ts';

const model = 'm3e-base';
const embedding = { operation: 'embedding', model, path: '/v1/embeddings' } as const;

export const cases: readonly ProviderCase[] = [
  ...openAiCases({ paths: { embedding: '/embeddings' }, models: { embedding: model } }),
  {
    ...embedding,
    title: 'a single text is sent as a list; the reply names the requested model',
    body: { model, input: 'a', dimensions: 8, user: 'u', encoding_format: 'float' },
    upstreamReplies: [
      jsonReply({
        object: 'list',
        model: 'baidu-embedding',
        data: [{ object: 'embedding', index: 0, embedding: [1] }],
        usage: { prompt_tokens: 3, total_tokens: 3 },
      }),
    ],
    expectRequests: ([request]) => expect(request?.json).toEqual({ model, input: ['a'] }),
    expectReply: ({ json }) => expect(json).toMatchObject({ model, data: [{ embedding: [1] }] }),
    billed: { prompt: 3, completion: 0 },
  },
  {
    ...embedding,
    title: 'tokens are sent as texts',
    body: { model, input: [[15339], [15339, 1917]] },
    upstreamReplies: [
      jsonReply({
        data: [1, 2].map((at) => ({ index: at - 1, embedding: [at] })),
        usage: { total_tokens: 3 },
      }),
    ],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({ model, input: ['hello', 'hello world'] }),
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ data: [{ embedding: [1] }, { embedding: [2] }] }),
  },
  {
    ...embedding,
    title: 'an error with status 200',
    body: { model, input: 'a' },
    upstreamReplies: [recordedReply('moka', 'failure-400.json')],
    expectRequests: () => undefined,
    expectReply: ({ status, text }) => {
      expect(status).toBe(502);
      expect(text).toContain('input is empty');
    },
  },
  {
    ...embedding,
    title: 'an unsupported model is rejected without a request',
    model: 'chat-model',
    body: { model: 'chat-model', input: 'a' },
    upstreamReplies: [jsonReply({})],
    expectRequests: (requests) => expect(requests).toEqual([]),
    expectReply: ({ status }) => expect(status).toBe(400),
  },
];
