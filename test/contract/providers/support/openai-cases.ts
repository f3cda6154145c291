/** The cases of an OpenAI-compatible vendor: the same bodies at the vendor's own paths. */
import { expect } from 'vitest';
import type { Operation } from '../../../../src/core/vocabulary/operations.ts';
import {
  type Answer,
  chatReply,
  errorReply,
  type ReceivedRequest,
  sendJson,
} from '../../../support/upstream.ts';
import type { ProviderCase } from './case.ts';

export interface OpenAiVendor {
  /** Path and query of each operation of the vendor; `{model}` is replaced by the model's name. */
  readonly paths: Partial<Record<Operation, string>>;
  /** Model of an operation, where it is not the default one. */
  readonly models?: Partial<Record<Operation, string>>;
  /** Headers that the upstream must receive. Default: the channel's key as Bearer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** False: `stream_options` must not reach the vendor. */
  readonly streamOptions?: boolean;
  readonly channel?: ProviderCase['channel'];
  readonly types?: readonly number[];
  readonly title?: string;
}

const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
const billed = { prompt: 20, completion: 10 };
const messages = [{ role: 'user', content: 'Hello' }];

const usualModels: Readonly<Record<Operation, string>> = {
  chat: 'chat-model',
  completion: 'instruct-model',
  embedding: 'text-embedding-model',
  moderation: 'omni-moderation-latest',
  image: 'image-model',
  'image-edit': 'image-model',
  speech: 'tts-1',
  transcription: 'whisper-1',
  translation: 'whisper-1',
  rerank: 'rerank-model',
  responses: 'chat-model',
  realtime: 'realtime-model',
};

/** One second of silence: 8 kHz, 8 bit, mono. */
export function silentWav(): Blob {
  const data = 8000;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(data, 40);
  return new Blob([head, Buffer.alloc(data, 128)], { type: 'audio/wav' });
}

/** A PNG of one pixel. */
export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export function form(
  fields: Readonly<Record<string, string>>,
  file: readonly [name: string, content: Blob, filename: string],
) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  data.append(...(file as [string, Blob, string]));
  return data;
}

const toolReply: Answer = (response) =>
  sendJson(response, 200, {
    id: 'chatcmpl-tools',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'weather', arguments: '{"city":"Oslo"}' },
            },
            {
              id: 'call_2',
              type: 'function',
              function: { name: 'weather', arguments: '{"city":"Rome"}' },
            },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage,
  });

const completionReply: Answer = (response, request) => {
  const head = { id: 'cmpl-1', object: 'text_completion', created: 1_700_000_000, model: 'm' };
  if (request.json['stream'] !== true)
    return sendJson(response, 200, {
      ...head,
      choices: [{ index: 0, text: ' world', finish_reason: 'stop' }],
      usage,
    });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, text: ' world', finish_reason: null }] })}\n\n`,
  );
  response.write(
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, text: '', finish_reason: 'stop' }], usage })}\n\n`,
  );
  response.end('data: [DONE]\n\n');
};

const responseObject = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  model: 'm',
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
    },
  ],
  usage: { input_tokens: 20, output_tokens: 10, total_tokens: 30 },
};

const responsesReply: Answer = (response, request) => {
  if (request.json['stream'] !== true) return sendJson(response, 200, responseObject);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events: object[] = [
    {
      type: 'response.created',
      response: { ...responseObject, status: 'in_progress', output: [], usage: null },
    },
    {
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta: 'Hello',
    },
    { type: 'response.completed', response: responseObject },
  ];
  for (const event of events)
    response.write(
      `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`,
    );
  response.end();
};

const reply =
  (body: object): Answer =>
  (response) =>
    sendJson(response, 200, body);

/**
 * Chat: plain, streamed, with tools and rejected. Every other operation of the vendor: plain, and
 * streamed if possible.
 */
export function openAiCases(vendor: OpenAiVendor): ProviderCase[] {
  const { paths, title } = vendor;
  const modelOf = (operation: Operation) => vendor.models?.[operation] ?? usualModels[operation];
  const headers = vendor.headers ?? { authorization: 'Bearer upstream-key' };

  const base = (operation: Operation) => ({
    operation,
    types: vendor.types,
    model: modelOf(operation),
    channel: vendor.channel,
    ...(title === undefined ? {} : { title }),
    expectRequests: ([request]: readonly ReceivedRequest[]) => {
      expect(request?.method).toBe('POST');
      expect(request?.path).toBe(paths[operation]?.replace('{model}', modelOf(operation)));
      expect(request?.headers).toMatchObject(headers);
    },
  });
  const named = (word: string) => (title === undefined ? word : `${title}: ${word}`);

  const builders: Partial<Record<Operation, () => ProviderCase[]>> = {
    chat: () => {
      const one = {
        ...base('chat'),
        path: '/v1/chat/completions',
        body: { model: modelOf('chat'), messages },
      };
      return [
        {
          ...one,
          upstreamReplies: [chatReply('Hello there', usage)],
          expectReply: ({ status, json }) => {
            expect(status).toBe(200);
            expect(json).toMatchObject({
              choices: [{ message: { content: 'Hello there' }, finish_reason: 'stop' }],
              usage,
            });
          },
          billed,
        },
        {
          ...one,
          stream: true,
          body: { ...one.body, stream: true, stream_options: { include_usage: true } },
          upstreamReplies: [chatReply('Hello there', usage)],
          expectRequests: (requests) => {
            one.expectRequests(requests);
            const told = requests[0]?.json['stream_options'];
            if (vendor.streamOptions === false) expect(told).toBeUndefined();
            else expect(told).toEqual({ include_usage: true });
          },
          expectReply: ({ events }) => {
            expect(events.at(-1)).toBe('[DONE]');
            const words = events.map(
              (event) =>
                (event as { choices?: { delta?: { content?: string } }[] }).choices?.[0]?.delta,
            );
            expect(words.map((delta) => delta?.content ?? '').join('')).toBe('Hello there');
          },
          ...(vendor.streamOptions === false ? {} : { billed }),
        },
        {
          ...one,
          title: named('tools'),
          body: {
            ...one.body,
            tools: [
              {
                type: 'function',
                function: { name: 'weather', parameters: { type: 'object', properties: {} } },
              },
            ],
          },
          upstreamReplies: [toolReply],
          expectReply: ({ json }) => {
            const calls = (
              json as {
                choices: { message: { tool_calls: { function: { arguments: string } }[] } }[];
              }
            ).choices[0];
            expect(calls?.message.tool_calls.map((call) => call.function.arguments)).toEqual([
              '{"city":"Oslo"}',
              '{"city":"Rome"}',
            ]);
          },
          billed,
        },
        {
          ...one,
          title: named('an error'),
          upstreamReplies: [
            errorReply(400, {
              message: 'the model refuses this',
              type: 'invalid_request_error',
              code: 'bad_thing',
            }),
          ],
          expectReply: ({ status, json }) => {
            expect(status).toBe(400);
            expect(json).toMatchObject({
              error: { type: 'invalid_request_error', code: 'bad_thing' },
            });
          },
        },
      ];
    },
    completion: () =>
      [false, true].map((stream) => ({
        ...base('completion'),
        stream,
        path: '/v1/completions',
        body: { model: modelOf('completion'), prompt: 'Hello', stream },
        upstreamReplies: [completionReply],
        expectReply: ({ text }) => expect(text).toContain(' world'),
        billed,
      })),
    embedding: () => [
      {
        ...base('embedding'),
        path: '/v1/embeddings',
        body: { model: modelOf('embedding'), input: ['a', 'b'] },
        upstreamReplies: [
          reply({
            object: 'list',
            model: 'm',
            data: [
              { object: 'embedding', index: 0, embedding: [0.5, 0.25] },
              { object: 'embedding', index: 1, embedding: [1, 0] },
            ],
            usage: { prompt_tokens: 20, total_tokens: 20 },
          }),
        ],
        expectReply: ({ json }) => {
          const { data } = json as { data: { embedding: number[] }[] };
          expect(data.map(({ embedding }) => embedding)).toEqual([
            [0.5, 0.25],
            [1, 0],
          ]);
        },
        billed: { prompt: 20, completion: 0 },
      },
    ],
    moderation: () => [
      {
        ...base('moderation'),
        path: '/v1/moderations',
        body: { model: modelOf('moderation'), input: 'Hello' },
        upstreamReplies: [
          reply({
            id: 'modr-1',
            model: 'm',
            results: [{ flagged: false, categories: {}, category_scores: {} }],
          }),
        ],
        expectReply: ({ json }) => expect(json).toMatchObject({ results: [{ flagged: false }] }),
      },
    ],
    image: () => [
      {
        ...base('image'),
        path: '/v1/images/generations',
        body: { model: modelOf('image'), prompt: 'a cat', n: 1, size: '1024x1024' },
        upstreamReplies: [
          reply({ created: 1_700_000_000, data: [{ b64_json: onePixel.toString('base64') }] }),
        ],
        expectReply: ({ json }) =>
          expect(json).toMatchObject({ data: [{ b64_json: onePixel.toString('base64') }] }),
      },
    ],
    'image-edit': () => [
      {
        ...base('image-edit'),
        path: '/v1/images/edits',
        body: form({ model: modelOf('image-edit'), prompt: 'a hat' }, [
          'image',
          new Blob([onePixel], { type: 'image/png' }),
          'a.png',
        ]),
        upstreamReplies: [reply({ created: 1_700_000_000, data: [{ b64_json: 'AAAA' }] })],
        expectReply: ({ json }) => expect(json).toMatchObject({ data: [{ b64_json: 'AAAA' }] }),
      },
    ],
    speech: () => [
      {
        ...base('speech'),
        path: '/v1/audio/speech',
        body: { model: modelOf('speech'), input: 'Hello', voice: 'alloy' },
        upstreamReplies: [
          (response) => {
            response.writeHead(200, { 'content-type': 'audio/mpeg' });
            response.end(Buffer.from([0xff, 0xfb, 0x90, 0x44]));
          },
        ],
        expectReply: ({ headers: received, bytes }) => {
          expect(received.get('content-type')).toBe('audio/mpeg');
          expect([...bytes]).toEqual([0xff, 0xfb, 0x90, 0x44]);
        },
      },
    ],
    transcription: () => [audioCase('transcription', '/v1/audio/transcriptions')],
    translation: () => [audioCase('translation', '/v1/audio/translations')],
    rerank: () => [
      {
        ...base('rerank'),
        path: '/v1/rerank',
        body: { model: modelOf('rerank'), query: 'cats', documents: ['a dog', 'a cat'], top_n: 2 },
        upstreamReplies: [
          reply({
            results: [
              { index: 1, relevance_score: 0.9 },
              { index: 0, relevance_score: 0.1 },
            ],
            usage: { total_tokens: 20 },
          }),
        ],
        expectReply: ({ json }) => {
          const { results } = json as { results: { index: number }[] };
          expect(results.map(({ index }) => index)).toEqual([1, 0]);
        },
        billed: { prompt: 20, completion: 0 },
      },
    ],
    responses: () =>
      [false, true].map((stream) => ({
        ...base('responses'),
        stream,
        path: '/v1/responses',
        body: { model: modelOf('responses'), input: 'Hello', stream },
        upstreamReplies: [responsesReply],
        expectReply: ({ text }) => expect(text).toContain('output_text'),
        billed,
      })),
  };

  function audioCase(operation: 'transcription' | 'translation', path: string): ProviderCase {
    return {
      ...base(operation),
      path,
      body: form({ model: modelOf(operation) }, ['file', silentWav(), 'silence.wav']),
      upstreamReplies: [reply({ text: 'Silence.' })],
      expectRequests: (requests) => {
        base(operation).expectRequests(requests);
        expect(requests[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
        expect(requests[0]?.text).toContain('RIFF');
      },
      expectReply: ({ json }) => expect(json).toMatchObject({ text: 'Silence.' }),
    };
  }

  return (Object.keys(paths) as Operation[]).flatMap((operation) => builders[operation]?.() ?? []);
}
