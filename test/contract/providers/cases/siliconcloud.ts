import { expect } from 'vitest';
import { chatReply } from '../../../support/upstream.ts';
import { jsonAnswer, recordedReply, recordedStream } from '../support/answers.ts';
import type { ProviderCase } from '../support/case.ts';
import { form, onePixel, openAiCases } from '../support/openai-cases.ts';

const model = 'deepseek-ai/DeepSeek-R1';
const messages = [{ role: 'user', content: 'Hello' }];
const chat = { operation: 'chat', model, path: '/v1/chat/completions', body: { model, messages } } as const;
const ignore = () => undefined;
const flux = 'black-forest-labs/FLUX.1-schnell';
const images = jsonAnswer({
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
    body: { model: flux, prompt: 'a cat', n: 2, size: '1024x1024', quality: 'hd', style: 'vivid', num_inference_steps: 20 },
    answers: [images],
    asked: ([request]) => {
      expect(request?.path).toBe('/v1/images/generations');
      expect(request?.json).toEqual({
        model: flux,
        prompt: 'a cat',
        image_size: '1024x1024',
        batch_size: 2,
        num_inference_steps: 20,
      });
    },
    got: ({ json }) =>
      expect(json).toMatchObject({ data: [{ url: 'https://example.org/1.png' }, { url: 'https://example.org/2.png' }] }),
  },
  {
    operation: 'image',
    title: 'an error behind status 200',
    model: flux,
    path: '/v1/images/generations',
    body: { model: flux, prompt: 'a cat' },
    answers: [recordedReply('siliconcloud', 'failure-400.json')],
    asked: ignore,
    got: ({ status, text }) => {
      expect(status).toBe(502);
      expect(text).toContain('Model does not exist');
    },
  },
  {
    operation: 'image-edit',
    model: flux,
    path: '/v1/images/edits',
    body: form({ model: flux, prompt: 'a hat' }, ['image', new Blob([onePixel], { type: 'image/png' }), 'a.png']),
    answers: [images],
    asked: ([request]) => {
      expect(request?.path).toBe('/v1/images/generations');
      expect(request?.json).toMatchObject({
        prompt: 'a hat',
        image: `data:image/png;base64,${onePixel.toString('base64')}`,
      });
    },
    got: ({ json }) => expect(json).toMatchObject({ data: [{ url: 'https://example.org/1.png' }, {}] }),
  },
  {
    operation: 'rerank',
    title: 'tokens told in meta',
    model: 'BAAI/bge-reranker-v2-m3',
    path: '/v1/rerank',
    body: { model: 'BAAI/bge-reranker-v2-m3', query: 'cats', documents: ['a dog', 'a cat'] },
    answers: [
      jsonAnswer({
        id: '0195',
        results: [
          { index: 0, relevance_score: 0.1 },
          { index: 1, relevance_score: 0.9 },
        ],
        meta: { billed_units: { input_tokens: 17 }, tokens: { input_tokens: 17, output_tokens: 0 } },
      }),
    ],
    asked: ([request]) => expect(request?.json).toMatchObject({ query: 'cats', documents: ['a dog', 'a cat'] }),
    got: ({ json }) => expect(json).toMatchObject({ results: [{ index: 1 }, { index: 0 }], usage: { total_tokens: 17 } }),
    billed: { prompt: 17, completion: 0 },
  },
  {
    ...chat,
    title: 'thinking, usage in each chunk',
    stream: true,
    body: { ...chat.body, stream: true, enable_thinking: true, thinking_budget: 1024 },
    answers: [recordedStream('siliconcloud', 'stream-reasoning.sse')],
    asked: ([request]) => expect(request?.json).toMatchObject({ enable_thinking: true, thinking_budget: 1024 }),
    got: ({ text }) => expect(text).toContain('"reasoning_content":"两座"'),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...chat,
    title: 'filling in needs a message',
    body: { model, messages: [], prefix: 'def ', suffix: ':' },
    answers: [chatReply()],
    asked: ([request]) => expect(request?.json).toMatchObject({ messages: [{ role: 'user', content: '' }], prefix: 'def ' }),
    got: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'an error behind status 200',
    answers: [recordedReply('siliconcloud', 'failure-400.json')],
    asked: ignore,
    got: ({ status, text }) => {
      expect(status).toBe(404);
      expect(text).toContain('Model does not exist');
    },
  },
  {
    ...chat,
    title: 'an error in place of the stream',
    stream: true,
    body: { ...chat.body, stream: true },
    answers: [recordedStream('siliconcloud', 'stream-error-first.sse')],
    asked: ignore,
    got: ({ status }) => expect(status).toBe(404),
  },
  {
    ...chat,
    title: 'an error in bare words',
    answers: [recordedReply('siliconcloud', 'failure-401.json', 401)],
    asked: ignore,
    got: ({ status, text }) => {
      expect(status).toBe(401);
      expect(text).toContain('Invalid token');
    },
  },
];
