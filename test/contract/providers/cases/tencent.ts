import { createHash, createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { chatReply, type ReceivedRequest } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import { type CallsOf, contentOf, errorIn, finishOf } from '../support/chat-replies.ts';
import { expectAccountsFault } from '../support/expectations.ts';
import { openAiCases } from '../support/openai-cases.ts';
import { jsonReply, recordedReply, recordedStream } from '../support/upstream-replies.ts';

const model = 'hunyuan-pro';
const messages = [{ role: 'user', content: 'Hello' }];
const signing = { key: '1300000000|the-id|the-secret' };
const chat = {
  operation: 'chat',
  model,
  channel: signing,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;

/** Signs the received request as Tencent's server does and compares the signatures. */
function expectSigned({ path, headers, text }: ReceivedRequest, action: string): void {
  expect([path, headers['x-tc-action'], headers['x-tc-version']]).toEqual([
    '/',
    action,
    '2023-09-01',
  ]);
  const timestamp = headers['x-tc-timestamp'] ?? '';
  const date = new Date(Number(timestamp) * 1000).toISOString().slice(0, 10);
  const hash = (data: string) => createHash('sha256').update(data).digest('hex');
  const mac = (key: string | Buffer, data: string) =>
    createHmac('sha256', key).update(data).digest();
  const signed = [
    `content-type:${headers['content-type']}`,
    `host:${headers.host}`,
    `x-tc-action:${action.toLowerCase()}`,
  ];
  const names = 'content-type;host;x-tc-action';
  const canonical = ['POST', '/', '', ...signed, '', names, hash(text)].join('\n');
  const scope = `${date}/hunyuan/tc3_request`;
  const key = mac(mac(mac('TC3the-secret', date), 'hunyuan'), 'tc3_request');
  const signature = mac(
    key,
    ['TC3-HMAC-SHA256', timestamp, scope, hash(canonical)].join('\n'),
  ).toString('hex');
  expect(headers.authorization).toBe(
    `TC3-HMAC-SHA256 Credential=the-id/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  );
}

function first(requests: readonly ReceivedRequest[]): ReceivedRequest {
  return requests[0] ?? expect.fail('the upstream received no request');
}

export const cases: readonly ProviderCase[] = [
  ...openAiCases({ paths: { chat: '/chat/completions', embedding: '/embeddings' } }),
  {
    operation: 'chat',
    title: 'an unsupported role',
    model,
    path: '/v1/chat/completions',
    body: { model, messages: [{ role: 'developer', content: 'Be kind.' }, ...messages] },
    upstreamReplies: [chatReply('Hello there')],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({
        model,
        messages: [{ role: 'system', content: 'Be kind.' }, ...messages],
      }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'signed',
    channel: { ...signing, param_override: '{"Temperature":0.25}' },
    upstreamReplies: [recordedReply('tencent-signed', 'reply-text.json')],
    expectRequests: (requests) => {
      expectSigned(first(requests), 'ChatCompletions');
      expect(first(requests).json).toEqual({
        Model: model,
        Messages: [{ Role: 'user', Content: 'Hello' }],
        Stream: false,
        Temperature: 0.25,
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        model,
        choices: [{ message: { content: '你好' }, finish_reason: 'stop' }],
      }),
    billed: { prompt: 9, completion: 7 },
  },
  {
    ...chat,
    stream: true,
    title: 'signed',
    body: { model, messages, stream: true },
    upstreamReplies: [recordedStream('tencent-signed', 'stream-text.sse')],
    expectRequests: (requests) => expectSigned(first(requests), 'ChatCompletions'),
    expectReply: (reply) => expect(contentOf(reply)).toBe('你好，世界 👋'),
    billed: { prompt: 9, completion: 7 },
  },
  {
    ...chat,
    title: 'signed, tools',
    body: {
      model,
      messages,
      tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }],
    },
    upstreamReplies: [recordedReply('tencent-signed', 'reply-tools.json')],
    expectRequests: (requests) => {
      expect(first(requests).json).toMatchObject({
        Tools: [{ Function: { Name: 'weather', Parameters: '{"type":"object"}' } }],
      });
    },
    expectReply: ({ json }) => {
      const [choice] = (json as CallsOf).choices;
      expect(choice?.message.tool_calls).toMatchObject([
        { id: 'call_1', function: { arguments: '{"city":"Oslo"}' } },
      ]);
    },
    billed: { prompt: 9, completion: 7 },
  },
  {
    ...chat,
    stream: true,
    title: 'signed, tools',
    body: { model, messages, stream: true },
    upstreamReplies: [recordedStream('tencent-signed', 'stream-tools.sse')],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: (reply) => expect(finishOf(reply)).toBe('tool_calls'),
    billed: { prompt: 9, completion: 7 },
  },
  {
    ...chat,
    title: 'signed, an error with status 200',
    upstreamReplies: [
      jsonReply({
        Response: { Error: { Code: 'LimitExceeded', Message: 'too fast' }, RequestId: '1' },
      }),
    ],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ type: 'tencent_error', code: 'LimitExceeded' });
    },
  },
  {
    ...chat,
    stream: true,
    title: 'signed, an error instead of the stream',
    body: { model, messages, stream: true },
    upstreamReplies: [
      jsonReply({
        Response: {
          Error: { Code: 'FailedOperation.ServiceStopArrears', Message: 'pay' },
          RequestId: '1',
        },
      }),
    ],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: expectAccountsFault,
    reported: { status: 402, error: 'FailedOperation.ServiceStopArrears' },
  },
  {
    ...chat,
    title: 'a malformed key',
    channel: { key: 'not-a-number|the-id|the-secret' },
    expectRequests: (requests) => expect(requests).toEqual([]),
    expectReply: (reply) => {
      expect(errorIn(reply)).toMatchObject({ code: 'invalid_channel_key' });
      expect(reply.text).not.toContain('the-secret');
    },
  },
  {
    operation: 'embedding',
    title: 'signed',
    model: 'hunyuan-embedding',
    channel: signing,
    path: '/v1/embeddings',
    body: { model: 'hunyuan-embedding', input: ['a', 'b'] },
    upstreamReplies: [
      jsonReply({
        Response: {
          Data: [
            { Embedding: [1, 0], Index: 1, Object: 'embedding' },
            { Embedding: [0.5, 0.25], Index: 0, Object: 'embedding' },
          ],
          Usage: { PromptTokens: 4, TotalTokens: 4 },
          RequestId: '1',
        },
      }),
    ],
    expectRequests: (requests) => {
      expectSigned(first(requests), 'GetEmbedding');
      expect(first(requests).json).toEqual({ InputList: ['a', 'b'] });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ data: [{ embedding: [0.5, 0.25] }, { embedding: [1, 0] }] }),
    billed: { prompt: 4, completion: 0 },
  },
];
