import { expect } from 'vitest';
import { chatReply, messagesReply } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import { type CallsOf, contentOf, finishOf, reasoningOf } from '../support/chat-replies.ts';
import { expectAccountsFault, expectOneRequest } from '../support/expectations.ts';
import { openAiCases } from '../support/openai-cases.ts';
import {
  jsonReply,
  recordedReply,
  recordedStream,
  textReply,
} from '../support/upstream-replies.ts';

const model = 'kimi-k2.6';
const messages = [{ role: 'user', content: 'Hello' }];
const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
const chat = {
  operation: 'chat',
  model,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;
const withTools = [
  { role: 'user', content: 'Weather?' },
  {
    role: 'assistant',
    content: '',
    reasoning_content: 'Look it up.',
    tool_calls: [
      { id: 'weather:0', type: 'function', function: { name: 'weather', arguments: '{}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'weather:0', content: 'Sun' },
  { role: 'assistant', content: 'It is', partial: true },
];
const tools = [
  {
    type: 'function',
    function: { name: 'weather', parameters: { type: 'object', properties: {} } },
  },
  { type: 'builtin_function', function: { name: '$web_search' } },
];
const film = { role: 'user', content: [{ type: 'video_url', video_url: { url: 'ms://film' } }] };

export const cases: readonly ProviderCase[] = [
  ...openAiCases({ paths: { chat: '/v1/chat/completions' }, models: { chat: 'moonshot-v1-8k' } }),
  {
    ...chat,
    title: "Kimi's own sampling, limit and choice",
    body: {
      ...chat.body,
      temperature: 0.3,
      top_p: 0.5,
      n: 2,
      presence_penalty: 1,
      frequency_penalty: 1,
      max_tokens: 50,
      tools,
    },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({ model, messages, max_completion_tokens: 50, tools }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'a required tool call, earlier thinking, a partial answer to continue',
    body: { model, messages: withTools, tools, tool_choice: 'required' },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({ model, messages: withTools, tools, tool_choice: 'auto' }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'an unsupported role next to a feature of Kimi only',
    body: {
      model,
      messages: [
        { role: 'developer', content: 'Be kind.' },
        film,
        { role: 'assistant', content: 'It', partial: true },
      ],
    },
    upstreamReplies: [chatReply(' runs', usage)],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({
        model,
        messages: [
          { role: 'system', content: 'Be kind.' },
          film,
          { role: 'assistant', content: 'It', partial: true },
        ],
      }),
    expectReply: (reply) =>
      expect((reply.json as CallsOf).choices[0]?.message.content).toBe(' runs'),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...chat,
    title: 'older models receive the fields unchanged',
    model: 'moonshot-v1-8k',
    body: { model: 'moonshot-v1-8k', messages, temperature: 0.3, max_tokens: 50 },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({
        model: 'moonshot-v1-8k',
        messages,
        temperature: 0.3,
        max_tokens: 50,
      }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...streamed,
    title: 'usage in the last choice',
    upstreamReplies: [recordedStream('moonshot', 'stream-text.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => expect(contentOf(reply)).toBe('你好！👋'),
    billed: { prompt: 19, completion: 13 },
  },
  {
    ...streamed,
    title: 'usage in the last choice, translated',
    channel: { setting: '{"thinking_to_content":true}' },
    upstreamReplies: [recordedStream('moonshot', 'stream-text.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => expect(contentOf(reply)).toBe('你好！👋'),
    billed: { prompt: 19, completion: 13 },
  },
  {
    ...streamed,
    title: 'thinking',
    upstreamReplies: [recordedStream('moonshot', 'stream-reasoning.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) =>
      expect([reasoningOf(reply), contentOf(reply)]).toEqual(['A greeting. Greet back.', 'Hello']),
    billed: { prompt: 19, completion: 21 },
  },
  {
    ...streamed,
    title: 'thinking as text',
    channel: { setting: '{"thinking_to_content":true}' },
    upstreamReplies: [recordedStream('moonshot', 'stream-reasoning.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(contentOf(reply)).toBe('<think>\nA greeting. Greet back.\n</think>\nHello');
      expect(reply.text).not.toContain('reasoning_content');
    },
    billed: { prompt: 19, completion: 21 },
  },
  {
    ...streamed,
    title: 'parallel tools',
    upstreamReplies: [recordedStream('moonshot', 'stream-tools.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(finishOf(reply)).toBe('tool_calls');
      expect(reply.text).toContain('weather:1');
    },
    billed: { prompt: 60, completion: 40 },
  },
  {
    ...streamed,
    title: 'insufficient balance instead of the stream',
    upstreamReplies: [recordedStream('moonshot', 'stream-error-first.sse')],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { status: 402, error: 'exceeded_current_quota_error' },
  },
  {
    ...chat,
    title: 'a rate limit with status 200',
    upstreamReplies: [
      jsonReply({ error: { message: 'max RPM: 3', type: 'rate_limit_reached_error' } }),
    ],
    expectRequests: expectOneRequest,
    expectReply: ({ status }) => expect(status).toBe(429),
  },
  {
    ...chat,
    title: 'a bad key',
    upstreamReplies: [recordedReply('moonshot', 'failure-401.json', 401)],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { error: 'invalid_authentication_error' },
  },
  {
    ...chat,
    title: 'an unchanged messages body',
    path: '/v1/messages?beta=true',
    body: { model, messages, max_tokens: 50, metadata: { user_id: 'u' } },
    upstreamReplies: [messagesReply('Hello there', { input_tokens: 20, output_tokens: 10 })],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/anthropic/v1/messages?beta=true');
      expect(request?.headers).toMatchObject({
        'x-api-key': 'upstream-key',
        authorization: 'Bearer upstream-key',
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
    ...chat,
    title: 'an unchanged messages body, where chat callers read thinking as text',
    channel: { setting: '{"thinking_to_content":true}' },
    path: '/v1/messages',
    body: { model, messages, max_tokens: 50 },
    upstreamReplies: [messagesReply('Hello there', { input_tokens: 20, output_tokens: 10 })],
    expectRequests: ([request]) => expect(request?.path).toBe('/anthropic/v1/messages'),
    expectReply: ({ status }) => expect(status).toBe(200),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...chat,
    title: 'a messages body to the coding plan',
    basePath: '/coding/v1',
    path: '/v1/messages',
    body: { model, messages, max_tokens: 50 },
    upstreamReplies: [messagesReply('Hello there', { input_tokens: 20, output_tokens: 10 })],
    expectRequests: ([request]) => expect(request?.path).toBe('/coding/v1/messages'),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'a completion sent as a chat',
    path: '/v1/completions',
    body: { model, prompt: 'Once', max_tokens: 50 },
    upstreamReplies: [chatReply(' upon', usage)],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/chat/completions');
      expect(request?.json).toEqual({
        model,
        messages: [{ role: 'user', content: 'Once' }],
        max_completion_tokens: 50,
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ object: 'text_completion', choices: [{ text: ' upon' }] }),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...chat,
    title: 'an HTML page instead of a reply',
    upstreamReplies: [textReply('<html></html>', 'text/html')],
    expectRequests: expectOneRequest,
    expectReply: ({ status }) => expect(status).toBe(502),
  },
];
