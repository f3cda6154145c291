import { expect } from 'vitest';
import { chatReply, messagesReply, type ReceivedRequest } from '../../../support/upstream.ts';
import { speechCases, transcriptionCases } from '../support/ali-audio-cases.ts';
import { imageCases, rerankCases } from '../support/ali-calls.ts';
import { nativeCases } from '../support/ali-native-cases.ts';
import type { ProviderCase } from '../support/case.ts';
import { contentOf, errorIn, finishOf, reasoningOf } from '../support/chat-replies.ts';
import { expectAccountsFault, expectOk, expectOneRequest } from '../support/expectations.ts';
import { openAiCases } from '../support/openai-cases.ts';
import { jsonReply, recordedReply, recordedStream } from '../support/upstream-replies.ts';

const model = 'qwen-plus';
const messages = [{ role: 'user', content: 'Hello' }];
const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
const chatPath = '/compatible-mode/v1/chat/completions';
const chat = {
  operation: 'chat',
  model,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;

/** A chat with these fields, and the body that reaches DashScope. */
function sends(title: string, expectRequests: string, fields: object, sent: object): ProviderCase {
  return {
    ...chat,
    title,
    model: expectRequests,
    body: { model: expectRequests, messages, ...fields },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) => expect(request?.json).toEqual(sent),
    expectReply: expectOk,
  };
}

export const cases: readonly ProviderCase[] = [
  ...openAiCases({
    paths: {
      chat: chatPath,
      completion: '/compatible-mode/v1/completions',
      embedding: '/compatible-mode/v1/embeddings',
      responses: '/api/v2/apps/protocols/compatible-mode/v1/responses',
    },
    models: { chat: model, embedding: 'text-embedding-v4', responses: model },
    channel: { other: '{"pdf_extracter":{}}' },
    headers: { authorization: 'Bearer upstream-key', 'x-dashscope-plugin': '{"pdf_extracter":{}}' },
  }),
  sends('no top_p stays none', model, { temperature: 0 }, { model, messages, temperature: 0 }),
  sends('top_p of 1', model, { top_p: 1 }, { model, messages, top_p: 0.999 }),
  sends('top_p of 0', model, { top_p: 0 }, { model, messages, top_p: 0.001 }),
  sends('top_p between', model, { top_p: 0.8 }, { model, messages, top_p: 0.8 }),
  sends(
    'vendor fields',
    model,
    {
      enable_search: true,
      enable_thinking: false,
      thinking_budget: 9,
      top_k: 5,
      vl_high_resolution_images: true,
    },
    {
      model,
      messages,
      enable_search: true,
      enable_thinking: false,
      thinking_budget: 9,
      top_k: 5,
      vl_high_resolution_images: true,
    },
  ),
  sends('a search by suffix', 'qwen-plus-internet', {}, { model, messages, enable_search: true }),
  ...['/v1/messages', '/v1/responses'].map((path) => ({
    ...chat,
    title: `a search by suffix, from ${path}`,
    model: 'qwen-plus-internet',
    path,
    body: { model: 'qwen-plus-internet', messages, max_tokens: 50, input: 'Hello' },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]: readonly ReceivedRequest[]) => {
      expect(request?.path).toBe(chatPath);
      expect(request?.json).toMatchObject({ model, messages, enable_search: true });
    },
    expectReply: expectOk,
    billed: { prompt: 20, completion: 10 },
  })),
  sends(
    'an unsupported role',
    model,
    { messages: [{ role: 'developer', content: 'Be kind.' }, ...messages], enable_search: true },
    {
      model,
      messages: [{ role: 'system', content: 'Be kind.' }, ...messages],
      enable_search: true,
    },
  ),
  {
    ...streamed,
    title: 'a base URL that contains the endpoint, streamed',
    basePath: '/compatible-mode/v1',
    upstreamReplies: [recordedStream('ali', 'stream-text.sse')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe(chatPath);
      expect(request?.headers).toMatchObject({ 'x-dashscope-sse': 'enable' });
      expect(request?.json).toMatchObject({ stream_options: { include_usage: true } });
    },
    expectReply: (reply) => expect(contentOf(reply)).toBe('西湖在杭州。🌿'),
    billed: { prompt: 22, completion: 9 },
  },
  {
    ...streamed,
    title: 'thinking',
    upstreamReplies: [recordedStream('ali', 'stream-reasoning.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) =>
      expect([reasoningOf(reply), contentOf(reply)]).toEqual(['The user asks for a sum.', '42']),
    billed: { prompt: 18, completion: 31 },
  },
  {
    ...streamed,
    title: 'parallel tools',
    upstreamReplies: [recordedStream('ali', 'stream-tools.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(finishOf(reply)).toBe('tool_calls');
      expect(reply.text).toContain('call_a1');
      expect(reply.text).toContain('call_a2');
    },
    billed: { prompt: 22, completion: 9 },
  },
  {
    ...streamed,
    title: 'a rate limit as the first event',
    upstreamReplies: [recordedStream('ali', 'stream-error-first.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ code: 'insufficient_quota' });
    },
  },
  {
    ...chat,
    title: 'insufficient balance',
    upstreamReplies: [recordedReply('ali', 'failure-arrearage.json', 400)],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { status: 402, error: 'Arrearage' },
  },
  {
    ...chat,
    title: 'a bad key',
    upstreamReplies: [recordedReply('ali', 'failure-401.json', 401)],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { error: 'invalid_api_key' },
  },
  {
    ...chat,
    title: 'an unchanged messages body',
    channel: { other: 'plugin' },
    path: '/v1/messages?beta=true',
    body: { model, messages, max_tokens: 50, metadata: { user_id: 'u' } },
    upstreamReplies: [messagesReply('Hello there', { input_tokens: 20, output_tokens: 10 })],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/apps/anthropic/v1/messages?beta=true');
      expect(request?.headers).toMatchObject({
        'x-api-key': 'upstream-key',
        'x-dashscope-plugin': 'plugin',
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
    title: 'messages for a model that is not Qwen',
    model: 'deepseek-v3.2',
    path: '/v1/messages',
    body: { model: 'deepseek-v3.2', messages, max_tokens: 50 },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) => expect(request?.path).toBe(chatPath),
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        type: 'message',
        content: [{ type: 'text', text: 'Hello there' }],
      }),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...chat,
    title: 'thinking as requested by Gemini callers',
    model: 'qwen3-235b-a22b',
    path: '/v1beta/models/qwen3-235b-a22b:generateContent',
    body: {
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      generationConfig: { thinkingConfig: { thinkingBudget: 0 } },
    },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({ model: 'qwen3-235b-a22b', enable_thinking: false }),
    expectReply: expectOk,
    billed: { prompt: 20, completion: 10 },
  },
  {
    operation: 'embedding',
    title: 'vectors encoded as base64 by the gateway',
    model: 'text-embedding-v4',
    path: '/v1/embeddings',
    body: { model: 'text-embedding-v4', input: 'a', encoding_format: 'base64' },
    upstreamReplies: [
      jsonReply({
        data: [{ index: 0, embedding: [1] }],
        usage: { prompt_tokens: 2, total_tokens: 2 },
      }),
    ],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({ model: 'text-embedding-v4', input: 'a' }),
    expectReply: ({ json }) => expect(json).toMatchObject({ data: [{ embedding: 'AACAPw==' }] }),
    billed: { prompt: 2, completion: 0 },
  },
  ...imageCases,
  ...rerankCases,
  ...speechCases,
  ...transcriptionCases,
  ...nativeCases,
];
