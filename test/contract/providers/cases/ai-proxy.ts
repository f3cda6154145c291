import { expect } from 'vitest';
import { recordedReply, recordedStream } from '../support/answers.ts';
import type { ProviderCase } from '../support/case.ts';
import { type CallsOf, contentOf, errorIn, finishOf } from '../support/chat-replies.ts';

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
  body: { model, messages, temperature: 0.5, tools: [{ type: 'function', function: { name: 'pay' } }] },
} as const;
const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;
const once = (requests: readonly unknown[]) => expect(requests).toHaveLength(1);

export const cases: readonly ProviderCase[] = [
  {
    ...chat,
    answers: [recordedReply('ai-proxy', 'reply-text.json')],
    asked: ([request]) => {
      expect(request?.path).toBe('/api/library/ask');
      expect(request?.headers.authorization).toBe('Bearer upstream-key');
      expect(request?.json).toEqual({ model, query: 'What do rooms cost?', libraryId: 'lib-42', stream: false });
    },
    got: ({ json }) => {
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
    answers: [recordedStream('ai-proxy', 'stream-text.sse')],
    asked: ([request]) => expect(request?.json).toMatchObject({ query: 'What do rooms cost?', stream: true }),
    got: (reply) => {
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
    title: 'an error behind status 200',
    answers: [recordedReply('ai-proxy', 'failure-403.json')],
    asked: once,
    got: (reply) => {
      expect(reply.status).toBe(500);
      expect(errorIn(reply)).toMatchObject({ type: '1002', code: '1002' });
    },
  },
  {
    ...streamed,
    title: 'an error in place of the stream',
    answers: [recordedStream('ai-proxy', 'stream-error-first.sse')],
    asked: once,
    got: (reply) => expect(errorIn(reply)).toMatchObject({ code: '1001' }),
  },
  {
    ...chat,
    title: 'a refusal',
    answers: [recordedReply('ai-proxy', 'failure-403.json', 403)],
    asked: once,
    got: ({ status }) => expect(status).toBe(403),
  },
  {
    ...chat,
    title: 'images',
    body: {
      model,
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://images.example/cat.png' } }] }],
    },
    asked: (requests) => expect(requests).toEqual([]),
    got: (reply) => expect(errorIn(reply)).toMatchObject({ code: 'unsupported_feature' }),
  },
];
