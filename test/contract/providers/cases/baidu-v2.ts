import { expect } from 'vitest';
import { chatReply, errorReply } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import { contentOf, errorIn, reasoningOf } from '../support/chat-replies.ts';
import { openAiCases } from '../support/openai-cases.ts';
import { recordedReply, recordedStream } from '../support/upstream-replies.ts';

const model = 'ernie-4.0-8k';
const messages = [{ role: 'user', content: 'Hello' }];
const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
const chat = {
  operation: 'chat',
  model,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;

export const cases: readonly ProviderCase[] = [
  ...openAiCases({
    paths: {
      chat: '/v2/chat/completions',
      completion: '/v2/completions',
      embedding: '/v2/embeddings',
      image: '/v2/images/generations',
      'image-edit': '/v2/images/edits',
      rerank: '/v2/rerank',
    },
  }),
  {
    ...chat,
    title: 'an application id in the key, search by model suffix',
    model: `${model}-search`,
    channel: { key: 'bce-v3/ALTAK-1/2|app-7' },
    body: { model: `${model}-search`, messages },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) => {
      expect(request?.headers).toMatchObject({
        authorization: 'Bearer bce-v3/ALTAK-1/2',
        appid: 'app-7',
      });
      expect(request?.json).toMatchObject({
        model,
        web_search: {
          enable: true,
          enable_citation: true,
          enable_trace: true,
          enable_status: false,
        },
      });
    },
    expectReply: ({ status }) => expect(status).toBe(200),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...chat,
    title: 'search options set by the caller',
    model: `${model}-search`,
    basePath: '/v2',
    body: { model: `${model}-search`, messages, web_search: { enable: false } },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v2/chat/completions');
      expect(request?.json).toMatchObject({ model, web_search: { enable: false } });
    },
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    stream: true,
    title: 'thinking',
    body: { model, messages, stream: true },
    upstreamReplies: [recordedStream('baidu-v2', 'stream-reasoning.sse')],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({ stream_options: { include_usage: true } }),
    expectReply: (reply) => {
      expect(reasoningOf(reply)).toBe('Let me see. Done.');
      expect(contentOf(reply)).toBe('42');
    },
    billed: { prompt: 12, completion: 8 },
  },
  {
    ...chat,
    title: 'a rate limit',
    upstreamReplies: [recordedReply('baidu-v2', 'failure-429.json', 429)],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ code: 'tpm_rate_limit_exceeded' });
    },
  },
  {
    ...chat,
    title: 'a key of three parts',
    channel: { key: 'a|b|c' },
    upstreamReplies: [errorReply(500, {})],
    expectRequests: (requests) => expect(requests).toEqual([]),
    expectReply: (reply) => expect(errorIn(reply)).toMatchObject({ code: 'invalid_channel_key' }),
  },
];
