import { expect } from 'vitest';
import { chatReply, messagesReply } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import { expectAccountsFault } from '../support/expectations.ts';
import { openAiCases } from '../support/openai-cases.ts';
import {
  jsonReply,
  recordedReply,
  recordedStream,
  textReply,
} from '../support/upstream-replies.ts';

const model = 'deepseek-chat';
const messages = [{ role: 'user', content: 'Hello' }];
const chat = {
  operation: 'chat',
  model,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const streamed = { ...chat, stream: true, body: { ...chat.body, stream: true } } as const;
const ignore = () => undefined;
const thought = [
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hi', reasoning_content: 'A greeting.' },
  { role: 'user', content: 'So?' },
];
const gaveUp = (content: string) =>
  jsonReply({
    id: 'd1',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content },
        finish_reason: 'insufficient_system_resource',
      },
    ],
    usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
  });

export const cases: readonly ProviderCase[] = [
  ...openAiCases({ paths: { chat: '/v1/chat/completions', completion: '/beta/completions' } }),
  {
    ...chat,
    title: 'a partial answer to continue uses the beta endpoint',
    body: { model, messages: [...messages, { role: 'assistant', content: 'Hi', prefix: true }] },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) => expect(request?.path).toBe('/beta/chat/completions'),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'a schema goes into the prompt',
    body: {
      ...chat.body,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'a', schema: { type: 'object' } },
      },
    },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) => {
      expect(request?.json.response_format).toEqual({ type: 'json_object' });
      expect(request?.json.messages).toMatchObject([
        { role: 'system', content: expect.stringContaining('JSON schema:\n{"type":"object"}') },
        { role: 'user', content: 'Hello' },
      ]);
    },
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'earlier thinking and the thinking switch are forwarded',
    body: { model, messages: thought, thinking: { type: 'enabled' } },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({ model, messages: thought, thinking: { type: 'enabled' } }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'no earlier thinking for servers of the R1 generation',
    channel: { setting: '{"drop_reasoning_content":true}' },
    body: { model, messages: thought },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) => {
      expect(request?.text).not.toContain('reasoning_content');
      expect(request?.json.messages).toMatchObject([{}, { role: 'assistant', content: 'Hi' }, {}]);
    },
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'no log probabilities for the reasoner',
    model: 'deepseek-reasoner',
    body: { model: 'deepseek-reasoner', messages, logprobs: true, top_logprobs: 2 },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({ model: 'deepseek-reasoner', messages }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'Claude Code uses the messages endpoint',
    path: '/v1/messages',
    body: { model, messages, max_tokens: 50 },
    upstreamReplies: [messagesReply()],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/anthropic/v1/messages');
      expect(request?.headers['x-api-key']).toBe('upstream-key');
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ content: [{ text: 'Hello from Claude' }] }),
  },
  {
    ...chat,
    title: 'a Gemini caller without thinking',
    path: `/v1beta/models/${model}:generateContent`,
    body: {
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      generationConfig: { thinkingConfig: { thinkingBudget: 0 } },
    },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) => expect(request?.json.thinking).toEqual({ type: 'disabled' }),
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        candidates: [{ content: { parts: [{ text: 'Hello from upstream' }] } }],
      }),
  },
  {
    ...streamed,
    title: 'thinking, cached tokens, one usage',
    body: { ...streamed.body, stream_options: { include_usage: true } },
    upstreamReplies: [recordedStream('deepseek', 'stream-tools.sse')],
    expectRequests: ignore,
    expectReply: ({ events }) => {
      expect(
        events.filter((event) => (event as { choices?: object[] }).choices?.length === 0),
      ).toHaveLength(1);
      expect(events.at(-1)).toBe('[DONE]');
    },
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...chat,
    title: 'blank lines before the reply',
    upstreamReplies: [
      textReply(
        `\n\n\n${JSON.stringify({ id: 'd', choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }] })}`,
      ),
    ],
    expectRequests: ignore,
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ choices: [{ message: { content: 'Hi' } }] }),
  },
  {
    ...chat,
    title: 'a server that fails at once',
    upstreamReplies: [gaveUp('')],
    expectRequests: ignore,
    expectReply: ({ status, json }) => {
      expect(status).toBe(529);
      expect(json).toMatchObject({ error: { code: 'insufficient_system_resource' } });
    },
  },
  {
    ...chat,
    title: 'a server that fails in the middle',
    upstreamReplies: [gaveUp('Os')],
    expectRequests: ignore,
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        choices: [{ message: { content: 'Os' }, finish_reason: 'stop' }],
      }),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...streamed,
    title: 'a server that fails in the middle',
    upstreamReplies: [
      textReply(
        [
          { choices: [{ index: 0, delta: { content: 'Os' }, finish_reason: null }] },
          { choices: [{ index: 0, delta: {}, finish_reason: 'insufficient_system_resource' }] },
        ]
          .map((chunk) => `data: ${JSON.stringify({ id: 'd', ...chunk })}\n\n`)
          .join('')
          .concat('data: [DONE]\n\n'),
        'text/event-stream',
      ),
    ],
    expectRequests: ignore,
    expectReply: ({ text }) => {
      expect(text).toContain('"finish_reason":"stop"');
      expect(text).not.toContain('insufficient_system_resource');
    },
  },
  {
    ...chat,
    title: 'insufficient balance',
    upstreamReplies: [recordedReply('deepseek', 'failure-402.json', 402)],
    expectRequests: ignore,
    expectReply: expectAccountsFault,
    reported: { status: 402, failure: expect.stringContaining('Insufficient Balance') },
  },
];
