import { expect } from 'vitest';
import type { ProviderCase } from '../support/case.ts';
import { contentOf, errorIn, finishOf } from '../support/chat-replies.ts';
import { expectAccountsFault, expectOneRequest } from '../support/expectations.ts';
import { jsonReply, recordedReply, textReply } from '../support/upstream-replies.ts';

const model = 'PaLM-2';
const messages = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hi!' },
  { role: 'user', content: 'And?' },
];
const chat = {
  operation: 'chat',
  model,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;
const prompt = {
  context: 'Be kind.',
  messages: [
    { author: '0', content: 'Hello' },
    { author: '1', content: 'Hi!' },
    { author: '0', content: 'And?' },
  ],
};
const expectNoRequest = (requests: readonly unknown[]) => expect(requests).toEqual([]);

export const cases: readonly ProviderCase[] = [
  {
    ...chat,
    body: { model, messages, temperature: 0, top_p: 0.5, top_k: 40, n: 2, max_tokens: 50 },
    upstreamReplies: [recordedReply('palm', 'reply-text.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1beta2/models/chat-bison-001:generateMessage');
      expect(request?.headers['x-goog-api-key']).toBe('upstream-key');
      expect(request?.headers.authorization).toBeUndefined();
      expect(request?.json).toEqual({
        prompt,
        temperature: 0,
        topP: 0.5,
        topK: 40,
        candidateCount: 2,
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        model,
        choices: [
          { index: 0, message: { content: 'Hello there' }, finish_reason: 'stop' },
          { index: 1, message: { content: 'Hi!' }, finish_reason: 'stop' },
        ],
      }),
    counted: true,
  },
  {
    ...streamed,
    upstreamReplies: [jsonReply({ candidates: [{ author: '1', content: 'Hello there' }] })],
    expectRequests: ([request]) => expect(request?.json).toEqual({ prompt }),
    expectReply: (reply) => {
      expect(contentOf(reply)).toBe('Hello there');
      expect(finishOf(reply)).toBe('stop');
      expect(reply.events[0]).toMatchObject({ choices: [{ delta: { role: 'assistant' } }] });
      expect(reply.events.at(-1)).toBe('[DONE]');
    },
    counted: true,
  },
  {
    ...chat,
    title: 'an error with status 200',
    upstreamReplies: [recordedReply('palm', 'reply-error.json')],
    expectRequests: expectOneRequest,
    expectReply: ({ status }) => expect(status).toBe(429),
  },
  {
    ...streamed,
    title: 'an error with status 200',
    upstreamReplies: [recordedReply('palm', 'reply-error.json')],
    expectRequests: expectOneRequest,
    expectReply: ({ status }) => expect(status).toBe(429),
  },
  {
    ...chat,
    title: 'no candidates: filtered',
    upstreamReplies: [recordedReply('palm', 'reply-filtered.json')],
    expectRequests: expectOneRequest,
    expectReply: (reply) =>
      expect(errorIn(reply)).toMatchObject({
        code: 'prompt_blocked',
        message: expect.stringContaining('SAFETY'),
      }),
  },
  {
    ...chat,
    title: 'the endpoint that was shut down',
    upstreamReplies: [recordedReply('palm', 'failure-404.json', 404)],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: {
      status: 404,
      error: 'interface_ended',
      failure: expect.stringContaining('type Gemini'),
    },
  },
  {
    ...chat,
    title: 'an HTML page at the old endpoint',
    upstreamReplies: [
      (response) => {
        response.writeHead(403, { 'content-type': 'text/html' });
        response.end('<html>gone</html>');
      },
    ],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { error: 'interface_ended' },
  },
  {
    ...chat,
    title: 'a bad key',
    upstreamReplies: [recordedReply('palm', 'failure-400.json', 400)],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { status: 401 },
  },
  {
    ...chat,
    title: 'an empty reply',
    upstreamReplies: [textReply('{}')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => expect(errorIn(reply)).toMatchObject({ code: 'empty_response' }),
  },
  {
    ...chat,
    title: 'tools',
    body: { model, messages, tools: [{ type: 'function', function: { name: 'weather' } }] },
    expectRequests: expectNoRequest,
    expectReply: (reply) => expect(errorIn(reply)).toMatchObject({ code: 'unsupported_feature' }),
  },
  {
    ...chat,
    title: 'a Claude caller',
    path: '/v1/messages',
    body: { model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 50 },
    upstreamReplies: [recordedReply('palm', 'reply-text.json')],
    expectRequests: expectOneRequest,
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        type: 'message',
        content: [{ type: 'text', text: 'Hello there' }],
      }),
  },
];
