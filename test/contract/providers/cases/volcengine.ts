import { expect } from 'vitest';
import { chatReply, messagesReply, sendJson } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import { contentOf, errorIn, finishOf, reasoningOf } from '../support/chat-replies.ts';
import { expectAccountsFault, expectOneRequest } from '../support/expectations.ts';
import { form, onePixel, openAiCases } from '../support/openai-cases.ts';
import { jsonReply, recordedReply, recordedStream } from '../support/upstream-replies.ts';

const model = 'doubao-seed-2-0-pro-260215';
const messages = [{ role: 'user', content: 'Hello' }];
const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
const chat = {
  operation: 'chat',
  model,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;
const billed = { prompt: 21, completion: 34 };
const seedream = 'doubao-seedream-4-5-251128';
const vision = 'doubao-embedding-vision-250615';
const seen = [
  { type: 'text', text: '天很蓝，海很深' },
  { type: 'image_url', image_url: { url: 'https://images.example/sea.png' } },
];
const pixel = `data:image/png;base64,${onePixel.toString('base64')}`;
const images = jsonReply({
  model: seedream,
  created: 1_763_700_000,
  data: [{ url: 'https://ark.example/1.jpeg', size: '1024x1024' }],
  usage: { generated_images: 1, output_tokens: 4096, total_tokens: 4096 },
});
const twoPixels = form({ model: seedream, prompt: 'a hat', size: '2K' }, [
  'image[]',
  new Blob([onePixel], { type: 'image/png' }),
  'a.png',
]);
twoPixels.append('image[]', new Blob([onePixel], { type: 'image/png' }), 'b.png');

export const cases: readonly ProviderCase[] = [
  ...openAiCases({
    paths: {
      chat: '/api/v3/chat/completions',
      embedding: '/api/v3/embeddings',
      image: '/api/v3/images/generations',
      speech: '/v1/audio/speech',
      rerank: '/api/v3/rerank',
      responses: '/api/v3/responses',
    },
    models: { chat: model, image: seedream },
  }),
  ...openAiCases({
    title: 'coding plan',
    paths: { chat: '/api/coding/v3/chat/completions' },
    models: { chat: 'doubao-seed-2-0-code-preview-260215' },
  }).map((one) => ({ ...one, basePath: '/api/coding' })),
  {
    ...chat,
    title: 'a bot',
    model: 'bot-20261121',
    body: { model: 'bot-20261121', messages },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) => expect(request?.path).toBe('/api/v3/bots/chat/completions'),
    expectReply: ({ status }) => expect(status).toBe(200),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...chat,
    title: 'an endpoint with a public model name',
    basePath: '/api/v3',
    channel: { model_mapping: `{"${model}":"ep-20261121"}` },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/v3/chat/completions');
      expect(request?.json).toEqual({ model: 'ep-20261121', messages });
    },
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'thinking by suffix',
    model: 'deepseek-v3-2-251201-thinking',
    body: { model: 'deepseek-v3-2-251201-thinking', messages },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({
        model: 'deepseek-v3-2-251201',
        messages,
        thinking: { type: 'enabled' },
      }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'thinking by suffix, for responses callers',
    model: 'deepseek-v3-2-251201-thinking',
    path: '/v1/responses',
    body: { model: 'deepseek-v3-2-251201-thinking', input: 'Hello' },
    upstreamReplies: [
      jsonReply({ id: 'resp_1', object: 'response', status: 'completed', output: [] }),
    ],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/v3/responses');
      expect(request?.json).toEqual({
        model: 'deepseek-v3-2-251201',
        input: 'Hello',
        thinking: { type: 'enabled' },
      });
    },
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'thinking by suffix, for messages callers on the coding plan',
    basePath: '/api/coding',
    model: 'deepseek-v3-2-251201-thinking',
    path: '/v1/messages',
    body: { model: 'deepseek-v3-2-251201-thinking', messages, max_tokens: 50 },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/coding/v3/chat/completions');
      expect(request?.json).toMatchObject({
        model: 'deepseek-v3-2-251201',
        thinking: { type: 'enabled' },
      });
    },
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'thinking as messages callers request it',
    path: '/v1/messages',
    body: { model, messages, max_tokens: 5000, thinking: { type: 'disabled' } },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/v3/chat/completions');
      expect(request?.json).toMatchObject({ model, thinking: { type: 'disabled' } });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        type: 'message',
        content: [{ type: 'text', text: 'Hello there' }],
      }),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...streamed,
    title: 'thinking',
    upstreamReplies: [recordedStream('volcengine', 'stream-reasoning.sse')],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({ stream_options: { include_usage: true } }),
    expectReply: (reply) =>
      expect([reasoningOf(reply), contentOf(reply)]).toEqual(['用户在打招呼。', '你好！']),
    billed,
  },
  {
    ...streamed,
    title: 'parallel tools',
    upstreamReplies: [recordedStream('volcengine', 'stream-tools.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(finishOf(reply)).toBe('tool_calls');
      expect(reply.text).toContain('call_v1');
      expect(reply.text).toContain('call_v2');
    },
    billed,
  },
  {
    ...chat,
    title: 'an unsupported role',
    body: {
      model,
      messages: [{ role: 'developer', content: 'Be kind.' }, ...messages],
      thinking: { type: 'auto' },
    },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({
        model,
        messages: [{ role: 'system', content: 'Be kind.' }, ...messages],
        thinking: { type: 'auto' },
      }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...streamed,
    title: 'a rate limit as the first event',
    upstreamReplies: [recordedStream('volcengine', 'stream-error-first.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ code: 'RateLimitExceeded.EndpointTPMExceeded' });
    },
  },
  {
    ...chat,
    title: 'an overdue account',
    upstreamReplies: [recordedReply('volcengine', 'failure-overdue.json', 403)],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { status: 402, error: 'AccountOverdueError' },
  },
  {
    ...chat,
    title: 'a bad key',
    upstreamReplies: [recordedReply('volcengine', 'failure-401.json', 401)],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { error: 'AuthenticationError' },
  },
  {
    ...chat,
    title: 'an unchanged messages body of the coding plan',
    basePath: '/api/coding/v3',
    path: '/v1/messages?beta=true',
    body: { model, messages, max_tokens: 50, metadata: { user_id: 'u' } },
    upstreamReplies: [messagesReply('Hello there', { input_tokens: 20, output_tokens: 10 })],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/coding/v1/messages?beta=true');
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
    operation: 'embedding',
    title: "texts and images in Ark's own format, as one vector",
    model: vision,
    path: '/v1/embeddings',
    body: { model: vision, input: seen, dimensions: 1024 },
    upstreamReplies: [recordedReply('volcengine', 'reply-embedding-vision.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/v3/embeddings/multimodal');
      expect(request?.headers.authorization).toBe('Bearer upstream-key');
      expect(request?.json).toEqual({ model: vision, input: seen, dimensions: 1024 });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [0.5, -0.25] }],
      }),
    billed: { prompt: 528, completion: 0 },
  },
  {
    operation: 'embedding',
    title: 'texts for a multimodal model, sent one by one',
    model: vision,
    channel: { model_mapping: `{"${vision}":"ep-20261121"}` },
    basePath: '/api/coding',
    path: '/v1/embeddings',
    body: { model: vision, input: ['天很蓝', 'deep sea'], encoding_format: 'float' },
    upstreamReplies: [
      (response, { json }) =>
        sendJson(response, 200, {
          object: 'list',
          data: {
            object: 'embedding',
            embedding: JSON.stringify(json).includes('deep sea') ? [2] : [1],
          },
          usage: { prompt_tokens: 4, total_tokens: 4 },
        }),
    ],
    expectRequests: (requests) => {
      expect(requests.map(({ path }) => path)).toEqual(
        Array(2).fill('/api/coding/v3/embeddings/multimodal'),
      );
      expect(requests.map(({ json }) => json)).toEqual(
        expect.arrayContaining(
          ['天很蓝', 'deep sea'].map((text) => ({
            model: 'ep-20261121',
            input: [{ type: 'text', text }],
            encoding_format: 'float',
          })),
        ),
      );
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ model: vision, data: [{ embedding: [1] }, { embedding: [2] }] }),
    billed: { prompt: 8, completion: 0 },
  },
  {
    operation: 'embedding',
    title: 'a rate limit of a multimodal model',
    model: vision,
    path: '/v1/embeddings',
    body: { model: vision, input: 'a' },
    upstreamReplies: [
      (response) =>
        sendJson(response, 429, {
          error: { code: 'RateLimitExceeded.EndpointTPMExceeded', message: 'slow' },
        }),
    ],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ code: 'RateLimitExceeded.EndpointTPMExceeded' });
    },
  },
  {
    operation: 'embedding',
    title: 'as requested by Gemini callers',
    model: 'doubao-embedding-large-text-250515',
    path: '/v1beta/models/doubao-embedding-large-text-250515:embedContent',
    body: { content: { parts: [{ text: 'a' }] } },
    upstreamReplies: [
      jsonReply({
        data: [{ index: 0, embedding: [1] }],
        usage: { prompt_tokens: 2, total_tokens: 2 },
      }),
    ],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/v3/embeddings');
      expect(request?.json).toMatchObject({
        model: 'doubao-embedding-large-text-250515',
        input: 'a',
      });
    },
    expectReply: ({ json }) => expect(json).toMatchObject({ embedding: { values: [1] } }),
    billed: { prompt: 2, completion: 0 },
  },
  {
    operation: 'image',
    title: 'vendor fields',
    model: seedream,
    path: '/v1/images/generations',
    body: {
      model: seedream,
      prompt: 'a cat',
      size: '2K',
      response_format: 'url',
      watermark: false,
      sequential_image_generation: 'disabled',
      image: ['https://images.example/cat.png', pixel],
    },
    upstreamReplies: [images],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({
        model: seedream,
        prompt: 'a cat',
        size: '2K',
        response_format: 'url',
        watermark: false,
        sequential_image_generation: 'disabled',
        image: ['https://images.example/cat.png', pixel],
      }),
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ data: [{ url: 'https://ark.example/1.jpeg' }] }),
  },
  {
    operation: 'image-edit',
    model: seedream,
    path: '/v1/images/edits',
    body: form({ model: seedream, prompt: 'a hat' }, [
      'image',
      new Blob([onePixel], { type: 'image/png' }),
      'a.png',
    ]),
    upstreamReplies: [images],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/v3/images/generations');
      expect(request?.headers['content-type']).toBe('application/json');
      expect(request?.json).toEqual({ model: seedream, prompt: 'a hat', image: pixel });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ data: [{ url: 'https://ark.example/1.jpeg' }] }),
  },
  {
    operation: 'image-edit',
    title: 'several images',
    model: seedream,
    path: '/v1/images/edits',
    body: twoPixels,
    upstreamReplies: [images],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({ size: '2K', image: [pixel, pixel] }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    operation: 'image-edit',
    title: 'a mask',
    model: seedream,
    path: '/v1/images/edits',
    body: (() => {
      const data = form({ model: seedream, prompt: 'a hat' }, [
        'image',
        new Blob([onePixel], { type: 'image/png' }),
        'a.png',
      ]);
      data.append('mask', new Blob([onePixel], { type: 'image/png' }), 'mask.png');
      return data;
    })(),
    expectRequests: (requests) => expect(requests).toHaveLength(0),
    expectReply: ({ status, text }) => {
      expect(status).toBe(400);
      expect(text).toContain('masks');
    },
  },
];
