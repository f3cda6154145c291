import { expect } from 'vitest';
import { chatReply, messagesReply, sendJson } from '../../../support/upstream.ts';
import { jsonAnswer, recordedReply, recordedStream } from '../support/answers.ts';
import type { ProviderCase } from '../support/case.ts';
import { type CallsOf, contentOf, errorIn, finishOf, reasoningOf } from '../support/chat-replies.ts';
import { form, onePixel, openAiCases } from '../support/openai-cases.ts';

const model = 'qwen-plus';
const messages = [{ role: 'user', content: 'Hello' }];
const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
const chatPath = '/compatible-mode/v1/chat/completions';
const chat = { operation: 'chat', model, path: '/v1/chat/completions', body: { model, messages } } as const;
const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;
const native = { setting: '{"use_native":true}' };
const once = (requests: readonly unknown[]) => expect(requests).toHaveLength(1);
const served = ({ status }: { status: number }) => expect(status).toBe(200);
const pixel = `data:image/png;base64,${onePixel.toString('base64')}`;
const services = '/api/v1/services';

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

const ordered = jsonAnswer({ output: { task_id: 'task-1', task_status: 'PENDING' }, request_id: 'r' });

const images: readonly ProviderCase[] = [
  {
    operation: 'image',
    model: 'wanx-v1',
    path: '/v1/images/generations',
    body: {
      model: 'wanx-v1',
      prompt: 'a cat',
      n: 3,
      size: '1024x1024',
      quality: 'hd',
      style: '<photography>',
      negative_prompt: 'dogs',
      seed: 42,
      response_format: 'url',
    },
    answers: [ordered, recordedReply('ali', 'reply-task-done.json')],
    asked: ([order, question]) => {
      expect(order?.path).toBe(`${services}/aigc/text2image/image-synthesis`);
      expect(order?.headers).toMatchObject({ authorization: 'Bearer upstream-key', 'x-dashscope-async': 'enable' });
      expect(order?.json).toEqual({
        model: 'wanx-v1',
        input: { prompt: 'a cat', negative_prompt: 'dogs' },
        parameters: { size: '1024*1024', n: 3, style: '<photography>', seed: 42 },
      });
      expect([question?.method, question?.path]).toEqual(['GET', '/api/v1/tasks/task-1']);
      expect(question?.headers.authorization).toBe('Bearer upstream-key');
      expect(question?.text).toBe('');
    },
    got: ({ json }) =>
      expect((json as { data: object[] }).data).toEqual([
        { url: 'https://dashscope-result.example/cat-1.png', revised_prompt: 'a cat on a sofa' },
        { url: 'https://dashscope-result.example/cat-3.png' },
      ]),
  },
  {
    operation: 'image',
    title: 'a refused order',
    model: 'wanx-v1',
    path: '/v1/images/generations',
    body: { model: 'wanx-v1', prompt: 'a cat' },
    answers: [(response) => sendJson(response, 400, { code: 'DataInspectionFailed', message: 'Not this.', request_id: 'r' })],
    asked: once,
    got: (reply) => {
      expect(reply.status).toBe(400);
      expect(errorIn(reply)).toMatchObject({ code: 'ali_async_task_failed', type: 'DataInspectionFailed' });
      expect(errorIn(reply).message).toContain('Not this.');
    },
  },
  {
    operation: 'image',
    title: 'a model that draws at once',
    model: 'qwen-image-plus',
    path: '/v1/images/generations',
    body: { model: 'qwen-image-plus', prompt: 'a cat', size: '1328x1328', negative_prompt: 'dogs', prompt_extend: false },
    answers: [recordedReply('ali', 'reply-picture.json')],
    asked: ([request]) => {
      expect(request?.path).toBe(`${services}/aigc/multimodal-generation/generation`);
      expect(request?.headers).not.toHaveProperty('x-dashscope-async');
      expect(request?.json).toEqual({
        model: 'qwen-image-plus',
        input: { messages: [{ role: 'user', content: [{ text: 'a cat' }] }] },
        parameters: { size: '1328*1328', negative_prompt: 'dogs', prompt_extend: false },
      });
    },
    got: ({ json }) => expect(json).toMatchObject({ data: [{ url: 'https://dashscope-result.example/sync.png' }] }),
  },
  {
    operation: 'image',
    title: 'models that draw at once, as the operator has them',
    model: 'flux-merged',
    channel: { setting: '{"sync_image_models":"z-image, flux"}' },
    path: '/v1/images/generations',
    body: { model: 'flux-merged', prompt: 'a cat' },
    answers: [recordedReply('ali', 'reply-picture.json')],
    asked: ([request]) => expect(request?.path).toBe(`${services}/aigc/multimodal-generation/generation`),
    got: served,
  },
  {
    operation: 'image-edit',
    model: 'qwen-image-edit-plus',
    path: '/v1/images/edits',
    body: form({ model: 'qwen-image-edit-plus', prompt: 'a hat', watermark: 'false', seed: '7' }, [
      'image',
      new Blob([onePixel], { type: 'image/png' }),
      'a.png',
    ]),
    answers: [recordedReply('ali', 'reply-picture.json')],
    asked: ([request]) => {
      expect(request?.path).toBe(`${services}/aigc/multimodal-generation/generation`);
      expect(request?.json).toEqual({
        model: 'qwen-image-edit-plus',
        input: { messages: [{ role: 'user', content: [{ image: pixel }, { text: 'a hat' }] }] },
        parameters: { watermark: false, seed: 7 },
      });
    },
    got: ({ json }) => expect(json).toMatchObject({ data: [{ url: 'https://dashscope-result.example/sync.png' }] }),
  },
];

const ranking = { query: 'cats', documents: ['a dog', { text: 'a cat', id: 9 }], top_n: 2 };

const rerank: readonly ProviderCase[] = [
  {
    operation: 'rerank',
    model: 'gte-rerank-v2',
    path: '/v1/rerank',
    body: { model: 'gte-rerank-v2', ...ranking },
    answers: [recordedReply('ali', 'reply-rerank.json')],
    asked: ([request]) => {
      expect(request?.path).toBe(`${services}/rerank/text-rerank/text-rerank`);
      expect(request?.json).toEqual({
        model: 'gte-rerank-v2',
        input: { query: 'cats', documents: ['a dog', 'a cat'] },
        parameters: { top_n: 2, return_documents: true },
      });
    },
    got: ({ json }) =>
      expect(json).toMatchObject({
        results: [
          { index: 1, relevance_score: 0.93, document: { text: 'a cat' } },
          { index: 0, document: { text: 'a dog' } },
        ],
        usage: { prompt_tokens: 79, total_tokens: 79 },
      }),
    billed: { prompt: 79, completion: 0 },
  },
  {
    operation: 'rerank',
    title: 'the newer interface',
    model: 'qwen3-rerank',
    path: '/v1/rerank',
    body: { model: 'qwen3-rerank', ...ranking, instruct: 'By likeness.', return_documents: false },
    answers: [jsonAnswer({ results: [{ index: 1, relevance_score: 0.8 }], usage: { total_tokens: 41 }, id: 'r' })],
    asked: ([request]) => {
      expect(request?.path).toBe('/compatible-api/v1/reranks');
      expect(request?.json).toEqual({
        model: 'qwen3-rerank',
        query: 'cats',
        documents: ['a dog', 'a cat'],
        top_n: 2,
        instruct: 'By likeness.',
      });
    },
    got: ({ json }) => expect(json).toMatchObject({ results: [{ index: 1, relevance_score: 0.8 }] }),
    billed: { prompt: 41, completion: 0 },
  },
  {
    operation: 'rerank',
    title: 'an error behind status 200',
    model: 'gte-rerank-v2',
    path: '/v1/rerank',
    body: { model: 'gte-rerank-v2', ...ranking },
    answers: [jsonAnswer({ code: 'InvalidApiKey', message: 'Invalid API-key provided.', request_id: 'r' })],
    asked: once,
    got: (reply) => {
      expect(reply.status).toBe(401);
      expect(errorIn(reply)).toMatchObject({ code: 'InvalidApiKey' });
    },
  },
];

const nativeChat = { ...chat, channel: native } as const;
const nativeStreamed = { ...streamed, channel: native } as const;
const picture = { type: 'image_url', image_url: { url: 'https://pictures.example/1.png' } };

const nativeCases: readonly ProviderCase[] = [
  {
    ...nativeChat,
    title: 'native',
    body: { model, messages, top_p: 1, top_k: 5, enable_search: true, max_tokens: 50, user: 'u' },
    answers: [recordedReply('ali-native', 'reply-text.json')],
    asked: ([request]) => {
      expect(request?.path).toBe(`${services}/aigc/text-generation/generation`);
      expect(request?.headers).not.toHaveProperty('x-dashscope-sse');
      expect(request?.json).toEqual({
        model,
        input: { messages },
        parameters: { top_p: 0.999, top_k: 5, enable_search: true, max_tokens: 50, result_format: 'message' },
      });
    },
    got: ({ json }) => {
      expect((json as CallsOf).choices[0]).toMatchObject({ message: { content: '西湖在杭州。' }, finish_reason: 'stop' });
    },
    billed: { prompt: 26, completion: 8 },
  },
  {
    ...nativeStreamed,
    title: 'native',
    answers: [recordedStream('ali-native', 'stream-text.sse')],
    asked: ([request]) => {
      expect(request?.headers).toMatchObject({ 'x-dashscope-sse': 'enable', accept: 'text/event-stream' });
      expect(request?.json).toEqual({
        model,
        input: { messages },
        parameters: { result_format: 'message', incremental_output: true },
      });
    },
    got: (reply) => expect([contentOf(reply), finishOf(reply)]).toEqual(['西湖在杭州。🌿', 'stop']),
    billed: { prompt: 26, completion: 8 },
  },
  {
    ...nativeStreamed,
    title: 'native, tools',
    answers: [recordedStream('ali-native', 'stream-tools.sse')],
    asked: once,
    got: (reply) => {
      expect(finishOf(reply)).toBe('tool_calls');
      expect(reply.text).toContain('call_n1');
    },
    billed: { prompt: 26, completion: 8 },
  },
  {
    ...nativeStreamed,
    title: 'native, a limit',
    answers: [recordedStream('ali-native', 'stream-error-first.sse')],
    asked: once,
    got: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ code: 'Throttling.AllocationQuota', type: 'Throttling.AllocationQuota' });
    },
  },
  {
    ...nativeStreamed,
    title: 'native, pictures',
    model: 'qwen-vl-plus',
    body: {
      model: 'qwen-vl-plus',
      stream: true,
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: [picture, { type: 'text', text: 'What?' }] },
      ],
    },
    answers: [recordedStream('ali-native', 'stream-pictures.sse')],
    asked: ([request]) => {
      expect(request?.path).toBe(`${services}/aigc/multimodal-generation/generation`);
      expect(request?.json.input).toEqual({
        messages: [
          { role: 'system', content: [{ text: 'Be short.' }] },
          { role: 'user', content: [{ image: 'https://pictures.example/1.png' }, { text: 'What?' }] },
        ],
      });
    },
    got: (reply) => expect(contentOf(reply)).toBe('A pixel.'),
  },
  {
    operation: 'embedding',
    title: 'native',
    model: 'text-embedding-v1',
    channel: native,
    path: '/v1/embeddings',
    body: { model: 'text-embedding-v1', input: ['a', 'b'], dimensions: 2 },
    answers: [
      jsonAnswer({
        output: {
          embeddings: [
            { embedding: [1, 0], text_index: 1 },
            { embedding: [0.5, 0.25], text_index: 0 },
          ],
        },
        usage: { total_tokens: 20 },
        request_id: 'r',
      }),
    ],
    asked: ([request]) => {
      expect(request?.path).toBe(`${services}/embeddings/text-embedding/text-embedding`);
      expect(request?.json).toEqual({
        model: 'text-embedding-v1',
        input: { texts: ['a', 'b'] },
        parameters: { text_type: 'document', dimension: 2 },
      });
    },
    got: ({ json }) => {
      const { data } = json as { data: { embedding: number[]; index: number }[] };
      expect(data.map(({ embedding }) => embedding)).toEqual([
        [0.5, 0.25],
        [1, 0],
      ]);
    },
    billed: { prompt: 20, completion: 0 },
  },
];

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
  ...images,
  ...rerank,
  ...nativeCases,
];
