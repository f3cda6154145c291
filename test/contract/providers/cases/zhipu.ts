import { decodeJwt } from 'jose';
import { expect } from 'vitest';
import type { ProviderCase } from '../support/case.ts';
import { contentOf, errorIn, finishOf } from '../support/chat-replies.ts';
import { recordedReply, recordedStream, textReply } from '../support/upstream-replies.ts';
import { v4Cases } from './zhipu-4v.ts';

const model = 'chatglm_turbo';
const messages = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Hello' },
];
const chat = {
  operation: 'chat',
  model,
  channel: { key: 'id.secret' },
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;
const prompt = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Okay' },
  { role: 'user', content: 'Hello' },
];

export const cases: readonly ProviderCase[] = [
  {
    ...chat,
    upstreamReplies: [recordedReply('zhipu', 'reply-text.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/paas/v3/model-api/chatglm_turbo/invoke');
      const claims = decodeJwt(request?.headers.authorization ?? '');
      expect(claims).toMatchObject({
        api_key: 'id',
        exp: Number(claims['timestamp']) + 86_400_000,
      });
      expect(request?.json).toEqual({ prompt });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        model,
        choices: [{ message: { content: ' 你好 ' }, finish_reason: 'stop' }],
      }),
    billed: { prompt: 215, completion: 302 },
  },
  {
    ...streamed,
    upstreamReplies: [recordedStream('zhipu', 'stream-text.sse')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/paas/v3/model-api/chatglm_turbo/sse-invoke');
      expect(request?.json).toEqual({ prompt, incremental: true });
    },
    expectReply: (reply) => {
      expect(contentOf(reply)).toBe('人工智能（AI）：\n一门学科👋');
      expect(finishOf(reply)).toBe('stop');
    },
    billed: { prompt: 15, completion: 9 },
  },
  {
    ...chat,
    title: 'an error with status 200',
    upstreamReplies: [textReply('{"code":1302,"msg":"too many at once","success":false}')],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ type: 'zhipu_error', code: '1302' });
    },
  },
  {
    ...streamed,
    title: 'an error instead of the stream',
    upstreamReplies: [recordedStream('zhipu', 'stream-error-first.sse')],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: (reply) => expect(reply.status).toBe(429),
  },
  {
    ...chat,
    title: 'a malformed key',
    channel: { key: 'no-dot-in-it' },
    expectRequests: (requests) => expect(requests).toEqual([]),
    expectReply: (reply) => {
      expect(errorIn(reply)).toMatchObject({
        code: 'invalid_channel_key',
        message: expect.stringContaining('id.secret'),
      });
      expect(reply.text).not.toContain('no-dot-in-it');
    },
  },
  ...v4Cases(),
];
