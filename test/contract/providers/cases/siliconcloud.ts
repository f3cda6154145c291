import { expect } from 'vitest';
import { chatReply } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import { expectAccountsFault } from '../support/expectations.ts';
import { form, onePixel, openAiCases } from '../support/openai-cases.ts';
import { jsonReply, recordedReply, recordedStream } from '../support/upstream-replies.ts';

const model = 'deepseek-ai/DeepSeek-R1';
const messages = [{ role: 'user', content: 'Hello' }];
const chat = {
  operation: 'chat',
  model,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const ignore = () => undefined;
const flux = 'black-forest-labs/FLUX.1-schnell';
const images = jsonReply({
  images: [{ url: 'https://example.org/1.png' }, { url: 'https://example.org/2.png' }],
  timings: { inference: 0.5 },
  seed: 1,
});

export const cases: readonly ProviderCase[] = [
  ...openAiCases({
    paths: {
      chat: '/v1/chat/completions',
      completion: '/v1/completions',
      embedding: '/v1/embeddings',
      speech: '/v1/audio/speech',
      transcription: '/v1/audio/transcriptions',
      rerank: '/v1/rerank',
    },
  }),
  {
    operation: 'image',
    model: flux,
    path: '/v1/images/generations',
    body: {
      model: flux,
      prompt: 'a cat',
      n: 2,
      size: '1024x1024',
      quality: 'hd',
      style: 'vivid',
      num_inference_steps: 20,
    },
    upstreamReplies: [images],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/images/generations');
      expect(request?.json).toEqual({
        model: flux,
        prompt: 'a cat',
        image_size: '1024x1024',
        batch_size: 2,
        num_inference_steps: 20,
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        data: [{ url: 'https://example.org/1.png' }, { url: 'https://example.org/2.png' }],
      }),
  },
  {
    operation: 'image',
    title: 'an error with status 200',
    model: flux,
    path: '/v1/images/generations',
    body: { model: flux, prompt: 'a cat' },
    upstreamReplies: [recordedReply('siliconcloud', 'failure-400.json')],
    expectRequests: ignore,
    expectReply: ({ status, text }) => {
      expect(status).toBe(502);
      expect(text).toContain('Model does not exist');
    },
  },
  {
    operation: 'image-edit',
    model: flux,
    path: '/v1/images/edits',
    body: form({ model: flux, prompt: 'a hat' }, [
      'image',
      new Blob([onePixel], { type: 'image/png' }),
      'a.png',
    ]),
    upstreamReplies: [images],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/images/generations');
      expect(request?.json).toMatchObject({
        prompt: 'a hat',
        image: `data:image/png;base64,${onePixel.toString('base64')}`,
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ data: [{ url: 'https://example.org/1.png' }, {}] }),
  },
  {
    operation: 'rerank',
    title: 'tokens reported in meta',
    model: 'BAAI/bge-reranker-v2-m3',
    path: '/v1/rerank',
    body: { model: 'BAAI/bge-reranker-v2-m3', query: 'cats', documents: ['a dog', 'a cat'] },
    upstreamReplies: [
      jsonReply({
        id: '0195',
        results: [
          { index: 0, relevance_score: 0.1 },
          { index: 1, relevance_score: 0.9 },
        ],
        meta: {
          billed_units: { input_tokens: 17 },
          tokens: { input_tokens: 17, output_tokens: 0 },
        },
      }),
    ],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({ query: 'cats', documents: ['a dog', 'a cat'] }),
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        results: [{ index: 1 }, { index: 0 }],
        usage: { total_tokens: 17 },
      }),
    billed: { prompt: 17, completion: 0 },
  },
  {
    ...chat,
    title: 'thinking, usage in each chunk',
    stream: true,
    body: { ...chat.body, stream: true, enable_thinking: true, thinking_budget: 1024 },
    upstreamReplies: [recordedStream('siliconcloud', 'stream-reasoning.sse')],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({ enable_thinking: true, thinking_budget: 1024 }),
    expectReply: ({ text }) => expect(text).toContain('"reasoning_content":"两座"'),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...chat,
    title: 'fill-in-the-middle needs a message',
    body: { model, messages: [], prefix: 'def ', suffix: ':' },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({
        messages: [{ role: 'user', content: '' }],
        prefix: 'def ',
      }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'an error with status 200',
    upstreamReplies: [recordedReply('siliconcloud', 'failure-400.json')],
    expectRequests: ignore,
    expectReply: ({ status, text }) => {
      expect(status).toBe(404);
      expect(text).toContain('Model does not exist');
    },
  },
  {
    ...chat,
    title: 'an error instead of the stream',
    stream: true,
    body: { ...chat.body, stream: true },
    upstreamReplies: [recordedStream('siliconcloud', 'stream-error-first.sse')],
    expectRequests: ignore,
    expectReply: ({ status }) => expect(status).toBe(404),
  },
  {
    ...chat,
    title: 'an error as plain text',
    upstreamReplies: [recordedReply('siliconcloud', 'failure-401.json', 401)],
    expectRequests: ignore,
    expectReply: expectAccountsFault,
    reported: { status: 401, failure: expect.stringContaining('Invalid token') },
  },
];
