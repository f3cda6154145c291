/** Chats and embeddings of Ali channels that use DashScope's own interface. */
import { expect } from 'vitest';
import type { ProviderCase } from './case.ts';
import { type CallsOf, contentOf, errorIn, finishOf } from './chat-replies.ts';
import { expectOneRequest } from './expectations.ts';
import { jsonReply, recordedReply, recordedStream } from './upstream-replies.ts';

const model = 'qwen-plus';
const messages = [{ role: 'user', content: 'Hello' }];
const native = { setting: '{"use_native":true}' };
const chat = {
  operation: 'chat',
  model,
  channel: native,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;
const services = '/api/v1/services';
const image = { type: 'image_url', image_url: { url: 'https://images.example/1.png' } };

export const nativeCases: readonly ProviderCase[] = [
  {
    ...chat,
    title: 'native',
    body: { model, messages, top_p: 1, top_k: 5, enable_search: true, max_tokens: 50, user: 'u' },
    upstreamReplies: [recordedReply('ali-native', 'reply-text.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe(`${services}/aigc/text-generation/generation`);
      expect(request?.headers).not.toHaveProperty('x-dashscope-sse');
      expect(request?.json).toEqual({
        model,
        input: { messages },
        parameters: {
          top_p: 0.999,
          top_k: 5,
          enable_search: true,
          max_tokens: 50,
          result_format: 'message',
        },
      });
    },
    expectReply: ({ json }) => {
      expect((json as CallsOf).choices[0]).toMatchObject({
        message: { content: '西湖在杭州。' },
        finish_reason: 'stop',
      });
    },
    billed: { prompt: 26, completion: 8 },
  },
  {
    ...streamed,
    title: 'native',
    upstreamReplies: [recordedStream('ali-native', 'stream-text.sse')],
    expectRequests: ([request]) => {
      expect(request?.headers).toMatchObject({
        'x-dashscope-sse': 'enable',
        accept: 'text/event-stream',
      });
      expect(request?.json).toEqual({
        model,
        input: { messages },
        parameters: { result_format: 'message', incremental_output: true },
      });
    },
    expectReply: (reply) =>
      expect([contentOf(reply), finishOf(reply)]).toEqual(['西湖在杭州。🌿', 'stop']),
    billed: { prompt: 26, completion: 8 },
  },
  {
    ...streamed,
    title: 'native, tools',
    upstreamReplies: [recordedStream('ali-native', 'stream-tools.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(finishOf(reply)).toBe('tool_calls');
      expect(reply.text).toContain('call_n1');
    },
    billed: { prompt: 26, completion: 8 },
  },
  {
    ...streamed,
    title: 'native, a rate limit',
    upstreamReplies: [recordedStream('ali-native', 'stream-error-first.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({
        code: 'Throttling.AllocationQuota',
        type: 'Throttling.AllocationQuota',
      });
    },
  },
  {
    ...streamed,
    title: 'native, images',
    model: 'qwen-vl-plus',
    body: {
      model: 'qwen-vl-plus',
      stream: true,
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: [image, { type: 'text', text: 'What?' }] },
      ],
    },
    upstreamReplies: [recordedStream('ali-native', 'stream-pictures.sse')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe(`${services}/aigc/multimodal-generation/generation`);
      expect(request?.json.input).toEqual({
        messages: [
          { role: 'system', content: [{ text: 'Be short.' }] },
          { role: 'user', content: [{ image: 'https://images.example/1.png' }, { text: 'What?' }] },
        ],
      });
    },
    expectReply: (reply) => expect(contentOf(reply)).toBe('A pixel.'),
  },
  {
    operation: 'embedding',
    title: 'native',
    model: 'text-embedding-v1',
    channel: native,
    path: '/v1/embeddings',
    body: { model: 'text-embedding-v1', input: ['a', 'b'], dimensions: 2 },
    upstreamReplies: [
      jsonReply({
        output: {
          embeddings: [
            { embedding: [1, 0], text_index: 1 },
            { embedding: [0.5, 0.25], text_index: 0 },
          ],
        },
        usage: { total_tokens: 20 },
        request_id: 'r',
      }),
    ],
    expectRequests: ([request]) => {
      expect(request?.path).toBe(`${services}/embeddings/text-embedding/text-embedding`);
      expect(request?.json).toEqual({
        model: 'text-embedding-v1',
        input: { texts: ['a', 'b'] },
        parameters: { text_type: 'document', dimension: 2 },
      });
    },
    expectReply: ({ json }) => {
      const { data } = json as { data: { embedding: number[]; index: number }[] };
      expect(data.map(({ embedding }) => embedding)).toEqual([
        [0.5, 0.25],
        [1, 0],
      ]);
    },
    billed: { prompt: 20, completion: 0 },
  },
];
