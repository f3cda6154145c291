import { expect } from 'vitest';
import { messageItem, responsesReply } from '../../../support/responses-upstream.ts';
import { chatReply } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import { openAiCases } from '../support/openai-cases.ts';
import { jsonReply, recordedReply, recordedStream } from '../support/upstream-replies.ts';

const messages = [{ role: 'user', content: 'Hello' }];

/** A chat with these fields, and the fields that reach xAI. */
function chat(
  title: string,
  model: string,
  fields: object,
  sent: object,
  absent: readonly string[] = [],
): ProviderCase {
  return {
    operation: 'chat',
    title,
    model,
    path: '/v1/chat/completions',
    body: { model, messages, ...fields },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) => {
      expect(request?.json).toMatchObject(sent);
      for (const name of absent) expect(request?.json).not.toHaveProperty(name);
    },
    expectReply: ({ status }) => expect(status).toBe(200),
  };
}

const plain = {
  operation: 'chat',
  model: 'grok-4',
  path: '/v1/chat/completions',
  body: { model: 'grok-4', messages },
} as const;
const ignore = () => undefined;

export const cases: readonly ProviderCase[] = [
  ...openAiCases({
    paths: {
      chat: '/v1/chat/completions',
      completion: '/v1/completions',
      responses: '/v1/responses',
    },
  }),
  {
    operation: 'image',
    model: 'grok-2-image',
    path: '/v1/images/generations',
    body: {
      model: 'grok-2-image',
      prompt: 'a cat',
      n: 1,
      size: '1024x1024',
      quality: 'hd',
      style: 'vivid',
      response_format: 'b64_json',
    },
    upstreamReplies: [
      jsonReply({ data: [{ b64_json: 'AAAA', revised_prompt: 'a cat, sitting' }] }),
    ],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/images/generations');
      expect(request?.json).toEqual({
        model: 'grok-2-image',
        prompt: 'a cat',
        n: 1,
        response_format: 'b64_json',
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        data: [{ b64_json: 'AAAA', revised_prompt: 'a cat, sitting' }],
      }),
  },
  chat(
    'effort by suffix',
    'grok-3-mini-beta-high',
    { max_tokens: 9, stop: ['x'], presence_penalty: 1, frequency_penalty: 1, temperature: 0 },
    {
      model: 'grok-3-mini-beta',
      reasoning_effort: 'high',
      max_completion_tokens: 9,
      temperature: 0,
    },
    ['max_tokens', 'stop', 'presence_penalty', 'frequency_penalty'],
  ),
  {
    ...plain,
    title: 'search by suffix',
    model: 'grok-4-search',
    body: { model: 'grok-4-search', messages, stop: ['x'] },
    upstreamReplies: [responsesReply([messageItem('Found')])],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/responses');
      expect(request?.json).toMatchObject({ model: 'grok-4', tools: [{ type: 'web_search' }] });
    },
    expectReply: ({ text }) => expect(text).toContain('Found'),
  },
  chat(
    'penalties for models without reasoning',
    'grok-4-fast-non-reasoning',
    { presence_penalty: 1 },
    { presence_penalty: 1 },
  ),
  {
    ...plain,
    title: 'thinking counts as output',
    stream: true,
    body: { ...plain.body, stream: true },
    upstreamReplies: [recordedStream('xai', 'stream-reasoning.sse')],
    expectRequests: ignore,
    expectReply: ({ text }) => expect(text).toContain('"reasoning_content":"Two "'),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...plain,
    title: 'a Claude caller, several calls in one chunk',
    stream: true,
    path: '/v1/messages',
    body: { ...plain.body, max_tokens: 50, stream: true },
    upstreamReplies: [recordedStream('xai', 'stream-tools.sse')],
    expectRequests: ignore,
    expectReply: ({ events }) => {
      const inputs = events
        .map((event) => (event as { delta?: { partial_json?: string } }).delta?.partial_json ?? '')
        .join('');
      expect(inputs).toBe('{"city":"Oslo"}{"city":"Rome"}');
    },
    // Log rows of this route show tokens read from the cache separately.
    billed: { prompt: 14, completion: 10 },
  },
  {
    ...plain,
    title: 'a wrong key of the channel, which is answered with 400',
    upstreamReplies: [recordedReply('xai', 'failure-400.json', 400)],
    expectRequests: ignore,
    expectReply: ({ status, json }) => {
      expect(status).toBe(502);
      expect(json).toMatchObject({ error: { code: 'upstream_unauthorized' } });
      expect(JSON.stringify(json)).not.toContain('API key');
    },
  },
  {
    ...plain,
    title: 'an error given as a string, with status 200',
    upstreamReplies: [recordedReply('xai', 'failure-403.json')],
    expectRequests: ignore,
    expectReply: ({ status, json }) => {
      expect(status).toBe(400);
      expect((json as { error: { message: string } }).error.message).toContain(
        'Content violates usage guidelines',
      );
    },
  },
  {
    ...plain,
    title: 'an error as first event',
    stream: true,
    body: { ...plain.body, stream: true },
    upstreamReplies: [recordedStream('xai', 'stream-error-first.sse')],
    expectRequests: ignore,
    expectReply: ({ status, json }) => {
      expect(status).toBe(502);
      expect((json as { error: { message: string } }).error.message).toContain(
        'The model grok-9 does not exist',
      );
    },
  },
];
