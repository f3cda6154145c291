import { expect } from 'vitest';
import { chatReply, messagesReply, type ReceivedRequest } from '../../../support/upstream.ts';
import { speechCases, transcriptionCases } from '../support/ali-audio-cases.ts';
import { imageCases, rerankCases } from '../support/ali-calls.ts';
import { nativeCases } from '../support/ali-native-cases.ts';
import { jsonAnswer, recordedReply, recordedStream } from '../support/answers.ts';
import type { ProviderCase } from '../support/case.ts';
import { contentOf, errorIn, finishOf, reasoningOf } from '../support/chat-replies.ts';
import { openAiCases } from '../support/openai-cases.ts';

const model = 'qwen-plus';
const messages = [{ role: 'user', content: 'Hello' }];
const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
const chatPath = '/compatible-mode/v1/chat/completions';
const chat = { operation: 'chat', model, path: '/v1/chat/completions', body: { model, messages } } as const;
const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;
const once = (requests: readonly unknown[]) => expect(requests).toHaveLength(1);
const served = ({ status }: { status: number }) => expect(status).toBe(200);

/** A chat with fields, and the body that reaches DashScope. */
function sends(title: string, asked: string, fields: object, sent: object): ProviderCase {
  return {
    ...chat,
    title,
    model: asked,
    body: { model: asked, messages, ...fields },
    answers: [chatReply('Hello there', usage)],
    asked: ([request]) => expect(request?.json).toEqual(sent),
    got: served,
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
    'fields of its own',
    model,
    { enable_search: true, enable_thinking: false, thinking_budget: 9, top_k: 5, vl_high_resolution_images: true },
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
    answers: [chatReply('Hello there', usage)],
    asked: ([request]: readonly ReceivedRequest[]) => {
      expect(request?.path).toBe(chatPath);
      expect(request?.json).toMatchObject({ model, messages, enable_search: true });
    },
    got: served,
    billed: { prompt: 20, completion: 10 },
  })),
  sends(
    'a role it does not know',
    model,
    { messages: [{ role: 'developer', content: 'Be kind.' }, ...messages], enable_search: true },
    { model, messages: [{ role: 'system', content: 'Be kind.' }, ...messages], enable_search: true },
  ),
  {
    ...streamed,
    title: 'an address with the interface in it, a stream',
    basePath: '/compatible-mode/v1',
    answers: [recordedStream('ali', 'stream-text.sse')],
    asked: ([request]) => {
      expect(request?.path).toBe(chatPath);
      expect(request?.headers).toMatchObject({ 'x-dashscope-sse': 'enable' });
      expect(request?.json).toMatchObject({ stream_options: { include_usage: true } });
    },
    got: (reply) => expect(contentOf(reply)).toBe('西湖在杭州。🌿'),
    billed: { prompt: 22, completion: 9 },
  },
  {
    ...streamed,
    title: 'thinking',
    answers: [recordedStream('ali', 'stream-reasoning.sse')],
    asked: once,
    got: (reply) => expect([reasoningOf(reply), contentOf(reply)]).toEqual(['The user asks for a sum.', '42']),
    billed: { prompt: 18, completion: 31 },
  },
  {
    ...streamed,
    title: 'parallel tools',
    answers: [recordedStream('ali', 'stream-tools.sse')],
    asked: once,
    got: (reply) => {
      expect(finishOf(reply)).toBe('tool_calls');
      expect(reply.text).toContain('call_a1');
      expect(reply.text).toContain('call_a2');
    },
    billed: { prompt: 22, completion: 9 },
  },
  {
    ...streamed,
    title: 'a limit as the first event',
    answers: [recordedStream('ali', 'stream-error-first.sse')],
    asked: once,
    got: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ code: 'insufficient_quota' });
    },
  },
  {
    ...chat,
    title: 'an empty account',
    answers: [recordedReply('ali', 'failure-arrearage.json', 400)],
    asked: once,
    got: (reply) => {
      expect(reply.status).toBe(402);
      expect(errorIn(reply)).toMatchObject({ code: 'Arrearage' });
    },
  },
  {
    ...chat,
    title: 'a bad key',
    answers: [recordedReply('ali', 'failure-401.json', 401)],
    asked: once,
    got: (reply) => expect(errorIn(reply)).toMatchObject({ code: 'invalid_api_key' }),
  },
  {
    ...chat,
    title: 'a messages body as it came',
    channel: { other: 'plugin' },
    path: '/v1/messages?beta=true',
    body: { model, messages, max_tokens: 50, metadata: { user_id: 'u' } },
    answers: [messagesReply('Hello there', { input_tokens: 20, output_tokens: 10 })],
    asked: ([request]) => {
      expect(request?.path).toBe('/apps/anthropic/v1/messages?beta=true');
      expect(request?.headers).toMatchObject({ 'x-api-key': 'upstream-key', 'x-dashscope-plugin': 'plugin' });
      expect(request?.json).toEqual({ model, messages, max_tokens: 50, metadata: { user_id: 'u' } });
    },
    got: ({ json }) => expect(json).toMatchObject({ type: 'message', content: [{ text: 'Hello there' }] }),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...chat,
    title: 'messages to a model that is not Qwen',
    model: 'deepseek-v3.2',
    path: '/v1/messages',
    body: { model: 'deepseek-v3.2', messages, max_tokens: 50 },
    answers: [chatReply('Hello there', usage)],
    asked: ([request]) => expect(request?.path).toBe(chatPath),
    got: ({ json }) => expect(json).toMatchObject({ type: 'message', content: [{ type: 'text', text: 'Hello there' }] }),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...chat,
    title: 'thinking as callers of Gemini ask for it',
    model: 'qwen3-235b-a22b',
    path: '/v1beta/models/qwen3-235b-a22b:generateContent',
    body: {
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      generationConfig: { thinkingConfig: { thinkingBudget: 0 } },
    },
    answers: [chatReply('Hello there', usage)],
    asked: ([request]) => expect(request?.json).toMatchObject({ model: 'qwen3-235b-a22b', enable_thinking: false }),
    got: served,
    billed: { prompt: 20, completion: 10 },
  },
  {
    operation: 'embedding',
    title: 'packed for the caller',
    model: 'text-embedding-v4',
    path: '/v1/embeddings',
    body: { model: 'text-embedding-v4', input: 'a', encoding_format: 'base64' },
    answers: [jsonAnswer({ data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 2, total_tokens: 2 } })],
    asked: ([request]) => expect(request?.json).toEqual({ model: 'text-embedding-v4', input: 'a' }),
    got: ({ json }) => expect(json).toMatchObject({ data: [{ embedding: 'AACAPw==' }] }),
    billed: { prompt: 2, completion: 0 },
  },
  ...imageCases,
  ...rerankCases,
  ...speechCases,
  ...transcriptionCases,
  ...nativeCases,
];
