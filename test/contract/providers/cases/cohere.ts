import { expect } from 'vitest';
import { type Answer, type ReceivedRequest, sendJson } from '../../../support/upstream.ts';
import type { ClientReply, ProviderCase } from '../support/case.ts';
import { fixtureBytes, fixtureJson } from '../support/decode.ts';

const model = 'command-a-03-2025';
const messages = [{ role: 'user', content: 'Hello' }];
const chat = {
  operation: 'chat',
  model,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const billed = { prompt: 20, completion: 10 };

const recorded =
  (name: string): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(fixtureBytes('cohere', name));
  };
const reply =
  (status: number, body: unknown): Answer =>
  (response) =>
    sendJson(response, status, body);

function expectRequest(request: ReceivedRequest | undefined, path: string): void {
  expect(request?.path).toBe(path);
  expect(request?.headers.authorization).toBe('Bearer upstream-key');
}

const contentOf = ({ events }: ClientReply) =>
  events
    .map(
      (event) =>
        (event as { choices?: { delta?: { content?: string } }[] }).choices?.[0]?.delta?.content ??
        '',
    )
    .join('');

export const cases: readonly ProviderCase[] = [
  {
    ...chat,
    upstreamReplies: [reply(200, fixtureJson('cohere', 'reply-text.json'))],
    expectRequests: ([request]) => {
      expectRequest(request, '/v2/chat');
      expect(request?.json).toEqual({ model, messages, stream: false });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        choices: [
          { message: { content: 'Hello there', reasoning_content: 'Add.' }, finish_reason: 'stop' },
        ],
        usage: {
          prompt_tokens: 20,
          completion_tokens: 10,
          prompt_tokens_details: { cached_tokens: 4 },
        },
      }),
    billed,
  },
  {
    ...chat,
    stream: true,
    body: { ...chat.body, stream: true, stream_options: { include_usage: true } },
    upstreamReplies: [recorded('stream-text.sse')],
    expectRequests: ([request]) => {
      expectRequest(request, '/v2/chat');
      expect(request?.json).toEqual({ model, messages, stream: true });
    },
    expectReply: (answer) => {
      expect(contentOf(answer)).toBe('The tallest penguins are Emperor – 企鹅');
      expect(answer.events.at(-1)).toBe('[DONE]');
      expect(answer.events.at(-2)).toMatchObject({
        usage: { prompt_tokens: 215, completion_tokens: 12 },
      });
    },
    billed: { prompt: 215, completion: 12 },
  },
  {
    ...chat,
    title: 'tool calls',
    body: {
      ...chat.body,
      tools: [{ type: 'function', function: { name: 'weather' } }],
      tool_choice: 'required',
    },
    upstreamReplies: [reply(200, fixtureJson('cohere', 'reply-tools.json'))],
    expectRequests: ([request]) => {
      expect(request?.json).toMatchObject({
        tools: [
          { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } },
        ],
        tool_choice: 'REQUIRED',
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        choices: [
          {
            message: {
              reasoning_content: 'I will look it up.',
              tool_calls: [
                { id: 'weather_1', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
                { id: 'time_2', function: { name: 'time', arguments: '{}' } },
              ],
            },
            finish_reason: 'tool_calls',
          },
        ],
      }),
    billed: { prompt: 913, completion: 62 },
  },
  {
    ...chat,
    title: 'tool calls, for a Claude caller',
    stream: true,
    path: '/v1/messages',
    body: {
      ...chat.body,
      max_tokens: 50,
      stream: true,
      tools: [{ name: 'weather', input_schema: { type: 'object', properties: {} } }],
    },
    upstreamReplies: [recorded('stream-tools.sse')],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({ max_tokens: 50, tools: [{ type: 'function' }] }),
    expectReply: ({ events }) => {
      const blocks = events.flatMap(
        (event) => (event as { content_block?: object }).content_block ?? [],
      );
      expect(blocks).toMatchObject([
        { type: 'thinking' },
        { name: 'weather' },
        { name: 'time' },
        { name: 'ping' },
      ]);
      expect(events.at(-1)).toEqual({ type: 'message_stop' });
    },
    billed: { prompt: 913, completion: 62 },
  },
  {
    ...chat,
    title: 'an error',
    upstreamReplies: [reply(400, { message: 'invalid request: messages must be set' })],
    expectRequests: ([request]) => expectRequest(request, '/v2/chat'),
    expectReply: ({ status, json }) => {
      expect(status).toBe(400);
      expect(json).toMatchObject({
        error: { message: expect.stringContaining('messages must be set') },
      });
    },
  },
  {
    ...chat,
    title: 'an error with status 200',
    stream: true,
    body: { ...chat.body, stream: true },
    upstreamReplies: [recorded('stream-error-first.sse')],
    expectRequests: () => undefined,
    expectReply: ({ status, json }) => {
      expect(status).toBe(502);
      expect(json).toMatchObject({
        error: { message: expect.stringContaining('internal server error') },
      });
    },
  },
  {
    operation: 'embedding',
    model: 'embed-v4.0',
    path: '/v1/embeddings',
    body: { model: 'embed-v4.0', input: ['a', 'b'], input_type: 'search_document' },
    upstreamReplies: [
      reply(200, {
        id: 'e',
        texts: ['a', 'b'],
        embeddings: {
          float: [
            [0.5, 0.25],
            [1, 0],
          ],
        },
        meta: { api_version: { version: '2' }, billed_units: { input_tokens: 2 } },
      }),
    ],
    expectRequests: ([request]) => {
      expectRequest(request, '/v2/embed');
      expect(request?.json).toEqual({
        model: 'embed-v4.0',
        texts: ['a', 'b'],
        input_type: 'search_document',
        embedding_types: ['float'],
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ data: [{ embedding: [0.5, 0.25] }, { embedding: [1, 0] }] }),
    billed: { prompt: 2, completion: 0 },
  },
  {
    operation: 'rerank',
    model: 'rerank-v3.5',
    path: '/v1/rerank',
    body: {
      model: 'rerank-v3.5',
      query: 'cats',
      documents: ['a dog', { text: 'a cat' }],
      return_documents: true,
    },
    upstreamReplies: [
      reply(200, {
        id: 'r',
        results: [
          { index: 1, relevance_score: 0.9 },
          { index: 0, relevance_score: 0.1 },
        ],
        meta: { billed_units: { search_units: 1 } },
      }),
    ],
    expectRequests: ([request]) => {
      expectRequest(request, '/v2/rerank');
      expect(request?.json).toEqual({
        model: 'rerank-v3.5',
        query: 'cats',
        documents: ['a dog', 'a cat'],
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        results: [
          { index: 1, relevance_score: 0.9, document: { text: 'a cat' } },
          { index: 0, relevance_score: 0.1, document: { text: 'a dog' } },
        ],
      }),
  },
];
