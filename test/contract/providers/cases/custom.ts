import { expect } from 'vitest';
import { chatReply } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import { openAiCases } from '../support/openai-cases.ts';

const address = '/run/{model}?v=1';
const body = { model: 'org/a model', messages: [{ role: 'user', content: 'Hello' }] };
const chat = {
  operation: 'chat',
  model: body.model,
  basePath: address,
  upstreamReplies: [chatReply()],
  expectRequests: ([request]) => expect(request?.path).toBe('/run/org%2Fa%20model?v=1'),
} satisfies Partial<ProviderCase>;

export const cases: readonly ProviderCase[] = [
  ...openAiCases({
    paths: {
      chat: address,
      completion: address,
      embedding: address,
      moderation: address,
      image: address,
      'image-edit': address,
      speech: address,
      transcription: address,
      translation: address,
      rerank: address,
      responses: address,
    },
  }).map((one) => ({ ...one, basePath: address })),
  {
    ...chat,
    title: 'the model in the URL, without the caller’s query',
    path: '/v1/chat/completions?beta=true',
    body,
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'a Claude caller',
    path: '/v1/messages',
    body: { ...body, max_tokens: 50 },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ type: 'message', content: [{ text: 'Hello from upstream' }] }),
  },
];
