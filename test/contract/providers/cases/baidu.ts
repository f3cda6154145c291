import { expect } from 'vitest';
import { type Answer, chatReply, type ReceivedRequest } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import { type CallsOf, contentOf, errorIn, finishOf } from '../support/chat-replies.ts';
import { expectAccountsFault } from '../support/expectations.ts';
import {
  jsonReply,
  recordedReply,
  recordedStream,
  textReply,
} from '../support/upstream-replies.ts';

let serial = 0;

/** A separate key for each case: tokens are cached for the whole process. */
function freshKey(): string {
  serial += 1;
  return `ak-${serial}|sk-${serial}`;
}

const model = 'ERNIE-4.0-8K';
const root = '/rpc/2.0/ai_custom/v1/wenxinworkshop';
const messages = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Hello' },
];
const tools = [
  {
    type: 'function',
    function: { name: 'weather', parameters: { type: 'object', properties: {} } },
  },
];

const token = (name: string): Answer => jsonReply({ access_token: name, expires_in: 2_592_000 });

function chat() {
  const channel = { key: freshKey() };
  return {
    operation: 'chat',
    model,
    channel,
    path: '/v1/chat/completions',
    body: { model, messages },
  } as const;
}

/** The token was fetched with the key; the chat request carried the token. */
function expectRequest(requests: readonly ReceivedRequest[]): void {
  const [first, second] = requests;
  expect(first?.path).toMatch(
    /^\/oauth\/2\.0\/token\?grant_type=client_credentials&client_id=ak-\d+&client_secret=sk-\d+$/,
  );
  expect(second?.path).toBe(`${root}/chat/completions_pro?access_token=24.one`);
  expect(second?.headers).not.toHaveProperty('authorization');
  expect(second?.json).toMatchObject({
    system: 'Be kind.',
    messages: [{ role: 'user', content: 'Hello' }],
  });
}

export const cases: readonly ProviderCase[] = [
  {
    ...chat(),
    upstreamReplies: [token('24.one'), recordedReply('baidu', 'reply-text.json')],
    expectRequests: (requests) => {
      expectRequest(requests);
      expect(requests).toHaveLength(2);
      expect(requests[1]?.json).not.toHaveProperty('stream');
    },
    expectReply: ({ status, json }) => {
      expect(status).toBe(200);
      expect(json).toMatchObject({
        model,
        choices: [{ message: { content: '你好！' }, finish_reason: 'stop' }],
      });
    },
    billed: { prompt: 7, completion: 3 },
  },
  {
    ...chat(),
    stream: true,
    body: { model, messages, stream: true },
    upstreamReplies: [token('24.one'), recordedStream('baidu', 'stream-text.sse')],
    expectRequests: (requests) => {
      expectRequest(requests);
      expect(requests[1]?.json).toMatchObject({ stream: true });
    },
    expectReply: (reply) => {
      expect(contentOf(reply)).toBe('当然可以，以下是 “Hello” 的翻译：你好 👋。');
      expect(reply.events.at(-1)).toBe('[DONE]');
    },
    billed: { prompt: 5, completion: 17 },
  },
  {
    ...chat(),
    title: 'functions',
    body: { model, messages, tools, max_tokens: 1 },
    upstreamReplies: [token('24.one'), recordedReply('baidu', 'reply-function.json')],
    expectRequests: ([, request]) => {
      expect(request?.json).toMatchObject({
        functions: [{ name: 'weather' }],
        max_output_tokens: 2,
      });
    },
    expectReply: ({ json }) => {
      const [choice] = (json as CallsOf).choices;
      expect(choice?.finish_reason).toBe('tool_calls');
      expect(choice?.message.tool_calls).toMatchObject([
        { function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
      ]);
    },
    billed: { prompt: 80, completion: 20 },
  },
  {
    ...chat(),
    stream: true,
    title: 'functions',
    body: { model, messages, tools, stream: true },
    upstreamReplies: [token('24.one'), recordedStream('baidu', 'stream-function.sse')],
    expectRequests: expectRequest,
    expectReply: (reply) => expect(finishOf(reply)).toBe('tool_calls'),
    billed: { prompt: 88, completion: 30 },
  },
  {
    ...chat(),
    title: 'an expired token is fetched again, once',
    upstreamReplies: [
      token('24.one'),
      jsonReply({ error_code: 110, error_msg: 'Access token invalid or no longer valid' }),
      token('24.two'),
      recordedReply('baidu', 'reply-text.json'),
    ],
    expectRequests: (requests) => {
      expect(requests.map(({ path }) => path.split('?')[0])).toEqual([
        '/oauth/2.0/token',
        `${root}/chat/completions_pro`,
        '/oauth/2.0/token',
        `${root}/chat/completions_pro`,
      ]);
      expect(requests[3]?.path).toContain('access_token=24.two');
    },
    expectReply: ({ status }) => expect(status).toBe(200),
    billed: { prompt: 7, completion: 3 },
  },
  {
    ...chat(),
    title: 'a token that stays invalid',
    upstreamReplies: [
      token('24.one'),
      jsonReply({ error_code: 111, error_msg: 'Access token expired' }),
      token('24.two'),
      jsonReply({ error_code: 111, error_msg: 'Access token expired' }),
    ],
    expectRequests: (requests) => expect(requests).toHaveLength(4),
    expectReply: expectAccountsFault,
    reported: { status: 401, error: '111' },
  },
  {
    ...chat(),
    title: 'an unknown key',
    upstreamReplies: [
      jsonReply({ error: 'invalid_client', error_description: 'unknown client id' }, 401),
    ],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: expectAccountsFault,
    reported: { status: 401, failure: expect.stringContaining('unknown client id') },
  },
  {
    ...chat(),
    title: 'a malformed key',
    channel: { key: 'no-bar-in-it' },
    expectRequests: (requests) => expect(requests).toEqual([]),
    expectReply: (reply) => {
      expect(reply.status).toBe(502);
      expect(errorIn(reply)).toMatchObject({
        code: 'invalid_channel_key',
        message: expect.stringContaining('APIKey|SecretKey'),
      });
      expect(reply.text).not.toContain('no-bar-in-it');
    },
  },
  {
    ...chat(),
    title: 'an error with status 200',
    upstreamReplies: [
      token('24.one'),
      jsonReply({ error_code: 336103, error_msg: 'the prompt is too long' }),
    ],
    expectRequests: expectRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(400);
      expect(errorIn(reply)).toMatchObject({
        code: 'context_length_exceeded',
        message: expect.stringContaining('too long'),
      });
    },
  },
  {
    ...chat(),
    stream: true,
    title: 'an error instead of the stream',
    body: { model, messages, stream: true },
    upstreamReplies: [
      token('24.one'),
      textReply('{"error_code":18,"error_msg":"Open api qps request limit reached"}'),
    ],
    expectRequests: expectRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(429);
      expect(errorIn(reply)).toMatchObject({ code: '18' });
    },
  },
  {
    ...chat(),
    title: 'the v1 API was shut down',
    upstreamReplies: [token('24.one'), textReply('<html>moved</html>', 'text/html')],
    expectRequests: expectRequest,
    expectReply: expectAccountsFault,
    reported: {
      status: 410,
      failure: expect.stringMatching(/has ended the v1 interface.*V2 API key/),
    },
  },
  {
    ...chat(),
    title: 'a key for V2',
    model: 'ERNIE-Speed-8K',
    channel: { key: 'bce-v3/ALTAK-1/2' },
    body: { model: 'ERNIE-Speed-8K', messages },
    upstreamReplies: [
      chatReply('Hello there', { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 }),
    ],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v2/chat/completions');
      expect(request?.headers.authorization).toBe('Bearer bce-v3/ALTAK-1/2');
      expect(request?.json).toMatchObject({ model: 'ernie-speed-8k', messages });
    },
    expectReply: ({ status }) => expect(status).toBe(200),
    billed: { prompt: 20, completion: 10 },
  },
  {
    operation: 'embedding',
    model: 'bge-large-zh',
    channel: { key: freshKey() },
    path: '/v1/embeddings',
    body: { model: 'bge-large-zh', input: 'a' },
    upstreamReplies: [
      token('24.one'),
      jsonReply({
        id: 'as-1',
        object: 'embedding_list',
        data: [{ object: 'embedding', embedding: [0.5, 0.25], index: 0 }],
        usage: { prompt_tokens: 4, total_tokens: 4 },
      }),
    ],
    expectRequests: ([, request]) => {
      expect(request?.path).toBe(`${root}/embeddings/bge_large_zh?access_token=24.one`);
      expect(request?.json).toEqual({ input: ['a'] });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ model: 'bge-large-zh', data: [{ embedding: [0.5, 0.25] }] }),
    billed: { prompt: 4, completion: 0 },
  },
];
