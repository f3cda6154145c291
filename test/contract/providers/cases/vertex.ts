import { expect } from 'vitest';
import { generateReply } from '../../../support/gemini-upstream.ts';
import { accountDocument } from '../../../support/service-account.ts';
import {
  type Answer,
  chatReply,
  messagesReply,
  type ReceivedRequest,
  sendJson,
} from '../../../support/upstream.ts';
import type { ClientReply, ProviderCase } from '../support/case.ts';
import { fixtureBytes, fixtureJson } from '../support/decode.ts';
import { expectAccountsFault } from '../support/expectations.ts';
import { form, onePixel } from '../support/openai-cases.ts';

const messages = [{ role: 'user', content: 'Hello' }];
const location = '/projects/my-project/locations/us-central1';
const google = (model: string, action: string) =>
  `/v1${location}/publishers/google/models/${model}:${action}`;
const claude = (action: string) =>
  `/v1${location}/publishers/anthropic/models/claude-sonnet-4@20250514:${action}`;

/** The first request fetches the service account's token; the second is the one under test. */
const token: Answer = (response) =>
  sendJson(response, 200, { access_token: 'ya29.token', expires_in: 3599, token_type: 'Bearer' });
const account: Pick<ProviderCase, 'channel' | 'channelAt'> = {
  channel: { other: 'us-central1' },
  channelAt: (url) => ({
    key: JSON.stringify(accountDocument({ token_uri: `${url}/token` }), null, 2),
  }),
};

function expectAuthorized(
  requests: readonly ReceivedRequest[],
  path: string,
): ReceivedRequest | undefined {
  const [exchange, request] = requests;
  expect(exchange?.path).toBe('/token');
  expect(exchange?.text).toMatch(
    /^grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=ey/,
  );
  expect(request?.path).toBe(path);
  expect(request?.headers.authorization).toBe('Bearer ya29.token');
  expect(request?.headers['x-goog-user-project']).toBe('my-project');
  return request;
}

const contentOf = ({ events }: ClientReply) =>
  events
    .map(
      (event) =>
        (event as { choices?: { delta?: { content?: string } }[] }).choices?.[0]?.delta?.content ??
        '',
    )
    .join('');

/** A complete recorded stream. */
const recorded =
  (name: string): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(fixtureBytes('vertex', name));
  };

const chat = { operation: 'chat', path: '/v1/chat/completions', ...account } as const;
const gemini = {
  ...chat,
  model: 'gemini-2.5-flash',
  body: { model: 'gemini-2.5-flash', messages },
} as const;
const sonnet = 'claude-sonnet-4-20250514';
const onClaude = { ...chat, model: sonnet, body: { model: sonnet, messages } } as const;
const native = {
  ...onClaude,
  path: '/v1/messages',
  body: { model: sonnet, messages, max_tokens: 50 },
} as const;
const llama = 'meta/llama3-405b-instruct-maas';
const onLlama = { ...chat, model: llama, body: { model: llama, messages } } as const;
const usage = { input_tokens: 20, output_tokens: 10 };
const chatUsage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
const billed = { prompt: 20, completion: 10 };

const painter = 'gemini-2.5-flash-image';
const edit = (model: string) =>
  form({ model, prompt: 'a hat' }, ['image', new Blob([onePixel], { type: 'image/png' }), 'a.png']);

export const cases: readonly ProviderCase[] = [
  {
    ...gemini,
    upstreamReplies: [token, generateReply('Hello there')],
    expectRequests: (requests) => {
      const request = expectAuthorized(requests, google('gemini-2.5-flash', 'generateContent'));
      expect(request?.json).toMatchObject({
        contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        choices: [{ message: { content: 'Hello there' }, finish_reason: 'stop' }],
      }),
    billed: { prompt: 100, completion: 25 },
  },
  {
    ...gemini,
    stream: true,
    body: { ...gemini.body, stream: true },
    upstreamReplies: [token, recorded('stream-text.sse')],
    expectRequests: (requests) =>
      expectAuthorized(requests, `${google('gemini-2.5-flash', 'streamGenerateContent')}?alt=sse`),
    expectReply: (reply) => expect(contentOf(reply)).toBe('Grüße, 世界'),
    billed: { prompt: 12, completion: 12 },
  },
  {
    ...gemini,
    title: 'tool calls in several chunks',
    stream: true,
    body: {
      ...gemini.body,
      stream: true,
      tools: [{ type: 'function', function: { name: 'weather' } }],
    },
    upstreamReplies: [token, recorded('stream-partial-args.sse')],
    expectRequests: (requests) =>
      expect(requests[1]?.json['tools']).toEqual([{ functionDeclarations: [{ name: 'weather' }] }]),
    expectReply: ({ text }) => {
      expect(text).toContain('"arguments":"{\\"city\\":\\"Oslo\\"}"');
      expect(text).toContain('"finish_reason":"tool_calls"');
    },
    billed: { prompt: 20, completion: 8 },
  },
  {
    ...gemini,
    title: 'native',
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    body: { contents: [{ parts: [{ text: 'Hello' }] }] },
    upstreamReplies: [token, generateReply('Hello there')],
    expectRequests: (requests) => {
      const request = expectAuthorized(requests, google('gemini-2.5-flash', 'generateContent'));
      expect(request?.json).toEqual({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        candidates: [{ content: { parts: [{ text: 'Hello there' }] } }],
      }),
    billed: { prompt: 100, completion: 25 },
  },
  {
    ...gemini,
    title: 'region by model',
    channel: {
      other: JSON.stringify({ default: 'us-central1', 'gemini-2.5-flash': 'europe-west4' }),
    },
    upstreamReplies: [token, generateReply()],
    expectRequests: (requests) => expect(requests[1]?.path).toContain('/locations/europe-west4/'),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...gemini,
    title: 'an API key',
    channelAt: () => ({
      key: 'AIza-upstream-key',
      setting: JSON.stringify({ vertex_key_type: 'api_key' }),
    }),
    upstreamReplies: [generateReply()],
    expectRequests: ([request]) => {
      expect(request?.path).toBe(
        '/v1/publishers/google/models/gemini-2.5-flash:generateContent?key=AIza-upstream-key',
      );
      expect(request?.headers.authorization).toBeUndefined();
    },
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...gemini,
    title: 'a bad key',
    channelAt: () => ({ key: '{"project_id":"my-project","private_key":"secret"}' }),
    expectRequests: (requests) => expect(requests).toEqual([]),
    expectReply: ({ status, text }) => {
      expect(status).toBe(502);
      expect(text).toContain('invalid_channel_key');
      expect(text).not.toContain('secret');
    },
  },
  {
    ...gemini,
    title: 'a rejected service account',
    upstreamReplies: [
      (response) =>
        sendJson(response, 400, {
          error: 'invalid_grant',
          error_description: 'Invalid JWT Signature.',
        }),
    ],
    expectRequests: (requests) => expect(requests).toHaveLength(1),
    expectReply: expectAccountsFault,
    reported: {
      status: 401,
      error: 'invalid_grant',
      failure: expect.stringContaining('Invalid JWT Signature.'),
    },
  },
  {
    ...gemini,
    title: 'a token that expired early',
    upstreamReplies: [
      token,
      (response) =>
        sendJson(response, 401, {
          error: { code: 401, message: 'expired', status: 'UNAUTHENTICATED' },
        }),
      token,
      generateReply('Hello there'),
    ],
    expectRequests: (requests) =>
      expect(requests.map(({ path }) => path === '/token')).toEqual([true, false, true, false]),
    expectReply: ({ status }) => expect(status).toBe(200),
    billed: { prompt: 100, completion: 25 },
  },
  {
    ...gemini,
    title: 'an error in a list',
    stream: true,
    body: { ...gemini.body, stream: true },
    upstreamReplies: [
      token,
      (response) =>
        sendJson(response, 400, [
          { error: { code: 400, message: 'too many contents', status: 'INVALID_ARGUMENT' } },
        ]),
    ],
    expectRequests: () => undefined,
    expectReply: ({ status, json }) => {
      expect(status).toBe(400);
      expect(json).toMatchObject({
        error: { code: 'INVALID_ARGUMENT', message: expect.stringContaining('too many contents') },
      });
    },
  },
  {
    ...onClaude,
    title: 'Claude',
    upstreamReplies: [token, messagesReply('Hello there', usage)],
    expectRequests: (requests) => {
      const request = expectAuthorized(requests, claude('rawPredict'));
      expect(request?.json).toMatchObject({ anthropic_version: 'vertex-2023-10-16' });
      expect(request?.json).not.toHaveProperty('model');
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ choices: [{ message: { content: 'Hello there' } }] }),
    billed,
  },
  {
    ...onClaude,
    title: 'Claude',
    stream: true,
    body: { ...onClaude.body, stream: true },
    upstreamReplies: [token, recorded('claude-text.sse')],
    expectRequests: (requests) => expectAuthorized(requests, claude('streamRawPredict')),
    expectReply: (reply) => expect(contentOf(reply)).toBe('Hello there'),
    billed: { prompt: 50, completion: 10 },
  },
  {
    ...native,
    title: 'Claude, native',
    stream: true,
    headers: { 'anthropic-beta': 'context-1m-2025-08-07' },
    body: { ...native.body, stream: true },
    upstreamReplies: [token, recorded('claude-text.sse')],
    expectRequests: (requests) => {
      const request = expectAuthorized(requests, claude('streamRawPredict'));
      expect(request?.headers['anthropic-beta']).toBe('context-1m-2025-08-07');
      expect(request?.json).toEqual({
        messages,
        max_tokens: 50,
        stream: true,
        anthropic_version: 'vertex-2023-10-16',
      });
    },
    expectReply: ({ events }) => {
      expect(events.slice(-2)).toMatchObject([
        {
          type: 'message_delta',
          usage: { input_tokens: 20, cache_read_input_tokens: 30, output_tokens: 10 },
        },
        { type: 'message_stop' },
      ]);
    },
    // Log rows of this route count the prompt without cached tokens.
    billed,
  },
  {
    ...native,
    title: 'Claude, native, an error',
    upstreamReplies: [
      token,
      (response) => sendJson(response, 400, fixtureJson('vertex', 'failure-400.json')),
    ],
    expectRequests: (requests) => expectAuthorized(requests, claude('rawPredict')),
    expectReply: ({ status, json }) => {
      expect(status).toBe(400);
      expect(json).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    },
  },
  {
    ...native,
    title: 'Claude, native, passed through unchanged',
    channelAt: (url) => ({
      ...account.channelAt?.(url),
      setting: JSON.stringify({ pass_through_body_enabled: true }),
    }),
    upstreamReplies: [token, messagesReply('Hello there', usage)],
    expectRequests: (requests) =>
      expect(requests[1]?.json).toEqual({
        messages,
        max_tokens: 50,
        anthropic_version: 'vertex-2023-10-16',
      }),
    expectReply: ({ status }) => expect(status).toBe(200),
    billed,
  },
  {
    ...native,
    title: 'Claude, token count',
    path: '/v1/messages/count_tokens',
    upstreamReplies: [token, (response) => sendJson(response, 200, { input_tokens: 42 })],
    expectRequests: (requests) => {
      const request = expectAuthorized(
        requests,
        `/v1${location}/publishers/anthropic/models/count-tokens:rawPredict`,
      );
      expect(request?.json).toMatchObject({ model: 'claude-sonnet-4@20250514', messages });
    },
    expectReply: ({ json }) => expect(json).toEqual({ input_tokens: 42 }),
  },
  {
    ...gemini,
    title: 'token count',
    path: '/v1beta/models/gemini-2.5-flash:countTokens',
    body: {
      generateContentRequest: {
        model: 'models/gemini-2.5-flash',
        contents: [{ parts: [{ text: 'Hello' }] }],
      },
    },
    upstreamReplies: [
      token,
      (response) => sendJson(response, 200, { totalTokens: 42, totalBillableCharacters: 5 }),
    ],
    expectRequests: (requests) => {
      const request = expectAuthorized(requests, google('gemini-2.5-flash', 'countTokens'));
      expect(request?.json).toEqual({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] });
    },
    expectReply: ({ json }) => expect(json).toEqual({ totalTokens: 42 }),
  },
  {
    ...onLlama,
    title: 'another publisher',
    upstreamReplies: [token, chatReply('Hello there', chatUsage)],
    expectRequests: (requests) => {
      const request = expectAuthorized(
        requests,
        `/v1beta1${location}/endpoints/openapi/chat/completions`,
      );
      expect(request?.json).toEqual({ model: llama, messages });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ choices: [{ message: { content: 'Hello there' } }] }),
    billed,
  },
  {
    ...onLlama,
    title: 'another publisher',
    stream: true,
    body: { ...onLlama.body, stream: true },
    upstreamReplies: [token, chatReply('Hello there', chatUsage)],
    expectRequests: (requests) =>
      expect(requests[1]?.json['stream_options']).toEqual({ include_usage: true }),
    expectReply: (reply) => expect(contentOf(reply)).toBe('Hello there'),
    billed,
  },
  {
    operation: 'embedding',
    ...account,
    model: 'text-embedding-005',
    path: '/v1/embeddings',
    body: { model: 'text-embedding-005', input: ['a', 'b'], dimensions: 2 },
    upstreamReplies: [
      token,
      (response) =>
        sendJson(response, 200, {
          predictions: [
            { embeddings: { values: [0.5, 0.25], statistics: { token_count: 2 } } },
            { embeddings: { values: [1, 0], statistics: { token_count: 3 } } },
          ],
        }),
    ],
    expectRequests: (requests) => {
      const request = expectAuthorized(requests, google('text-embedding-005', 'predict'));
      expect(request?.json).toEqual({
        instances: [{ content: 'a' }, { content: 'b' }],
        parameters: { outputDimensionality: 2 },
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ data: [{ embedding: [0.5, 0.25] }, { embedding: [1, 0] }] }),
    billed: { prompt: 5, completion: 0 },
  },
  {
    operation: 'image',
    ...account,
    model: 'imagen-3.0-generate-002',
    path: '/v1/images/generations',
    body: { model: 'imagen-3.0-generate-002', prompt: 'a cat', size: '1024x1792' },
    upstreamReplies: [
      token,
      (response) =>
        sendJson(response, 200, {
          predictions: [{ mimeType: 'image/png', bytesBase64Encoded: 'aGk=' }],
        }),
    ],
    expectRequests: (requests) => {
      const request = expectAuthorized(requests, google('imagen-3.0-generate-002', 'predict'));
      expect(request?.json).toMatchObject({
        instances: [{ prompt: 'a cat' }],
        parameters: { aspectRatio: '9:16' },
      });
    },
    expectReply: ({ json }) => expect(json).toMatchObject({ data: [{ b64_json: 'aGk=' }] }),
  },
  {
    operation: 'image-edit',
    ...account,
    model: painter,
    path: '/v1/images/edits',
    body: edit(painter),
    upstreamReplies: [
      token,
      (response) => sendJson(response, 200, fixtureJson('gemini', 'reply-edit.json')),
    ],
    expectRequests: (requests) => {
      const request = expectAuthorized(requests, google(painter, 'generateContent'));
      const inlineData = { mimeType: 'image/png', data: onePixel.toString('base64') };
      expect(request?.json).toMatchObject({
        contents: [{ parts: [{ text: 'a hat' }, { inlineData }] }],
      });
    },
    expectReply: ({ json }) => expect(json).toMatchObject({ data: [{ b64_json: 'aGF0' }] }),
    billed: { prompt: 519, completion: 1290 },
  },
  {
    operation: 'image-edit',
    title: 'Imagen',
    ...account,
    model: 'imagen-3.0-generate-002',
    path: '/v1/images/edits',
    body: edit('imagen-3.0-generate-002'),
    expectRequests: (requests) => expect(requests).toEqual([]),
    expectReply: ({ status, json }) => {
      expect(status).toBe(400);
      expect(json).toMatchObject({
        error: { code: 'unsupported_feature', message: expect.stringContaining('edits') },
      });
    },
  },
];
