import { expect } from 'vitest';
import { chatReply, messagesReply } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import {
  type CallsOf,
  contentOf,
  errorIn,
  finishOf,
  reasoningOf,
} from '../support/chat-replies.ts';
import { expectAccountsFault } from '../support/expectations.ts';
import { onePixel, openAiCases } from '../support/openai-cases.ts';
import {
  jsonReply,
  recordedReply,
  recordedStream,
  textReply,
} from '../support/upstream-replies.ts';

const model = 'glm-4.7';
const messages = [{ role: 'user', content: 'Hello' }];
const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
const path = '/api/paas/v4/chat/completions';

/** Calls of the v4 API, for channels of both types. */
export function v4Cases(): ProviderCase[] {
  const chat = {
    operation: 'chat',
    model,
    channel: { key: 'id.secret' },
    path: '/v1/chat/completions',
    body: { model, messages },
  } as const;
  const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;
  return [
    ...openAiCases({
      paths: { chat: path, embedding: '/api/paas/v4/embeddings' },
      models: { chat: model, embedding: 'embedding-3' },
      streamOptions: false,
    }).map((one) =>
      one.operation === 'chat'
        ? { ...one, title: `v4${one.title === undefined ? '' : `: ${one.title}`}` }
        : one,
    ),
    {
      ...chat,
      title: 'v4: limits, stops and images',
      body: {
        model,
        top_p: 1,
        stop: ['a', 'b'],
        n: 2,
        max_completion_tokens: 50,
        thinking: { type: 'disabled' },
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What?' },
              {
                type: 'image_url',
                image_url: { url: `data:image/png;base64,${onePixel.toString('base64')}` },
              },
            ],
          },
        ],
      },
      upstreamReplies: [chatReply('A pixel', usage)],
      expectRequests: ([request]) => {
        expect(request?.path).toBe(path);
        expect(request?.headers.authorization).toBe('Bearer id.secret');
        expect(request?.json).toEqual({
          model,
          top_p: 0.99,
          stop: ['a', 'b'],
          max_tokens: 50,
          thinking: { type: 'disabled' },
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'What?' },
                { type: 'image_url', image_url: { url: onePixel.toString('base64') } },
              ],
            },
          ],
        });
      },
      expectReply: ({ json }) =>
        expect((json as CallsOf).choices[0]?.message.content).toBe('A pixel'),
      billed: { prompt: 20, completion: 10 },
    },
    {
      ...chat,
      title: 'v4: a model that only streams',
      model: 'glm-4-alltools',
      body: { model: 'glm-4-alltools', messages },
      upstreamReplies: [chatReply('Hello there', usage)],
      expectRequests: ([request]) =>
        expect(request?.json).toMatchObject({ model: 'glm-4-alltools', stream: true }),
      expectReply: ({ json }) =>
        expect(json).toMatchObject({
          object: 'chat.completion',
          choices: [{ message: { content: 'Hello there' } }],
        }),
    },
    {
      ...streamed,
      title: 'v4: thinking',
      upstreamReplies: [recordedStream('zhipu-4v', 'stream-reasoning.sse')],
      expectRequests: ([request]) =>
        expect(request?.json).toEqual({ model, messages, stream: true }),
      expectReply: (reply) => {
        expect(reasoningOf(reply)).toBe('The user greets. Greet back.');
        expect(contentOf(reply)).toBe('你好！👋');
      },
      billed: { prompt: 14, completion: 20 },
    },
    {
      ...streamed,
      title: 'v4: parallel tools',
      upstreamReplies: [recordedStream('zhipu-4v', 'stream-tools.sse')],
      expectRequests: (requests) => expect(requests).toHaveLength(1),
      expectReply: (reply) => {
        expect(finishOf(reply)).toBe('tool_calls');
        expect(reply.text).toContain('call_9001');
        expect(reply.text).toContain('call_9002');
      },
      billed: { prompt: 14, completion: 20 },
    },
    {
      ...streamed,
      title: 'v4: filtered output',
      upstreamReplies: [recordedStream('zhipu-4v', 'stream-sensitive.sse')],
      expectRequests: (requests) => expect(requests).toHaveLength(1),
      expectReply: (reply) => expect(finishOf(reply)).toBe('content_filter'),
      billed: { prompt: 14, completion: 20 },
    },
    {
      ...chat,
      title: 'v4: an internal error of the model',
      upstreamReplies: [recordedReply('zhipu-4v', 'reply-network-error.json')],
      expectRequests: (requests) => expect(requests).toHaveLength(1),
      expectReply: (reply) => {
        expect(reply.status).toBe(503);
        expect(errorIn(reply)).toMatchObject({ code: 'network_error' });
      },
    },
    {
      ...streamed,
      title: 'v4: insufficient balance instead of the stream',
      upstreamReplies: [textReply('{"error":{"code":"1113","message":"no balance"}}')],
      expectRequests: (requests) => expect(requests).toHaveLength(1),
      expectReply: expectAccountsFault,
      reported: { status: 402, error: '1113' },
    },
    {
      ...chat,
      title: 'v4: a rate limit',
      upstreamReplies: [recordedReply('zhipu-4v', 'failure-429.json', 429)],
      expectRequests: (requests) => expect(requests).toHaveLength(1),
      expectReply: (reply) => {
        expect(reply.status).toBe(429);
        expect(errorIn(reply)).toMatchObject({ code: '1302' });
      },
    },
    {
      ...chat,
      title: 'v4: an unchanged messages body',
      path: '/v1/messages',
      body: { model, messages, max_tokens: 50, metadata: { user_id: 'u' } },
      upstreamReplies: [messagesReply('Hello there', { input_tokens: 20, output_tokens: 10 })],
      expectRequests: ([request]) => {
        expect(request?.path).toBe('/api/anthropic/v1/messages');
        expect(request?.headers).toMatchObject({
          'x-api-key': 'id.secret',
          authorization: 'Bearer id.secret',
        });
        expect(request?.json).toEqual({
          model,
          messages,
          max_tokens: 50,
          metadata: { user_id: 'u' },
        });
      },
      expectReply: ({ json }) =>
        expect(json).toMatchObject({ type: 'message', content: [{ text: 'Hello there' }] }),
      billed: { prompt: 20, completion: 10 },
    },
    {
      operation: 'image',
      model: 'cogview-4',
      channel: { key: 'id.secret' },
      path: '/v1/images/generations',
      body: {
        model: 'cogview-4',
        prompt: 'a cat',
        n: 1,
        size: '1024x1024',
        response_format: 'url',
        watermark_enabled: false,
      },
      upstreamReplies: [
        jsonReply({ created: 1_700_000_000, data: [{ url: 'https://images.example/cat.png' }] }),
      ],
      expectRequests: ([request]) => {
        expect(request?.path).toBe('/api/paas/v4/images/generations');
        expect(request?.json).toEqual({
          model: 'cogview-4',
          prompt: 'a cat',
          size: '1024x1024',
          watermark_enabled: false,
        });
      },
      expectReply: ({ json }) =>
        expect(json).toMatchObject({ data: [{ url: 'https://images.example/cat.png' }] }),
    },
    {
      operation: 'image',
      title: 'a rejected request',
      model: 'cogview-4',
      channel: { key: 'id.secret' },
      path: '/v1/images/generations',
      body: { model: 'cogview-4', prompt: 'a cat' },
      upstreamReplies: [jsonReply({ error: { code: '1301', message: 'unsafe content' } })],
      expectRequests: (requests) => expect(requests).toHaveLength(1),
      expectReply: (reply) => {
        expect(reply.status).toBe(400);
        expect(errorIn(reply)).toMatchObject({ code: 'content_filter' });
      },
    },
  ];
}

export const cases: readonly ProviderCase[] = v4Cases();
