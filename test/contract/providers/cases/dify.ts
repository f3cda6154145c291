import { expect } from 'vitest';
import type { ReceivedRequest } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import { type CallsOf, contentOf, errorIn, finishOf } from '../support/chat-replies.ts';
import { expectAccountsFault, expectOneRequest } from '../support/expectations.ts';
import { onePixel } from '../support/openai-cases.ts';
import { jsonReply, recordedReply, recordedStream } from '../support/upstream-replies.ts';

const model = 'my-agent';
const key = 'app-abc';
const messages = [{ role: 'user', content: 'Hello' }];
const conversation = '45701982-8118-4bc5-8e9b-64562b4555f2';
const chat = {
  operation: 'chat',
  model,
  channel: { key },
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;
const billed = { prompt: 1033, completion: 135 };
const talk = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hi!' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'text', text: 'And why?' },
    ],
  },
];
const pixel = `data:image/png;base64,${onePixel.toString('base64')}`;

function expectRequest(request: ReceivedRequest | undefined, body: object): void {
  expect(request?.path).toBe('/v1/chat-messages');
  expect(request?.headers.authorization).toBe(`Bearer ${key}`);
  expect(request?.json).toEqual({
    inputs: {},
    response_mode: 'streaming',
    user: 'turnpike',
    auto_generate_name: false,
    ...body,
  });
}

export const cases: readonly ProviderCase[] = [
  {
    ...chat,
    body: {
      ...chat.body,
      temperature: 0.5,
      max_tokens: 50,
      tools: [{ type: 'function', function: { name: 'weather' } }],
    },
    upstreamReplies: [recordedStream('dify', 'stream-text.sse')],
    expectRequests: ([request]) => expectRequest(request, { query: 'Hello' }),
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        id: `chatcmpl-${conversation}`,
        model,
        choices: [{ message: { content: 'Hello there 👋' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1033, completion_tokens: 135 },
      }),
    billed,
  },
  {
    ...streamed,
    upstreamReplies: [recordedStream('dify', 'stream-text.sse')],
    expectRequests: ([request]) => expectRequest(request, { query: 'Hello' }),
    expectReply: (reply) => {
      expect(contentOf(reply)).toBe('Hello there 👋');
      expect(finishOf(reply)).toBe('stop');
      expect(reply.events.at(-1)).toBe('[DONE]');
    },
    billed,
  },
  {
    ...chat,
    title: 'a conversation is written into the query',
    body: { model, messages: talk, user: 'ann' },
    upstreamReplies: [recordedStream('dify', 'stream-text.sse')],
    expectRequests: ([request]) =>
      expectRequest(request, {
        user: 'ann',
        query:
          'SYSTEM: \nBe kind.\nUSER: \nHello\nASSISTANT: \nHi!\nUSER: \nWhat is this?\nUSER: \nAnd why?\n',
      }),
    expectReply: ({ status }) => expect(status).toBe(200),
    billed,
  },
  {
    ...chat,
    title: 'a conversation stored by Dify is continued',
    body: {
      model,
      messages: talk,
      conversation_id: `chatcmpl-${conversation}`,
      inputs: { tone: 'dry' },
    },
    upstreamReplies: [recordedStream('dify', 'stream-text.sse')],
    expectRequests: ([request]) =>
      expectRequest(request, {
        query: 'What is this?\nAnd why?',
        conversation_id: conversation,
        inputs: { tone: 'dry' },
      }),
    expectReply: ({ json }) => expect(json).toMatchObject({ id: `chatcmpl-${conversation}` }),
    billed,
  },
  {
    ...chat,
    title: 'images: URLs are forwarded, bytes are uploaded first',
    body: {
      model,
      user: 'ann',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Compare' },
            { type: 'image_url', image_url: { url: 'https://images.example/cat.png' } },
            { type: 'image_url', image_url: { url: pixel } },
          ],
        },
      ],
    },
    upstreamReplies: [
      jsonReply({ id: 'file-1', name: 'image.png' }, 201),
      recordedStream('dify', 'stream-text.sse'),
    ],
    expectRequests: ([upload, request]) => {
      expect(upload?.path).toBe('/v1/files/upload');
      expect(upload?.headers.authorization).toBe(`Bearer ${key}`);
      expect(upload?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
      expect(upload?.text).toMatch(/name="file"; filename="image.png"\r\ncontent-type: image\/png/);
      expect(upload?.text).toMatch(/name="user"\r\n\r\nann\r\n/);
      expect(upload?.bytes.includes(onePixel)).toBe(true);
      expectRequest(request, {
        query: 'Compare',
        user: 'ann',
        files: [
          { type: 'image', transfer_method: 'remote_url', url: 'https://images.example/cat.png' },
          { type: 'image', transfer_method: 'local_file', upload_file_id: 'file-1' },
        ],
      });
    },
    expectReply: ({ status }) => expect(status).toBe(200),
    billed,
  },
  {
    ...chat,
    title: 'a rejected upload',
    body: {
      model,
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: pixel } }] }],
    },
    upstreamReplies: [
      jsonReply({ code: 'file_too_large', message: 'File size exceeded.', status: 413 }, 413),
    ],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(413);
      expect(errorIn(reply)).toMatchObject({ code: 'file_too_large' });
    },
  },
  {
    ...streamed,
    title: 'an agent that generates images',
    upstreamReplies: [recordedStream('dify', 'stream-agent.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) =>
      expect(contentOf(reply)).toMatch(
        /^!\[image\]\(http:\/\/127\.0\.0\.1:\d+\/files\/tools\/d75b7a5c\.png\?sign=a\)\nHere is a cat\.$/,
      ),
    billed,
  },
  {
    ...streamed,
    title: 'workflow steps are not included in the reply',
    upstreamReplies: [recordedStream('dify', 'stream-workflow.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(contentOf(reply)).toBe('Hello there');
      expect(reply.text).not.toContain('reasoning_content');
      // Role, text, finish, end: dropped events add no chunk.
      expect(reply.events).toHaveLength(4);
    },
    billed,
  },
  {
    ...streamed,
    title: 'thinking',
    upstreamReplies: [recordedStream('dify', 'stream-thinking.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) =>
      expect(contentOf(reply)).toBe('<think>\nA < B, so B.</think>It is B, a <b>letter</b>'),
    billed,
  },
  {
    ...chat,
    title: 'a server that does not stream',
    upstreamReplies: [recordedReply('dify', 'reply-blocking.json')],
    expectRequests: expectOneRequest,
    expectReply: ({ json }) =>
      expect((json as CallsOf).choices[0]?.message.content).toBe('Hello there'),
    billed,
  },
  {
    ...streamed,
    title: 'a server that does not stream',
    upstreamReplies: [recordedReply('dify', 'reply-blocking.json')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => expect(contentOf(reply)).toBe('Hello there'),
    billed,
  },
  {
    ...streamed,
    title: 'an error instead of the stream',
    upstreamReplies: [recordedStream('dify', 'stream-error-first.sse')],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { status: 402, error: 'provider_quota_exceeded' },
  },
  {
    ...chat,
    title: 'an error in a collected stream',
    upstreamReplies: [recordedStream('dify', 'stream-error.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(400);
      expect(errorIn(reply)).toMatchObject({ code: 'completion_request_error' });
    },
  },
  {
    ...chat,
    title: 'an application without a model',
    upstreamReplies: [recordedReply('dify', 'failure-400.json', 400)],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { status: 403, error: 'provider_not_initialize' },
  },
  {
    ...chat,
    title: 'a bad key',
    upstreamReplies: [recordedReply('dify', 'failure-401.json', 401)],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { status: 401 },
  },
];
