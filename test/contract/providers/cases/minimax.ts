import { expect } from 'vitest';
import { messagesReply } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import {
  type CallsOf,
  contentOf,
  errorIn,
  finishOf,
  reasoningOf,
} from '../support/chat-replies.ts';
import { expectAccountsFault, expectOneRequest } from '../support/expectations.ts';
import { openAiCases } from '../support/openai-cases.ts';
import { jsonReply, recordedReply, recordedStream } from '../support/upstream-replies.ts';

const model = 'MiniMax-M2.7';
const path = '/v1/text/chatcompletion_v2';
const messages = [{ role: 'user', content: 'Hello' }];
const chat = {
  operation: 'chat',
  model,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const tools = [{ type: 'function', function: { name: 'weather', parameters } }];
const billed = { prompt: 44, completion: 17 };
const failed = (code: number, words: string) =>
  jsonReply({ base_resp: { status_code: code, status_msg: words } });
const speech = { operation: 'speech', model: 'speech-02-hd', path: '/v1/audio/speech' } as const;
const image = { operation: 'image', model: 'image-01', path: '/v1/images/generations' } as const;
const embedding = { operation: 'embedding', model: 'embo-01', path: '/v1/embeddings' } as const;

export const cases: readonly ProviderCase[] = [
  ...openAiCases({ paths: { chat: path }, models: { chat: model } }),
  {
    ...chat,
    title: 'vendor fields are forwarded in both directions',
    body: { ...chat.body, temperature: 0, mask_sensitive_info: true },
    upstreamReplies: [recordedReply('minimax', 'reply-text.json')],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({
        model,
        messages,
        temperature: 0.01,
        mask_sensitive_info: true,
      }),
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        choices: [{ message: { content: 'Hello 海螺 🐚' } }],
        input_sensitive: false,
      }),
    billed,
  },
  {
    ...streamed,
    title: 'the repeated full answer at the end is dropped',
    upstreamReplies: [recordedStream('minimax', 'stream-text.sse')],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({ stream_options: { include_usage: true } }),
    expectReply: (reply) => {
      expect(contentOf(reply)).toBe('Hello 海螺 🐚');
      expect(finishOf(reply)).toBe('stop');
      expect(reply.text).not.toContain('"role":""');
      expect(reply.text).not.toContain('"message"');
      expect(reply.text).not.toContain('"total_tokens":0');
      expect(reply.events.at(-1)).toBe('[DONE]');
    },
    billed,
  },
  {
    ...streamed,
    title: 'usage is reported once',
    body: { ...streamed.body, stream_options: { include_usage: true } },
    upstreamReplies: [recordedStream('minimax', 'stream-text.sse')],
    expectRequests: expectOneRequest,
    expectReply: ({ events }) => {
      const told = events.flatMap(
        (event) => (event as { usage?: { total_tokens: number } | null }).usage ?? [],
      );
      expect(told.map(({ total_tokens }) => total_tokens)).toEqual([61]);
    },
    billed,
  },
  {
    ...streamed,
    title: 'the repeated full answer at the end, translated',
    channel: { setting: '{"force_format":true}' },
    upstreamReplies: [recordedStream('minimax', 'stream-reasoning.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) =>
      expect([reasoningOf(reply), contentOf(reply)]).toEqual(['The user greets.', 'Hi!']),
    billed,
  },
  {
    ...streamed,
    title: 'only the full answer',
    upstreamReplies: [recordedStream('minimax', 'stream-whole.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) =>
      expect([contentOf(reply), finishOf(reply)]).toEqual(['All at once.', 'stop']),
    billed,
  },
  {
    ...streamed,
    title: 'parallel tools',
    body: { ...streamed.body, tools },
    upstreamReplies: [recordedStream('minimax', 'stream-tools.sse')],
    expectRequests: ([request]) => expect(request?.json).toMatchObject({ tools }),
    expectReply: (reply) => {
      expect(finishOf(reply)).toBe('tool_calls');
      expect(reply.text.match(/call_m1/g)).toHaveLength(1);
      expect(reply.text.match(/call_m2/g)).toHaveLength(1);
    },
    billed,
  },
  {
    ...chat,
    title: 'older models get parameters as text',
    model: 'abab6.5s-chat',
    body: { model: 'abab6.5s-chat', messages, tools, temperature: 1.7 },
    upstreamReplies: [recordedReply('minimax', 'reply-text.json')],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({
        temperature: 1,
        tools: [
          {
            type: 'function',
            function: { name: 'weather', parameters: JSON.stringify(parameters) },
          },
        ],
      }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'an unsupported role',
    body: {
      model,
      messages: [{ role: 'developer', content: 'Be kind.' }, ...messages],
      mask_sensitive_info: true,
    },
    upstreamReplies: [recordedReply('minimax', 'reply-text.json')],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({
        model,
        messages: [{ role: 'system', content: 'Be kind.' }, ...messages],
        mask_sensitive_info: true,
      }),
    expectReply: ({ json }) =>
      expect((json as CallsOf).choices[0]?.message.content).toBe('Hello 海螺 🐚'),
    billed,
  },
  {
    ...chat,
    title: 'a rate limit with status 200',
    upstreamReplies: [recordedReply('minimax', 'failure-limit.json')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ type: 'minimax_error', code: '1002' });
    },
  },
  {
    ...chat,
    title: 'a rate limit with status 200, translated',
    path: '/v1/responses',
    body: { model, input: 'Hello' },
    upstreamReplies: [recordedReply('minimax', 'failure-limit.json')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ code: '1002' });
    },
  },
  {
    ...streamed,
    title: 'a rate limit as the first event',
    upstreamReplies: [recordedStream('minimax', 'stream-error-first.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ code: '1002' });
    },
  },
  {
    ...streamed,
    title: 'insufficient balance instead of the stream',
    upstreamReplies: [recordedReply('minimax', 'failure-balance.json')],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { status: 402 },
  },
  {
    ...streamed,
    title: 'moderated before the first output',
    upstreamReplies: [recordedStream('minimax', 'stream-error.sse')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(400);
      expect(errorIn(reply)).toMatchObject({ code: 'content_filter' });
    },
  },
  {
    ...chat,
    title: 'a bad key',
    upstreamReplies: [recordedReply('minimax', 'failure-401.json', 401)],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { status: 401, error: 'authorized_error' },
  },
  {
    ...chat,
    title: 'an unchanged messages body',
    basePath: '/v1',
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
    title: 'messages: a temperature out of range',
    path: '/v1/messages',
    body: { model, messages, max_tokens: 50, temperature: 0 },
    upstreamReplies: [messagesReply('Hello there', { input_tokens: 20, output_tokens: 10 })],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({ model, messages, max_tokens: 50, temperature: 0.01 }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'messages: insufficient balance with status 200',
    path: '/v1/messages',
    body: { model, messages, max_tokens: 50 },
    upstreamReplies: [recordedReply('minimax', 'failure-balance.json')],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: {
      status: 402,
      error: '1008',
      failure: expect.stringContaining('insufficient balance'),
    },
  },
  {
    ...streamed,
    title: 'messages: insufficient balance instead of the stream',
    path: '/v1/messages',
    body: { model, messages, max_tokens: 50, stream: true },
    upstreamReplies: [recordedReply('minimax', 'failure-balance.json')],
    expectRequests: expectOneRequest,
    expectReply: expectAccountsFault,
    reported: { status: 402 },
  },
  {
    ...chat,
    title: 'older models have no messages endpoint',
    model: 'abab6.5s-chat',
    path: '/v1/messages',
    body: { model: 'abab6.5s-chat', messages, max_tokens: 50 },
    upstreamReplies: [recordedReply('minimax', 'reply-text.json')],
    expectRequests: ([request]) => expect(request?.path).toBe(path),
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        type: 'message',
        content: [{ type: 'text', text: 'Hello 海螺 🐚' }],
      }),
    billed,
  },
  {
    ...speech,
    body: {
      model: 'speech-02-hd',
      input: 'Hello there',
      voice: 'nova',
      speed: 1.5,
      instructions: 'Cheerful.',
      voice_setting: { pitch: 2 },
      language_boost: 'English',
    },
    upstreamReplies: [recordedReply('minimax', 'reply-speech.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/t2a_v2');
      expect(request?.headers.authorization).toBe('Bearer upstream-key');
      expect(request?.json).toEqual({
        model: 'speech-02-hd',
        text: 'Hello there',
        stream: false,
        voice_setting: { voice_id: 'presenter_female', speed: 1.5, pitch: 2 },
        audio_setting: { format: 'mp3' },
        output_format: 'hex',
        language_boost: 'English',
      });
    },
    expectReply: ({ headers, bytes }) => {
      expect(headers.get('content-type')).toBe('audio/mpeg');
      expect([...bytes]).toEqual([0xff, 0xfb, 0x90, 0x44]);
    },
    billed: { prompt: 11, completion: 0 },
  },
  {
    ...speech,
    title: 'a vendor voice, another format',
    body: {
      model: 'speech-02-hd',
      input: 'Hello there',
      voice: 'male-qn-badao',
      response_format: 'flac',
      audio_setting: { sample_rate: 24_000, format: 'mp3' },
    },
    upstreamReplies: [recordedReply('minimax', 'reply-speech.json')],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({
        voice_setting: { voice_id: 'male-qn-badao' },
        audio_setting: { sample_rate: 24_000, format: 'flac' },
      }),
    expectReply: ({ headers }) => expect(headers.get('content-type')).toBe('audio/flac'),
  },
  {
    ...speech,
    title: 'a rejected request',
    body: { model: 'speech-02-hd', input: 'Hello there', voice: 'nobody' },
    upstreamReplies: [failed(2013, 'invalid params, voice id not exist')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(400);
      expect(errorIn(reply)).toMatchObject({ code: '2013', type: 'minimax_error' });
    },
  },
  {
    ...embedding,
    body: { model: 'embo-01', input: ['海螺', 'shell'], dimensions: 256 },
    upstreamReplies: [recordedReply('minimax', 'reply-embeddings.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/embeddings');
      expect(request?.headers.authorization).toBe('Bearer upstream-key');
      expect(request?.json).toEqual({ model: 'embo-01', texts: ['海螺', 'shell'], type: 'db' });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        object: 'list',
        model: 'embo-01',
        data: [
          { index: 0, embedding: [0.25, -0.5] },
          { index: 1, embedding: [0.125, 1] },
        ],
      }),
    billed: { prompt: 14, completion: 0 },
  },
  {
    ...embedding,
    title: 'a question, for a key without a group',
    channel: { setting: '{"group_id":"1700 1"}' },
    body: { model: 'embo-01', input: 'shell', type: 'query', encoding_format: 'base64' },
    upstreamReplies: [
      jsonReply({
        vectors: [[1]],
        total_tokens: 3,
        base_resp: { status_code: 0, status_msg: 'success' },
      }),
    ],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/embeddings?GroupId=1700%201');
      expect(request?.json).toEqual({ model: 'embo-01', texts: ['shell'], type: 'query' });
    },
    expectReply: ({ json }) => expect(json).toMatchObject({ data: [{ embedding: 'AACAPw==' }] }),
    billed: { prompt: 3, completion: 0 },
  },
  {
    ...embedding,
    title: 'a rate limit with status 200',
    body: { model: 'embo-01', input: 'shell' },
    upstreamReplies: [failed(1002, 'rate limit')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ code: '1002', type: 'minimax_error' });
    },
  },
  {
    ...embedding,
    title: 'tokens',
    body: { model: 'embo-01', input: [15339, 1917] },
    upstreamReplies: [
      jsonReply({
        vectors: [[1]],
        total_tokens: 2,
        base_resp: { status_code: 0, status_msg: 'success' },
      }),
    ],
    expectRequests: ([request]) => expect(request?.json).toMatchObject({ texts: ['hello world'] }),
    expectReply: ({ json }) => expect(json).toMatchObject({ data: [{ embedding: [1] }] }),
    billed: { prompt: 2, completion: 0 },
  },
  {
    ...image,
    body: {
      model: 'image-01',
      prompt: 'a cat',
      n: 2,
      size: '1792x1024',
      quality: 'hd',
      style: 'vivid',
      response_format: 'url',
      prompt_optimizer: true,
    },
    upstreamReplies: [recordedReply('minimax', 'reply-picture.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/image_generation');
      expect(request?.json).toEqual({
        model: 'image-01',
        prompt: 'a cat',
        n: 2,
        aspect_ratio: '16:9',
        response_format: 'url',
        prompt_optimizer: true,
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        data: [{ url: 'https://images.example/1.jpeg' }, { url: 'https://images.example/2.jpeg' }],
      }),
  },
  {
    ...image,
    title: 'as base64',
    body: {
      model: 'image-01',
      prompt: 'a cat',
      response_format: 'b64_json',
      aspect_ratio: '9:16',
      size: '1024x1024',
    },
    upstreamReplies: [
      jsonReply({
        data: { image_base64: ['AAAA'] },
        base_resp: { status_code: 0, status_msg: 'success' },
      }),
    ],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({ response_format: 'base64', aspect_ratio: '9:16' }),
    expectReply: ({ json }) => expect(json).toMatchObject({ data: [{ b64_json: 'AAAA' }] }),
  },
  {
    ...image,
    title: 'a rejected request',
    body: { model: 'image-01', prompt: 'a cat' },
    upstreamReplies: [failed(1026, 'input new_sensitive')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(400);
      expect(errorIn(reply)).toMatchObject({ code: 'content_filter' });
    },
  },
];
