import { createHash, createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { awsFrame, eventFrame, exceptionFrame, framesReply } from '../../../support/aws-frames.ts';
import { messagesReply, type ReceivedRequest, sendJson } from '../../../support/upstream.ts';
import type { ClientReply, ProviderCase } from '../support/case.ts';
import { fixtureBytes, fixtureJson } from '../support/decode.ts';

const signing = { key: 'AKIDEXAMPLE|secret|us-east-1' };
const model = 'claude-sonnet-4-20250514';
const claudePath = '/model/us.anthropic.claude-sonnet-4-20250514-v1%3A0';
const messages = [{ role: 'user', content: 'Hello' }];
const openAi = {
  operation: 'chat',
  model,
  channel: signing,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const native = {
  ...openAi,
  path: '/v1/messages',
  body: { model, messages, max_tokens: 50, metadata: { user_id: 'u' } },
} as const;
const usage = { input_tokens: 20, output_tokens: 10 };

/**
 * Computed from the received request as AWS documents it: each path segment is escaped once more.
 */
function signatureOf({ path, headers, text }: ReceivedRequest): string {
  const hash = (value: string) => createHash('sha256').update(value).digest('hex');
  const hmac = (secret: string | Buffer, value: string) =>
    createHmac('sha256', secret).update(value).digest();
  const date = String(headers['x-amz-date']);
  const day = date.slice(0, 8);
  const signed = ['content-type', 'host', 'x-amz-date'];
  const lines = signed.map((name) => `${name}:${String(headers[name])}\n`).join('');
  const canonicalPath = path.split('/').map(encodeURIComponent).join('/');
  const canonical = `POST\n${canonicalPath}\n\n${lines}\n${signed.join(';')}\n${hash(text)}`;
  const key = ['us-east-1', 'bedrock', 'aws4_request'].reduce<Buffer>(
    hmac,
    hmac('AWS4secret', day),
  );
  return hmac(
    key,
    `AWS4-HMAC-SHA256\n${date}\n${day}/us-east-1/bedrock/aws4_request\n${hash(canonical)}`,
  ).toString('hex');
}

/** A signed request to a Bedrock path. */
function expectSigned(request: ReceivedRequest | undefined, path: string): void {
  expect(request?.path).toBe(path);
  if (request === undefined) return;
  const day = String(request.headers['x-amz-date']).slice(0, 8);
  expect(request.headers.authorization).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${day}/us-east-1/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=${signatureOf(request)}`,
  );
}

function expectInvoked(request: ReceivedRequest | undefined, action: string): void {
  expectSigned(request, `${claudePath}/${action}`);
  expect(request?.json).toMatchObject({ anthropic_version: 'bedrock-2023-05-31' });
  for (const name of ['model', 'stream', 'metadata'])
    expect(request?.json).not.toHaveProperty(name);
}

const contentOf = ({ events }: ClientReply) =>
  events
    .map(
      (event) =>
        (event as { choices?: { delta?: { content?: string } }[] }).choices?.[0]?.delta?.content ??
        '',
    )
    .join('');

const claudeText = [
  {
    type: 'message_start',
    message: {
      id: 'msg_bdrk_1',
      type: 'message',
      role: 'assistant',
      content: [],
      usage: { ...usage, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'there' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 10 },
  },
  {
    type: 'message_stop',
    'amazon-bedrock-invocationMetrics': { inputTokenCount: 20, outputTokenCount: 10 },
  },
].map((event) => eventFrame(event));

const billed = { prompt: 20, completion: 10 };
const nova = {
  ...openAi,
  model: 'nova-pro-v1:0',
  body: { model: 'nova-pro-v1:0', messages },
} as const;
const novaPath = '/model/us.amazon.nova-pro-v1%3A0';

export const cases: readonly ProviderCase[] = [
  {
    ...openAi,
    upstreamReplies: [messagesReply('Hello there', usage)],
    expectRequests: ([request]) => {
      expectInvoked(request, 'invoke');
      expect(request?.json).toMatchObject({
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
    upstreamReplies: [framesReply(...claudeText)],
    expectRequests: ([request]) => expectInvoked(request, 'invoke-with-response-stream'),
    expectReply: (reply) => {
      expect(contentOf(reply)).toBe('Hello there');
      expect(reply.events.at(-1)).toBe('[DONE]');
    },
    billed,
  },
  {
    ...openAi,
    title: 'an API key',
    channel: { key: 'ABSKexample|us-east-1' },
    upstreamReplies: [messagesReply('Hello there', usage)],
    expectRequests: ([request]) => {
      expect(request?.path).toBe(`${claudePath}/invoke`);
      expect(request?.headers.authorization).toBe('Bearer ABSKexample');
    },
    expectReply: ({ status }) => expect(status).toBe(200),
    billed,
  },
  {
    ...openAi,
    title: 'fields overridden by the channel are signed too',
    channel: { ...signing, param_override: JSON.stringify({ max_tokens: 7 }) },
    upstreamReplies: [messagesReply('Hello there', usage)],
    expectRequests: ([request]) => {
      expectInvoked(request, 'invoke');
      expect(request?.json['max_tokens']).toBe(7);
    },
    expectReply: ({ status }) => expect(status).toBe(200),
    billed,
  },
  {
    ...openAi,
    title: 'a bad key',
    channel: { key: 'AKIDEXAMPLE|secret' + '|us-east-1|more' },
    expectRequests: (requests) => expect(requests).toEqual([]),
    expectReply: ({ status, text }) => {
      expect(status).toBe(502);
      expect(text).toContain('invalid_channel_key');
      expect(text).not.toContain('AKIDEXAMPLE');
    },
  },
  {
    ...openAi,
    title: 'an error',
    upstreamReplies: [
      (response) =>
        sendJson(
          response,
          400,
          { message: 'messages: too many' },
          { 'x-amzn-errortype': 'ValidationException:http://x/' },
        ),
    ],
    expectRequests: ([request]) => expectInvoked(request, 'invoke'),
    expectReply: ({ status, json }) => {
      expect(status).toBe(400);
      expect(json).toMatchObject({
        error: { code: 'ValidationException', message: expect.stringContaining('too many') },
      });
    },
  },
  {
    ...openAi,
    title: 'an error as the first frame',
    stream: true,
    body: { ...openAi.body, stream: true },
    upstreamReplies: [framesReply(exceptionFrame('validationException', 'messages: too many'))],
    expectRequests: ([request]) => expectInvoked(request, 'invoke-with-response-stream'),
    expectReply: ({ status, json }) => {
      expect(status).toBe(400);
      expect(json).toMatchObject({ error: { code: 'ValidationException' } });
    },
  },
  {
    ...native,
    title: 'native',
    upstreamReplies: [messagesReply('Hello there', usage)],
    expectRequests: ([request]) => {
      expectInvoked(request, 'invoke');
      expect(request?.json).toEqual({
        messages,
        max_tokens: 50,
        anthropic_version: 'bedrock-2023-05-31',
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        type: 'message',
        content: [{ type: 'text', text: 'Hello there' }],
      }),
    billed,
  },
  {
    ...native,
    title: 'native, passed through unchanged',
    channel: { ...signing, setting: JSON.stringify({ pass_through_body_enabled: true }) },
    upstreamReplies: [messagesReply('Hello there', usage)],
    expectRequests: ([request]) => {
      expect(request?.json).toEqual({
        ...native.body,
        model: undefined,
        anthropic_version: 'bedrock-2023-05-31',
      });
    },
    expectReply: ({ status }) => expect(status).toBe(200),
    billed,
  },
  {
    ...native,
    title: 'native with betas',
    stream: true,
    headers: {
      'anthropic-beta': 'context-1m-2025-08-07,claude-code-20250219',
      'anthropic-version': '2026-10-21',
    },
    body: { ...native.body, stream: true },
    upstreamReplies: [framesReply(...claudeText)],
    expectRequests: ([request]) => {
      expectInvoked(request, 'invoke-with-response-stream');
      expect(request?.json['anthropic_beta']).toEqual(['context-1m-2025-08-07']);
    },
    expectReply: ({ headers, text, events }) => {
      expect(headers.get('content-type')).toContain('text/event-stream');
      expect(text).toMatch(/^event: message_start\ndata: /);
      expect(text).not.toContain('[DONE]');
      expect(events.slice(-2)).toEqual([
        {
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: 10, input_tokens: 20 },
        },
        { type: 'message_stop' },
      ]);
    },
    billed,
  },
  {
    ...native,
    title: 'native, an error as the first frame',
    stream: true,
    body: { ...native.body, stream: true },
    upstreamReplies: [framesReply(exceptionFrame('validationException', 'messages: too many'))],
    expectRequests: ([request]) => expectInvoked(request, 'invoke-with-response-stream'),
    expectReply: ({ status, json }) => {
      expect(status).toBe(400);
      expect(json).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    },
  },
  {
    ...native,
    title: 'native, damaged frames',
    stream: true,
    body: { ...native.body, stream: true },
    upstreamReplies: [
      (response) => {
        const [first = Buffer.alloc(0), second = Buffer.alloc(0), third = Buffer.alloc(0)] =
          claudeText;
        const damaged = Buffer.from(third);
        damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
        response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
        response.end(Buffer.concat([first, second, damaged]));
      },
    ],
    expectRequests: () => undefined,
    expectReply: ({ status, json }) => {
      expect(status).toBe(502);
      expect(json).toMatchObject({
        type: 'error',
        error: { message: expect.stringContaining('damaged') },
      });
    },
  },
  {
    ...native,
    title: 'native, token count',
    path: '/v1/messages/count_tokens',
    upstreamReplies: [(response) => sendJson(response, 200, { inputTokens: 42 })],
    expectRequests: ([request]) => {
      expectSigned(request, '/model/anthropic.claude-sonnet-4-20250514-v1%3A0/count-tokens');
      const { input } = (request?.json ?? {}) as { input: { invokeModel: { body: string } } };
      expect(
        JSON.parse(Buffer.from(input.invokeModel.body, 'base64').toString('utf8')),
      ).toMatchObject({ messages });
    },
    expectReply: ({ json }) => expect(json).toEqual({ input_tokens: 42 }),
  },
  {
    ...openAi,
    title: 'tool calls and thinking',
    stream: true,
    body: {
      ...openAi.body,
      stream: true,
      tools: [{ type: 'function', function: { name: 'weather' } }],
    },
    upstreamReplies: [framesReply(fixtureBytes('aws', 'stream-tools.bin'))],
    expectRequests: ([request]) => {
      expect(request?.json['tools']).toEqual([
        { name: 'weather', input_schema: { type: 'object', properties: {} } },
      ]);
    },
    expectReply: ({ text }) => {
      expect(text).toContain('"reasoning_content":"Two calls."');
      expect(text).toContain('toolu_bdrk_1');
      expect(text).toContain('"finish_reason":"tool_calls"');
    },
    billed: { prompt: 50, completion: 40 },
  },
  {
    ...nova,
    title: 'Converse',
    upstreamReplies: [
      (response) => sendJson(response, 200, fixtureJson('aws', 'reply-converse.json')),
    ],
    expectRequests: ([request]) => {
      expectSigned(request, `${novaPath}/converse`);
      expect(request?.json).toEqual({ messages: [{ role: 'user', content: [{ text: 'Hello' }] }] });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        choices: [
          {
            message: {
              content: 'Looking it up.',
              tool_calls: [{ id: 'tooluse_1' }, { id: 'tooluse_2' }],
            },
            finish_reason: 'tool_calls',
          },
        ],
      }),
    billed: { prompt: 75, completion: 25 },
  },
  {
    ...nova,
    title: 'Converse',
    stream: true,
    body: { ...nova.body, stream: true },
    upstreamReplies: [framesReply(fixtureBytes('aws', 'stream-converse.bin'))],
    expectRequests: ([request]) => expectSigned(request, `${novaPath}/converse-stream`),
    expectReply: (reply) => expect(contentOf(reply)).toBe('Looking it up.'),
    billed: { prompt: 75, completion: 25 },
  },
  {
    ...nova,
    title: 'Converse, an error before the first output',
    stream: true,
    body: { ...nova.body, stream: true },
    upstreamReplies: [
      framesReply(
        eventFrame({ role: 'assistant' }, 'messageStart'),
        eventFrame({ contentBlockIndex: 0, delta: { text: 'Hel' } }, 'contentBlockDelta'),
        awsFrame(
          {
            ':message-type': 'error',
            ':error-code': 'InternalServerException',
            ':error-message': 'oops',
          },
          '',
        ),
      ),
    ],
    expectRequests: () => undefined,
    expectReply: ({ status, json }) => {
      expect(status).toBe(500);
      expect(json).toMatchObject({
        error: { code: 'InternalServerException', message: expect.stringContaining('oops') },
      });
    },
  },
  {
    operation: 'embedding',
    model: 'amazon.titan-embed-text-v2:0',
    channel: signing,
    path: '/v1/embeddings',
    body: { model: 'amazon.titan-embed-text-v2:0', input: ['a', 'bb'] },
    upstreamReplies: [
      (response, { json }) => {
        const text = String(json['inputText']);
        sendJson(response, 200, {
          embedding: [text.length, 0.5],
          inputTextTokenCount: text.length,
        });
      },
    ],
    expectRequests: (requests) => {
      expect(requests).toHaveLength(2);
      for (const request of requests)
        expectSigned(request, '/model/amazon.titan-embed-text-v2%3A0/invoke');
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ data: [{ embedding: [1, 0.5] }, { embedding: [2, 0.5] }] }),
    billed: { prompt: 3, completion: 0 },
  },
];
