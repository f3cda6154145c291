import { expect } from 'vitest';
import {
  type Answer,
  errorReply,
  messagesReply,
  type ReceivedRequest,
  sendJson,
} from '../../../support/upstream.ts';
import type { ClientReply, ProviderCase } from '../support/case.ts';
import { fixtureBytes, fixtureJson } from '../support/decode.ts';
import { onePixel } from '../support/openai-cases.ts';

const model = 'claude-sonnet-4-5-20250929';
const messages = [{ role: 'user', content: 'Hello' }];
const openAi = {
  operation: 'chat',
  model,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const native = {
  ...openAi,
  path: '/v1/messages',
  body: { model, messages, max_tokens: 50 },
} as const;
const legacy = { ...openAi, model: 'claude-2.1', body: { model: 'claude-2.1', messages } } as const;
const usage = { input_tokens: 20, output_tokens: 10 };
const billed = { prompt: 20, completion: 10 };

const recorded =
  (name: string): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(fixtureBytes('anthropic', name));
  };

function expectRequest(request: ReceivedRequest | undefined, path = '/v1/messages'): void {
  expect(request?.path).toBe(path);
  expect(request?.headers).toMatchObject({
    'x-api-key': 'upstream-key',
    'anthropic-version': '2023-06-01',
  });
  expect(request?.headers.authorization).toBeUndefined();
}

const contentOf = ({ events }: ClientReply) =>
  events
    .map(
      (event) =>
        (event as { choices?: { delta?: { content?: string } }[] }).choices?.[0]?.delta?.content ??
        '',
    )
    .join('');

const image = `data:image/png;base64,${onePixel.toString('base64')}`;

export const cases: readonly ProviderCase[] = [
  {
    ...openAi,
    upstreamReplies: [messagesReply('Hello there', usage)],
    expectRequests: ([request]) => {
      expectRequest(request);
      expect(request?.json).toEqual({
        model,
        max_tokens: 8192,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        choices: [{ message: { content: 'Hello there' }, finish_reason: 'stop' }],
      }),
    billed,
  },
  {
    ...openAi,
    stream: true,
    body: { ...openAi.body, stream: true },
    upstreamReplies: [messagesReply('Hello there', usage)],
    expectRequests: ([request]) => {
      expectRequest(request);
      expect(request?.json['stream']).toBe(true);
    },
    expectReply: (reply) => {
      expect(contentOf(reply)).toBe('Hello there');
      expect(reply.events.at(-1)).toBe('[DONE]');
    },
    billed,
  },
  {
    ...openAi,
    title: 'parallel tool calls',
    body: {
      ...openAi.body,
      tools: [
        {
          type: 'function',
          function: { name: 'weather', parameters: { type: 'object', properties: {} } },
        },
      ],
      tool_choice: 'required',
      parallel_tool_calls: true,
    },
    upstreamReplies: [
      (response) =>
        sendJson(response, 200, {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          content: [
            { type: 'text', text: 'Both.' },
            { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } },
            { type: 'tool_use', id: 'toolu_2', name: 'weather', input: { city: 'Rome' } },
          ],
          stop_reason: 'tool_use',
          usage,
        }),
    ],
    expectRequests: ([request]) => {
      expect(request?.json).toMatchObject({
        tools: [{ name: 'weather', input_schema: { type: 'object', properties: {} } }],
        tool_choice: { type: 'any' },
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        choices: [
          {
            message: {
              content: 'Both.',
              tool_calls: [
                { id: 'toolu_1', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
                { id: 'toolu_2', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
              ],
            },
            finish_reason: 'tool_calls',
          },
        ],
      }),
    billed,
  },
  {
    ...openAi,
    title: 'thinking and a search',
    stream: true,
    body: {
      ...openAi.body,
      stream: true,
      reasoning_effort: 'high',
      temperature: 0.5,
      web_search_options: { search_context_size: 'low' },
    },
    upstreamReplies: [recorded('stream-thinking.sse')],
    expectRequests: ([request]) => {
      expect(request?.json).toMatchObject({
        thinking: { type: 'enabled', budget_tokens: 4096 },
        tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1 }],
      });
      expect(request?.json).not.toHaveProperty('temperature');
    },
    expectReply: ({ text }) => {
      expect(text).toContain('"reasoning_content":"Let me solve');
      expect(text).toContain('"url":"https://example.com/a"');
    },
    billed: { prompt: 500, completion: 30 },
  },
  {
    ...openAi,
    title: 'images and documents',
    body: {
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: image } },
            { type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,aGk=' } },
          ],
        },
      ],
    },
    upstreamReplies: [messagesReply('Hello there', usage)],
    expectRequests: ([request]) =>
      expect(request?.json['messages']).toEqual([
        {
          role: 'user',
          content: [
            {
              type: 'image',
              source: {
                type: 'base64',
                media_type: 'image/png',
                data: onePixel.toString('base64'),
              },
            },
            {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: 'hi' },
              title: 'a.txt',
            },
          ],
        },
      ]),
    expectReply: ({ status }) => expect(status).toBe(200),
    billed,
  },
  {
    ...native,
    title: 'native, with a cache',
    headers: { 'anthropic-beta': 'context-1m-2025-08-07', 'anthropic-version': '2026-10-21' },
    path: '/v1/messages?beta=true',
    body: { ...native.body, context_management: { edits: [] }, metadata: { user_id: 'u' } },
    upstreamReplies: [messagesReply('Hello there')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/messages?beta=true');
      expect(request?.headers).toMatchObject({
        'x-api-key': 'upstream-key',
        'anthropic-version': '2026-10-21',
        'anthropic-beta': 'context-1m-2025-08-07',
      });
      expect(request?.json).toEqual({
        ...native.body,
        context_management: { edits: [] },
        metadata: { user_id: 'u' },
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        type: 'message',
        content: [{ type: 'text', text: 'Hello there' }],
      }),
    // Log rows of this route count the prompt without tokens read from or written to the cache.
    billed: { prompt: 100, completion: 50 },
  },
  {
    ...native,
    title: 'native',
    stream: true,
    body: { ...native.body, stream: true },
    upstreamReplies: [messagesReply('Hello there', usage)],
    expectRequests: ([request]) => expect(request?.json).toEqual({ ...native.body, stream: true }),
    expectReply: ({ text, events }) => {
      expect(text).toMatch(/^event: message_start\n/);
      expect(events.at(-1)).toEqual({ type: 'message_stop' });
    },
    billed,
  },
  {
    ...native,
    title: 'token count',
    path: '/v1/messages/count_tokens?beta=true',
    upstreamReplies: [(response) => sendJson(response, 200, { input_tokens: 42 })],
    expectRequests: ([request]) => {
      expectRequest(request, '/v1/messages/count_tokens?beta=true');
      expect(request?.json).toEqual({ model, messages });
    },
    expectReply: ({ json }) => expect(json).toEqual({ input_tokens: 42 }),
  },
  {
    ...legacy,
    title: 'the text completion API',
    upstreamReplies: [
      (response) =>
        sendJson(response, 200, {
          id: 'compl_1',
          type: 'completion',
          completion: ' Hello there',
          stop_reason: 'stop_sequence',
        }),
    ],
    expectRequests: ([request]) => {
      expectRequest(request, '/v1/complete');
      expect(request?.json).toEqual({
        model: 'claude-2.1',
        prompt: '\n\nHuman: Hello\n\nAssistant:',
        max_tokens_to_sample: 4096,
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        choices: [{ message: { content: 'Hello there' }, finish_reason: 'stop' }],
      }),
  },
  {
    ...legacy,
    title: 'the text completion API, for a native caller',
    stream: true,
    path: '/v1/messages',
    body: { model: 'claude-2.1', messages, max_tokens: 5, stream: true },
    upstreamReplies: [
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const completion of [' Hello', ' there'])
          response.write(
            `event: completion\ndata: ${JSON.stringify({ type: 'completion', completion, stop_reason: null })}\n\n`,
          );
        response.end(
          'event: completion\ndata: {"type":"completion","completion":"","stop_reason":"max_tokens"}\n\n',
        );
      },
    ],
    expectRequests: ([request]) => {
      expectRequest(request, '/v1/complete');
      expect(request?.json).toMatchObject({ max_tokens_to_sample: 5, stream: true });
    },
    expectReply: ({ events, text }) => {
      expect(text).toContain('"text":" there"');
      expect(events.at(-2)).toMatchObject({
        type: 'message_delta',
        delta: { stop_reason: 'max_tokens' },
      });
    },
  },
  {
    ...openAi,
    title: 'an error',
    upstreamReplies: [
      errorReply(413, { type: 'request_too_large', message: 'Request exceeds the maximum size' }),
    ],
    expectRequests: ([request]) => expectRequest(request),
    expectReply: ({ status, json }) => {
      expect(status).toBe(413);
      expect(json).toMatchObject({
        error: { type: 'request_too_large', message: expect.stringContaining('maximum size') },
      });
    },
  },
  {
    ...native,
    title: 'native, an error',
    upstreamReplies: [
      (response) => sendJson(response, 529, fixtureJson('anthropic', 'failure-529.json')),
    ],
    expectRequests: ([request]) => expectRequest(request),
    expectReply: ({ status, json }) => {
      expect(status).toBe(529);
      expect(json).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } });
    },
  },
  {
    ...openAi,
    title: 'an error with status 200',
    stream: true,
    body: { ...openAi.body, stream: true },
    upstreamReplies: [recorded('stream-error-first.sse')],
    expectRequests: ([request]) => expectRequest(request),
    expectReply: ({ status, json }) => {
      expect(status).toBe(529);
      expect(json).toMatchObject({ error: { type: 'overloaded_error' } });
    },
  },
  {
    ...openAi,
    title: 'a request that cannot be translated',
    body: {
      model,
      messages: [
        {
          role: 'user',
          content: [{ type: 'input_audio', input_audio: { data: 'QQ==', format: 'wav' } }],
        },
      ],
    },
    expectRequests: (requests) => expect(requests).toEqual([]),
    expectReply: ({ status, json }) => {
      expect(status).toBe(400);
      expect(json).toMatchObject({
        error: { code: 'unsupported_feature', message: expect.stringContaining('audio') },
      });
    },
  },
];
