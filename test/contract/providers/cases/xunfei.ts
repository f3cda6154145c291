import { expect } from 'vitest';
import {
  refusal,
  type SocketScript,
  startSocketUpstream,
} from '../../../support/socket-upstream.ts';
import { chatReply, type ReceivedRequest } from '../../../support/upstream.ts';
import type { CustomUpstream, ProviderCase } from '../support/case.ts';
import { contentOf, errorIn, finishOf } from '../support/chat-replies.ts';
import { fixtureBytes } from '../support/decode.ts';
import { expectAccountsFault } from '../support/expectations.ts';
import { jsonReply, recordedReply, recordedStream } from '../support/upstream-replies.ts';

const model = 'SparkDesk-v3.5';
const messages = [{ role: 'user', content: 'Hello' }];
const key = { key: 'the-app|the-secret|the-key' };
const chat = {
  operation: 'chat',
  model,
  channel: key,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const streamed = { ...chat, stream: true, body: { model, messages, stream: true } } as const;
const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };

/** A Spark server. Each question is recorded as a request with the path of the handshake. */
function sparkUpstream(
  script: (frames: readonly string[]) => SocketScript,
  name?: string,
): () => Promise<CustomUpstream> {
  return async () => {
    const upstream = await startSocketUpstream();
    const requests: ReceivedRequest[] = [];
    const frames =
      name === undefined ? [] : fixtureBytes('xunfei', name).toString('utf8').trim().split('\n');
    const { connect, refuse } = script(frames);
    upstream.script(
      refuse === undefined
        ? {
            connect: async (connection) => {
              const text = String(await connection.next());
              const { url = '', headers } = connection.request;
              requests.push({
                method: 'GET',
                path: url,
                headers,
                bytes: Buffer.from(text),
                text,
                json: JSON.parse(text),
              });
              await connect?.(connection);
            },
          }
        : { refuse },
    );
    return { url: upstream.url, requests, close: upstream.close };
  };
}

/** Sends the frames and leaves the socket open, as Spark does. */
const answer = (frames: readonly string[]): SocketScript => ({
  connect: (connection) => {
    for (const frame of frames) connection.send(frame);
  },
});

const answerAndClose = (frames: readonly string[]): SocketScript => ({
  connect: (connection) => {
    for (const frame of frames) connection.send(frame);
    connection.socket.close(1000);
  },
});

function expectRequest([request]: readonly ReceivedRequest[]): void {
  const url = new URL(request?.path ?? '', 'http://spark');
  expect(url.pathname).toBe('/v3.5/chat');
  expect(url.searchParams.get('host')).toBe(request?.headers.host);
  const origin = Buffer.from(url.searchParams.get('authorization') ?? '', 'base64').toString();
  expect(origin).toMatch(
    /^api_key="the-key", algorithm="hmac-sha256", headers="host date request-line", signature="[^"]{44}"$/,
  );
  expect(request?.json).toEqual({
    header: { app_id: 'the-app' },
    parameter: { chat: { domain: 'generalv3.5' } },
    payload: { message: { text: messages } },
  });
}

const httpChat = { ...chat, channel: { key: 'the-password' } } as const;

export const cases: readonly ProviderCase[] = [
  {
    ...chat,
    customUpstream: sparkUpstream(answer, 'stream-text.ndjson'),
    expectRequests: expectRequest,
    expectReply: ({ json }) => {
      expect(json).toMatchObject({
        model,
        choices: [{ message: { content: '我可以帮你 👋。' }, finish_reason: 'stop' }],
      });
    },
    billed: { prompt: 5, completion: 9 },
  },
  {
    ...streamed,
    customUpstream: sparkUpstream(answer, 'stream-text.ndjson'),
    expectRequests: expectRequest,
    expectReply: (reply) => {
      expect(contentOf(reply)).toBe('我可以帮你 👋。');
      expect(reply.events.at(-1)).toBe('[DONE]');
    },
    billed: { prompt: 5, completion: 9 },
  },
  {
    ...streamed,
    title: 'functions, with the version from the query',
    path: '/v1/chat/completions?api-version=v4.0',
    model: 'SparkDesk',
    body: {
      model: 'SparkDesk',
      messages,
      stream: true,
      tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }],
    },
    customUpstream: sparkUpstream(answerAndClose, 'stream-function.ndjson'),
    expectRequests: ([request]) => {
      expect(request?.path).toMatch(/^\/v4\.0\/chat\?/);
      expect(request?.json).toMatchObject({
        payload: { functions: { text: [{ name: 'weather' }] } },
      });
    },
    expectReply: (reply) => expect(finishOf(reply)).toBe('tool_calls'),
    billed: { prompt: 5, completion: 9 },
  },
  {
    ...chat,
    title: 'an error in the first frame',
    customUpstream: sparkUpstream(answer, 'stream-error-first.ndjson'),
    expectRequests: expectRequest,
    expectReply: expectAccountsFault,
    reported: { status: 403, error: '11200' },
  },
  {
    ...streamed,
    title: 'an error in the first frame',
    customUpstream: sparkUpstream(answer, 'stream-error-first.ndjson'),
    expectRequests: expectRequest,
    expectReply: expectAccountsFault,
    reported: { status: 403 },
  },
  {
    ...chat,
    title: 'a socket that closes before the end',
    customUpstream: sparkUpstream(answerAndClose, 'stream-unterminated.ndjson'),
    expectRequests: expectRequest,
    expectReply: (reply) => expect(reply.status).toBe(502),
  },
  {
    ...chat,
    title: 'a rejected handshake',
    customUpstream: sparkUpstream(() =>
      refusal(401, '{"message":"HMAC signature cannot be verified"}'),
    ),
    expectRequests: (requests) => expect(requests).toEqual([]),
    expectReply: expectAccountsFault,
    reported: {
      status: 401,
      error: 'xunfei_error',
      failure: expect.stringContaining('HMAC signature'),
    },
  },
  {
    ...chat,
    title: 'a malformed key',
    channel: { key: 'the-app|the-secret' },
    expectRequests: (requests) => expect(requests).toEqual([]),
    expectReply: (reply) => {
      expect(errorIn(reply)).toMatchObject({
        code: 'invalid_channel_key',
        message: expect.stringContaining('APPID|APISecret'),
      });
      expect(reply.text).not.toContain('the-secret');
    },
  },
  {
    ...httpChat,
    title: 'over HTTP',
    upstreamReplies: [
      jsonReply({
        code: 0,
        message: 'Success',
        sid: 'cha1',
        choices: [{ message: { role: 'assistant', content: 'Hello there' }, index: 0 }],
        usage,
      }),
    ],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/chat/completions');
      expect(request?.headers.authorization).toBe('Bearer the-password');
      expect(request?.json).toEqual({ model: 'generalv3.5', messages });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ model, choices: [{ message: { content: 'Hello there' } }] }),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...streamed,
    title: 'over HTTP',
    channel: httpChat.channel,
    upstreamReplies: [recordedStream('xunfei-http', 'stream-text.sse')],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({ model: 'generalv3.5', messages, stream: true }),
    expectReply: (reply) => expect(contentOf(reply)).toBe('你好，我是星火。'),
    billed: { prompt: 6, completion: 42 },
  },
  {
    ...httpChat,
    title: 'over HTTP, an unknown model',
    model: 'x1',
    channel: { key: 'the-password' },
    body: { model: 'x1', messages },
    upstreamReplies: [chatReply('Hello there', usage)],
    expectRequests: ([request]) => expect(request?.json).toEqual({ model: 'x1', messages }),
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        model: 'x1',
        choices: [{ message: { content: 'Hello there' } }],
      }),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...httpChat,
    title: 'over HTTP, an error with status 200',
    upstreamReplies: [jsonReply({ code: 11202, message: 'too many per second', sid: 'cha1' })],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ type: 'xunfei_error', code: '11202' });
    },
  },
  {
    ...httpChat,
    title: 'over HTTP, a bad password',
    upstreamReplies: [recordedReply('xunfei-http', 'failure-401.json', 401)],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: expectAccountsFault,
    reported: { status: 401 },
  },
];
