/** Ali's images and reranking. */
import { expect } from 'vitest';
import { sendJson } from '../../../support/upstream.ts';
import type { ProviderCase } from './case.ts';
import { errorIn } from './chat-replies.ts';
import { expectAccountsFault, expectOk, expectOneRequest } from './expectations.ts';
import { form, onePixel } from './openai-cases.ts';
import { jsonReply, recordedReply } from './upstream-replies.ts';

const services = '/api/v1/services';
const pixel = `data:image/png;base64,${onePixel.toString('base64')}`;
const ordered = jsonReply({
  output: { task_id: 'task-1', task_status: 'PENDING' },
  request_id: 'r',
});

export const imageCases: readonly ProviderCase[] = [
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
    upstreamReplies: [ordered, recordedReply('ali', 'reply-task-done.json')],
    expectRequests: ([order, question]) => {
      expect(order?.path).toBe(`${services}/aigc/text2image/image-synthesis`);
      expect(order?.headers).toMatchObject({
        authorization: 'Bearer upstream-key',
        'x-dashscope-async': 'enable',
      });
      expect(order?.json).toEqual({
        model: 'wanx-v1',
        input: { prompt: 'a cat', negative_prompt: 'dogs' },
        parameters: { size: '1024*1024', n: 3, style: '<photography>', seed: 42 },
      });
      expect([question?.method, question?.path]).toEqual(['GET', '/api/v1/tasks/task-1']);
      expect(question?.headers.authorization).toBe('Bearer upstream-key');
      expect(question?.text).toBe('');
    },
    expectReply: ({ json }) =>
      expect((json as { data: object[] }).data).toEqual([
        { url: 'https://dashscope-result.example/cat-1.png', revised_prompt: 'a cat on a sofa' },
        { url: 'https://dashscope-result.example/cat-3.png' },
      ]),
  },
  {
    operation: 'image',
    title: 'a rejected task',
    model: 'wanx-v1',
    path: '/v1/images/generations',
    body: { model: 'wanx-v1', prompt: 'a cat' },
    upstreamReplies: [
      (response) =>
        sendJson(response, 400, {
          code: 'DataInspectionFailed',
          message: 'Not this.',
          request_id: 'r',
        }),
    ],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(400);
      expect(errorIn(reply)).toMatchObject({
        code: 'content_filter',
        type: 'invalid_request_error',
      });
      expect(errorIn(reply).message).toContain('Not this.');
    },
  },
  {
    operation: 'image',
    title: 'a synchronous image model',
    model: 'qwen-image-plus',
    path: '/v1/images/generations',
    body: {
      model: 'qwen-image-plus',
      prompt: 'a cat',
      size: '1328x1328',
      negative_prompt: 'dogs',
      prompt_extend: false,
    },
    upstreamReplies: [recordedReply('ali', 'reply-picture.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe(`${services}/aigc/multimodal-generation/generation`);
      expect(request?.headers).not.toHaveProperty('x-dashscope-async');
      expect(request?.json).toEqual({
        model: 'qwen-image-plus',
        input: { messages: [{ role: 'user', content: [{ text: 'a cat' }] }] },
        parameters: { size: '1328*1328', negative_prompt: 'dogs', prompt_extend: false },
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ data: [{ url: 'https://dashscope-result.example/sync.png' }] }),
  },
  {
    operation: 'image',
    title: 'synchronous image models set by the operator',
    model: 'flux-merged',
    channel: { setting: '{"sync_image_models":"z-image, flux"}' },
    path: '/v1/images/generations',
    body: { model: 'flux-merged', prompt: 'a cat' },
    upstreamReplies: [recordedReply('ali', 'reply-picture.json')],
    expectRequests: ([request]) =>
      expect(request?.path).toBe(`${services}/aigc/multimodal-generation/generation`),
    expectReply: expectOk,
  },
  {
    operation: 'image',
    title: 'an edit by URL',
    model: 'qwen-image-edit-plus',
    path: '/v1/images/generations',
    body: {
      model: 'qwen-image-edit-plus',
      prompt: 'a hat',
      image: ['https://images.example/cat.png', pixel],
    },
    upstreamReplies: [recordedReply('ali', 'reply-picture.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe(`${services}/aigc/multimodal-generation/generation`);
      expect(request?.json.input).toEqual({
        messages: [
          {
            role: 'user',
            content: [
              { image: 'https://images.example/cat.png' },
              { image: pixel },
              { text: 'a hat' },
            ],
          },
        ],
      });
    },
    expectReply: expectOk,
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
    upstreamReplies: [recordedReply('ali', 'reply-picture.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe(`${services}/aigc/multimodal-generation/generation`);
      expect(request?.json).toEqual({
        model: 'qwen-image-edit-plus',
        input: { messages: [{ role: 'user', content: [{ image: pixel }, { text: 'a hat' }] }] },
        parameters: { watermark: false, seed: 7 },
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ data: [{ url: 'https://dashscope-result.example/sync.png' }] }),
  },
];

const ranking = { query: 'cats', documents: ['a dog', { text: 'a cat', id: 9 }], top_n: 2 };

export const rerankCases: readonly ProviderCase[] = [
  {
    operation: 'rerank',
    model: 'gte-rerank-v2',
    path: '/v1/rerank',
    body: { model: 'gte-rerank-v2', ...ranking },
    upstreamReplies: [recordedReply('ali', 'reply-rerank.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe(`${services}/rerank/text-rerank/text-rerank`);
      expect(request?.json).toEqual({
        model: 'gte-rerank-v2',
        input: { query: 'cats', documents: ['a dog', 'a cat'] },
        parameters: { top_n: 2, return_documents: true },
      });
    },
    expectReply: ({ json }) =>
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
    title: 'the newer endpoint',
    model: 'qwen3-rerank',
    path: '/v1/rerank',
    body: { model: 'qwen3-rerank', ...ranking, instruct: 'By likeness.', return_documents: false },
    upstreamReplies: [
      jsonReply({
        results: [{ index: 1, relevance_score: 0.8 }],
        usage: { total_tokens: 41 },
        id: 'r',
      }),
    ],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/compatible-api/v1/reranks');
      expect(request?.json).toEqual({
        model: 'qwen3-rerank',
        query: 'cats',
        documents: ['a dog', 'a cat'],
        top_n: 2,
        instruct: 'By likeness.',
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ results: [{ index: 1, relevance_score: 0.8 }] }),
    billed: { prompt: 41, completion: 0 },
  },
  {
    operation: 'rerank',
    title: 'an error with status 200',
    model: 'gte-rerank-v2',
    path: '/v1/rerank',
    body: { model: 'gte-rerank-v2', ...ranking },
    upstreamReplies: [
      jsonReply({ code: 'InvalidApiKey', message: 'Invalid API-key provided.', request_id: 'r' }),
    ],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { status: 401, error: 'InvalidApiKey' },
  },
];
