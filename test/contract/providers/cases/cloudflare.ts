import { expect } from 'vitest';
import { chatReply, type ReceivedRequest } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import { contentOf, errorIn } from '../support/chat-replies.ts';
import { expectAccountsFault, expectOneRequest } from '../support/expectations.ts';
import { form, onePixel, openAiCases, silentWav } from '../support/openai-cases.ts';
import { jsonReply, recordedReply, recordedStream } from '../support/upstream-replies.ts';

const model = '@cf/meta/llama-3.1-8b-instruct';
const channel = { other: ' 0123abcd ' };
const root = '/client/v4/accounts/0123abcd/ai';
const messages = [{ role: 'user', content: 'Hello' }];
const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
const billed = { prompt: 20, completion: 10 };
const chat = {
  operation: 'chat',
  model,
  channel,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;
const completion = {
  ...chat,
  path: '/v1/completions',
  body: { model, prompt: 'Once', max_tokens: 50, temperature: 0 },
} as const;
const flux = '@cf/black-forest-labs/flux-1-schnell';
const image = { operation: 'image', model: flux, channel, path: '/v1/images/generations' } as const;
const whisper = '@cf/openai/whisper';
const turbo = '@cf/openai/whisper-large-v3-turbo';
const audio = { operation: 'transcription', channel, path: '/v1/audio/transcriptions' } as const;

function expectRun(request: ReceivedRequest | undefined, name: string): void {
  expect(request?.path).toBe(`${root}/run/${name}`);
  expect(request?.headers.authorization).toBe('Bearer upstream-key');
}

export const cases: readonly ProviderCase[] = [
  ...openAiCases({
    paths: {
      chat: `${root}/v1/chat/completions`,
      embedding: `${root}/v1/embeddings`,
      responses: `${root}/v1/responses`,
    },
    models: { chat: model, embedding: '@cf/baai/bge-m3', responses: '@cf/openai/gpt-oss-120b' },
    channel,
  }),
  {
    ...streamed,
    title: 'the first chunk has a role; all chunks have the same id',
    upstreamReplies: [recordedStream('cloudflare', 'stream-text.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.events[0]).toMatchObject({ model, choices: [{ delta: { role: 'assistant' } }] });
      const names = reply.events.slice(0, -1).map((event) => (event as { id: string }).id);
      expect(new Set(names).size).toBe(1);
      expect(names[0]).toMatch(/^chatcmpl-/);
      expect(contentOf(reply)).toBe('Hello there 👋');
    },
    billed,
  },
  {
    ...streamed,
    title: 'missing usage is counted',
    upstreamReplies: [chatReply('Hello there', null)],
    expectRequests: expectOneRequest,
    expectReply: (reply) => expect(contentOf(reply)).toBe('Hello there'),
    counted: true,
  },
  {
    ...chat,
    title: 'an error with status 200',
    upstreamReplies: [recordedReply('cloudflare', 'reply-error.json')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ code: '3036' });
    },
  },
  {
    ...streamed,
    title: 'an error instead of the stream',
    upstreamReplies: [recordedReply('cloudflare', 'reply-error.json')],
    expectRequests: expectOneRequest,
    expectReply: ({ status }) => expect(status).toBe(429),
  },
  {
    ...chat,
    title: 'a bad token',
    upstreamReplies: [recordedReply('cloudflare', 'failure-401.json', 401)],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { error: '10000' },
  },
  {
    ...chat,
    title: 'Responses for a chat-only model',
    path: '/v1/responses',
    body: { model, input: 'Hello' },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) => expect(request?.path).toBe(`${root}/v1/chat/completions`),
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        object: 'response',
        output: [{ content: [{ text: 'Hello there' }] }],
      }),
    billed,
  },
  {
    ...completion,
    title: 'completions',
    upstreamReplies: [recordedReply('cloudflare', 'reply-native.json')],
    expectRequests: ([request]) => {
      expectRun(request, model);
      expect(request?.json).toEqual({
        prompt: 'Once',
        max_tokens: 50,
        temperature: 0,
        stream: false,
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        object: 'text_completion',
        model,
        choices: [{ text: 'Hello there', finish_reason: 'stop' }],
      }),
    billed,
  },
  {
    ...completion,
    stream: true,
    title: 'completions',
    body: { ...completion.body, stream: true },
    upstreamReplies: [recordedStream('cloudflare', 'stream-native.sse')],
    expectRequests: ([request]) => expectRun(request, model),
    expectReply: ({ events }) => {
      expect(events[0]).toMatchObject({ object: 'text_completion', model });
      const texts = events.map(
        (event) => (event as { choices?: { text: string }[] }).choices?.[0]?.text ?? '',
      );
      expect(texts.join('')).toBe('Hello there 👋');
      expect(events.at(-1)).toBe('[DONE]');
    },
    billed,
  },
  {
    ...image,
    body: { model: flux, prompt: 'a cat', n: 1, size: '512x768', num_steps: 4 },
    upstreamReplies: [
      (response) => {
        response.writeHead(200, { 'content-type': 'image/png' });
        response.end(onePixel);
      },
    ],
    expectRequests: ([request]) => {
      expectRun(request, flux);
      expect(request?.json).toEqual({ prompt: 'a cat', width: 512, height: 768, num_steps: 4 });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ data: [{ b64_json: onePixel.toString('base64') }] }),
  },
  {
    ...image,
    title: 'as JSON',
    body: { model: flux, prompt: 'a cat' },
    upstreamReplies: [
      jsonReply({
        result: { image: onePixel.toString('base64') },
        success: true,
        errors: [],
        messages: [],
      }),
    ],
    expectRequests: expectOneRequest,
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ data: [{ b64_json: onePixel.toString('base64') }] }),
  },
  {
    ...image,
    title: 'rejected with status 200',
    body: { model: flux, prompt: 'a cat' },
    upstreamReplies: [recordedReply('cloudflare', 'reply-error.json')],
    expectRequests: expectOneRequest,
    expectReply: ({ status }) => expect(status).toBe(429),
  },
  {
    ...audio,
    model: whisper,
    body: form({ model: whisper, language: 'en' }, ['file', silentWav(), 'silence.wav']),
    upstreamReplies: [recordedReply('cloudflare', 'reply-whisper.json')],
    expectRequests: ([request]) => {
      expectRun(request, whisper);
      expect(request?.headers['content-type']).toBe('application/octet-stream');
      expect(request?.text.startsWith('RIFF')).toBe(true);
    },
    expectReply: ({ json }) => expect(json).toMatchObject({ text: 'Silence.' }),
  },
  {
    ...audio,
    title: 'by the turbo model',
    model: turbo,
    body: form({ model: turbo, language: 'en', prompt: 'Quiet', response_format: 'verbose_json' }, [
      'file',
      silentWav(),
      'silence.wav',
    ]),
    upstreamReplies: [recordedReply('cloudflare', 'reply-whisper.json')],
    expectRequests: ([request]) => {
      expectRun(request, turbo);
      const { audio, ...others } = request?.json ?? {};
      expect(others).toEqual({ language: 'en', initial_prompt: 'Quiet' });
      expect(Buffer.from(String(audio), 'base64').toString('latin1')).toMatch(/^RIFF/);
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        text: 'Silence.',
        language: 'en',
        duration: 1,
        segments: [{ start: 0 }],
      }),
  },
];
