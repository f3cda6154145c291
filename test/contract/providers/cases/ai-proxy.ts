import { expect } from 'vitest';
import type { ProviderCase } from '../support/case.ts';
import { type CallsOf, contentOf, errorIn, finishOf } from '../support/chat-replies.ts';
import { expectAccountsFault, expectOneRequest } from '../support/expectations.ts';
import { recordedReply, recordedStream } from '../support/upstream-replies.ts';

const model = 'gpt-4o';
const messages = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'What do rooms cost?' },
];
const chat = {
  operation: 'chat',
  model,
  channel: { other: 'lib-42' },
  path: '/v1/chat/completions',
  body: {
    model,
    messages,
    temperature: 0.5,
    tools: [{ type: 'function', function: { name: 'pay' } }],
  },
} as const;
const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;

export const cases: readonly ProviderCase[] = [
  {
    ...chat,
    upstreamReplies: [recordedReply('ai-proxy', 'reply-text.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/library/ask');
      expect(request?.headers.authorization).toBe('Bearer upstream-key');
      expect(request?.json).toEqual({
        model,
        query: 'What do rooms cost?',
        libraryId: 'lib-42',
        stream: false,
      });
    },
    expectReply: ({ json }) => {
      const [choice] = (json as CallsOf).choices;
      expect(choice?.message.content).toBe(
        '房间是免费的。\n\n参考文档：\n1. [Handbook](https://docs.example/handbook)\n2. [Rates](https://docs.example/rates)',
      );
      expect(choice?.finish_reason).toBe('stop');
    },
    counted: true,
  },
  {
    ...streamed,
    upstreamReplies: [recordedStream('ai-proxy', 'stream-text.sse')],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({ query: 'What do rooms cost?', stream: true }),
    expectReply: (reply) => {
      expect(contentOf(reply)).toBe(
        'Rooms are free. 👋\n\nReference documents:\n1. [Handbook](https://docs.example/handbook)\n2. [Rates](https://docs.example/rates)',
      );
      expect(finishOf(reply)).toBe('stop');
      expect(reply.events.at(-1)).toBe('[DONE]');
    },
    counted: true,
  },
  {
    ...chat,
    title: 'an error with status 200',
    upstreamReplies: [recordedReply('ai-proxy', 'failure-403.json')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(500);
      expect(errorIn(reply)).toMatchObject({ type: '1002', code: '1002' });
    },
  },
  {
    ...streamed,
    title: 'an error instead of the stream',
    upstreamReplies: [recordedStream('ai-proxy', 'stream-error-first.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => expect(errorIn(reply)).toMatchObject({ code: '1001' }),
  },
  {
    ...chat,
    title: 'a rejected request',
    upstreamReplies: [recordedReply('ai-proxy', 'failure-403.json', 403)],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { status: 403 },
  },
  {
    ...chat,
    title: 'images',
    body: {
      model,
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'https://images.example/cat.png' } }],
        },
      ],
    },
    expectRequests: (requests) => expect(requests).toEqual([]),
    expectReply: (reply) => expect(errorIn(reply)).toMatchObject({ code: 'unsupported_feature' }),
  },
];
