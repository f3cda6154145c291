import { expect } from 'vitest';
import type { ProviderCase } from '../support/case.ts';
import { type CallsOf, contentOf, finishOf, reasoningOf } from '../support/chat-replies.ts';
import { expectAccountsFault } from '../support/expectations.ts';
import { openAiCases } from '../support/openai-cases.ts';
import { recordedReply, recordedStream } from '../support/upstream-replies.ts';

const key = 'fastgpt-abc123-64f3d1e2';
const model = 'my-app';
const messages = [{ role: 'user', content: 'Who directed it?' }];
const file = {
  role: 'user',
  content: [
    { type: 'text', text: 'What is in it?' },
    { type: 'file_url', name: 'a.pdf', url: 'https://files.example/a.pdf' },
  ],
};
const own = { chatId: 'c1', responseChatItemId: 'r1', variables: { name: 'Ann' }, customUid: 'u1' };
/** A conversation is its user's own. */
const named = { chatId: expect.stringMatching(/^[0-9a-f]{16}-c1$/) };
const chat = {
  operation: 'chat',
  model,
  channel: { key },
  basePath: '/api',
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;
const detailed = { ...chat.body, ...own, detail: true } as const;

export const cases: readonly ProviderCase[] = [
  ...openAiCases({
    paths: { chat: '/v1/chat/completions' },
    headers: { authorization: `Bearer ${key}` },
    channel: { key },
    streamOptions: false,
  })
    // The usage that FastGPT reports is not forwarded.
    .filter(({ stream, title }) => stream === true || title !== undefined)
    .map(({ billed: _, ...one }) => one),
  {
    ...chat,
    title: 'vendor fields; usage is counted',
    body: { ...chat.body, ...own },
    upstreamReplies: [recordedReply('fastgpt', 'reply-text.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/v1/chat/completions');
      expect(request?.headers.authorization).toBe(`Bearer ${key}`);
      expect(request?.json).toEqual({ model, messages, ...own, ...named });
    },
    expectReply: ({ json }) => {
      expect((json as CallsOf).choices[0]?.message.content).toBe(
        '电影《铃芽之旅》的导演是新海诚。',
      );
      expect(
        (json as { usage: { completion_tokens: number } }).usage.completion_tokens,
      ).toBeGreaterThan(0);
    },
    counted: true,
  },
  {
    ...chat,
    title: 'a file by URL',
    body: { model, messages: [file] },
    upstreamReplies: [recordedReply('fastgpt', 'reply-text.json')],
    expectRequests: ([request]) => expect(request?.json).toEqual({ model, messages: [file] }),
    expectReply: ({ json }) =>
      expect((json as CallsOf).choices[0]?.message.content).toBe(
        '电影《铃芽之旅》的导演是新海诚。',
      ),
    counted: true,
  },
  {
    ...streamed,
    title: 'usage is counted',
    upstreamReplies: [recordedStream('fastgpt', 'stream-text.sse')],
    expectRequests: ([request]) => expect(request?.json).toEqual({ model, messages, stream: true }),
    expectReply: (reply) => {
      expect(reasoningOf(reply)).toBe('A greeting.');
      expect(contentOf(reply)).toBe('电影《铃芽之旅》👋');
    },
    counted: true,
  },
  {
    ...streamed,
    title: 'events that were not requested are dropped',
    upstreamReplies: [recordedStream('fastgpt', 'stream-detail.sse')],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: (reply) => {
      expect(contentOf(reply)).toBe('电影《铃芽之旅》');
      expect(reply.text).not.toMatch(/^event:|moduleName/m);
      expect(finishOf(reply)).toBe('stop');
    },
    counted: true,
  },
  {
    ...streamed,
    title: 'detail: named events are forwarded unchanged',
    body: { ...detailed, stream: true },
    upstreamReplies: [recordedStream('fastgpt', 'stream-detail.sse')],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({ ...detailed, ...named, stream: true }),
    expectReply: (reply) => {
      expect(reply.text).toContain(
        'event: flowNodeStatus\ndata: {"status":"running","name":"知识库搜索"}\n\n',
      );
      expect(reply.text).toContain('event: answer\ndata: {"id":""');
      expect(reply.text).toContain('event: flowResponses\ndata: [{"moduleName":"知识库搜索"');
      expect(reply.text.match(/\[DONE\]/g)).toHaveLength(1);
      expect(reply.events.at(-1)).toBe('[DONE]');
    },
    counted: true,
  },
  {
    ...chat,
    title: 'detail: the steps of the application',
    body: detailed,
    upstreamReplies: [recordedReply('fastgpt', 'reply-detail.json')],
    expectRequests: ([request]) => expect(request?.json).toEqual({ ...detailed, ...named }),
    expectReply: ({ json }) => {
      expect(json).toMatchObject({
        responseData: [{}, { moduleName: 'AI Chat' }],
        choices: [{ message: { content: '新海诚' } }],
      });
      expect(json).not.toHaveProperty('usage');
    },
    counted: true,
  },
  {
    ...chat,
    title: 'a bad key',
    upstreamReplies: [recordedReply('fastgpt', 'failure-500.json', 500)],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: expectAccountsFault,
    reported: { status: 401, error: '514' },
  },
  {
    ...chat,
    title: 'insufficient balance with status 200',
    upstreamReplies: [recordedReply('fastgpt', 'failure-502.json')],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: expectAccountsFault,
    reported: { status: 402 },
  },
  {
    ...streamed,
    title: 'an error instead of the stream',
    upstreamReplies: [recordedStream('fastgpt', 'stream-error-first.sse')],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: expectAccountsFault,
    reported: { status: 401 },
  },
  {
    ...streamed,
    title: 'detail: an error instead of the stream',
    body: { ...detailed, stream: true },
    upstreamReplies: [recordedStream('fastgpt', 'stream-error-first.sse')],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: expectAccountsFault,
    reported: { status: 401 },
  },
  {
    ...streamed,
    title: 'an error after the first text',
    upstreamReplies: [recordedStream('fastgpt', 'stream-error.sse')],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: expectAccountsFault,
    reported: { status: 402, error: '514' },
  },
];
