import { expect } from 'vitest';
import { generateReply } from '../../../support/gemini-upstream.ts';
import { type Answer, type ReceivedRequest, sendJson } from '../../../support/upstream.ts';
import type { ClientReply, ProviderCase } from '../support/case.ts';
import { fixtureBytes, fixtureJson } from '../support/decode.ts';
import { expectAccountsFault } from '../support/expectations.ts';
import { imageCases } from '../support/gemini-images.ts';
import { onePixel } from '../support/openai-cases.ts';

const model = 'gemini-2.5-flash';
const messages = [{ role: 'user', content: 'Hello' }];
const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
const openAi = {
  operation: 'chat',
  model,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const billed = { prompt: 100, completion: 25 };

const recorded =
  (name: string): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(fixtureBytes('gemini', name));
  };
const reply =
  (status: number, body: unknown): Answer =>
  (response) =>
    sendJson(response, status, body);

function expectRequest(request: ReceivedRequest | undefined, path: string): void {
  expect(request?.path).toBe(`/v1beta/models/${path}`);
  expect(request?.headers['x-goog-api-key']).toBe('upstream-key');
  expect(request?.headers.authorization).toBeUndefined();
  expect(request?.json).not.toHaveProperty('stream');
}

const contentOf = ({ events }: ClientReply) =>
  events
    .map(
      (event) =>
        (event as { choices?: { delta?: { content?: string } }[] }).choices?.[0]?.delta?.content ??
        '',
    )
    .join('');

const imageAt = (url: string) => ({ type: 'image_url', image_url: { url } });
const image = `data:image/png;base64,${onePixel.toString('base64')}`;

export const cases: readonly ProviderCase[] = [
  {
    ...openAi,
    upstreamReplies: [generateReply('Hello there')],
    expectRequests: ([request]) => {
      expectRequest(request, `${model}:generateContent`);
      expect(request?.json).toMatchObject({ contents, safetySettings: expect.any(Array) });
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
    upstreamReplies: [generateReply('Hello there')],
    expectRequests: ([request]) => expectRequest(request, `${model}:streamGenerateContent?alt=sse`),
    expectReply: (answer) => {
      expect(contentOf(answer)).toBe('Hello there');
      expect(answer.events.at(-1)).toBe('[DONE]');
    },
    billed,
  },
  {
    ...openAi,
    title: 'native',
    path: `/v1beta/models/${model}:generateContent`,
    body: { contents },
    upstreamReplies: [generateReply('Hello there')],
    expectRequests: ([request]) => {
      expectRequest(request, `${model}:generateContent`);
      expect(request?.json).toEqual({ contents });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        candidates: [{ content: { parts: [{ text: 'Hello there' }] } }],
      }),
    billed,
  },
  {
    ...openAi,
    title: 'native',
    stream: true,
    path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: { contents },
    upstreamReplies: [generateReply('Hello there')],
    expectRequests: ([request]) => expectRequest(request, `${model}:streamGenerateContent?alt=sse`),
    expectReply: ({ text }) => expect(text).toContain('"text":"there"'),
    billed,
  },
  {
    ...openAi,
    title: 'thinking and parallel tool calls',
    stream: true,
    body: {
      ...openAi.body,
      stream: true,
      reasoning_effort: 'low',
      tools: [
        {
          type: 'function',
          function: { name: 'get_weather', parameters: { type: 'object', properties: {} } },
        },
      ],
      tool_choice: 'required',
    },
    upstreamReplies: [recorded('stream-tools.sse')],
    expectRequests: ([request]) => {
      expect(request?.json).toMatchObject({
        tools: [{ functionDeclarations: [{ name: 'get_weather' }] }],
        toolConfig: { functionCallingConfig: { mode: 'ANY' } },
        generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 4915 } },
      });
    },
    expectReply: ({ text }) => {
      expect(text).toContain('"reasoning_content":"Think"');
      for (const name of ['get_weather', 'get_time']) expect(text).toContain(`"name":"${name}"`);
      expect(text).toContain('"thought_signature":"CiQB"');
      expect(text).toContain('"finish_reason":"tool_calls"');
    },
  },
  {
    ...openAi,
    title: 'images, in and out',
    body: {
      model,
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] }],
    },
    upstreamReplies: [reply(200, fixtureJson('gemini', 'reply-picture.json'))],
    expectRequests: ([request]) => {
      const inlineData = { mimeType: 'image/png', data: onePixel.toString('base64') };
      expect(request?.json['contents']).toEqual([{ role: 'user', parts: [{ inlineData }] }]);
    },
    expectReply: ({ text }) =>
      expect(text).toContain('"image_url":{"url":"data:image/png;base64,aGk="}'),
  },
  {
    ...openAi,
    title: 'URLs that Google fetches itself',
    body: {
      model,
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'https://youtu.be/abc' } }],
        },
      ],
    },
    upstreamReplies: [generateReply()],
    expectRequests: ([request]) => {
      const fileData = { fileUri: 'https://youtu.be/abc', mimeType: 'video/webm' };
      expect(request?.json['contents']).toEqual([{ role: 'user', parts: [{ fileData }] }]);
    },
    expectReply: ({ status }) => expect(status).toBe(200),
    billed,
  },
  {
    ...openAi,
    title: 'a bad key',
    upstreamReplies: [reply(400, fixtureJson('gemini', 'failure-key.json'))],
    expectRequests: ([request]) => expectRequest(request, `${model}:generateContent`),
    expectReply: expectAccountsFault,
    reported: { status: 401, failure: expect.stringContaining('API key not valid') },
  },
  {
    ...openAi,
    title: 'an error with status 200',
    stream: true,
    body: { ...openAi.body, stream: true },
    upstreamReplies: [recorded('stream-error-array.sse')],
    expectRequests: () => undefined,
    expectReply: ({ status, json }) => {
      expect(status).toBe(503);
      expect(json).toMatchObject({
        error: { code: 'UNAVAILABLE', message: expect.stringContaining('overloaded') },
      });
    },
  },
  {
    ...openAi,
    title: 'a blocked prompt',
    upstreamReplies: [reply(200, fixtureJson('gemini', 'reply-blocked.json'))],
    expectRequests: () => undefined,
    expectReply: ({ status, json }) => {
      expect(status).toBe(400);
      expect(json).toMatchObject({ error: { code: 'content_filter' } });
    },
  },
  {
    operation: 'embedding',
    model: 'gemini-embedding-001',
    path: '/v1/embeddings',
    body: { model: 'gemini-embedding-001', input: ['a', 'b'], dimensions: 2 },
    upstreamReplies: [reply(200, { embeddings: [{ values: [0.5, 0.25] }, { values: [1, 0] }] })],
    expectRequests: ([request]) => {
      expectRequest(request, 'gemini-embedding-001:batchEmbedContents');
      const one = (text: string) => ({
        model: 'models/gemini-embedding-001',
        content: { parts: [{ text }] },
        outputDimensionality: 2,
      });
      expect(request?.json).toEqual({ requests: [one('a'), one('b')] });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ data: [{ embedding: [0.5, 0.25] }, { embedding: [1, 0] }] }),
  },
  {
    operation: 'embedding',
    title: 'native',
    model: 'text-embedding-004',
    channel: { model_mapping: JSON.stringify({ 'text-embedding-004': 'gemini-embedding-001' }) },
    path: '/v1beta/models/text-embedding-004:batchEmbedContents',
    body: {
      requests: [{ model: 'models/text-embedding-004', content: { parts: [{ text: 'a' }] } }],
    },
    upstreamReplies: [reply(200, { embeddings: [{ values: [0.5] }] })],
    expectRequests: ([request]) => {
      expectRequest(request, 'gemini-embedding-001:batchEmbedContents');
      expect(request?.json).toEqual({
        requests: [{ model: 'models/gemini-embedding-001', content: { parts: [{ text: 'a' }] } }],
      });
    },
    expectReply: ({ json }) => expect(json).toEqual({ embeddings: [{ values: [0.5] }] }),
  },
  ...imageCases,
  {
    ...openAi,
    title: 'too many images, none fetched',
    body: {
      model,
      messages: [{ role: 'user', content: Array(17).fill(imageAt('https://example.com/a.png')) }],
    },
    expectRequests: (requests) => expect(requests).toEqual([]),
    expectReply: ({ status, text }) => {
      expect(status).toBe(400);
      expect(text).toContain('more than 16 images');
    },
  },
  {
    operation: 'chat',
    model,
    title: 'token count',
    path: `/v1beta/models/${model}:countTokens`,
    body: { generateContentRequest: { model: `models/${model}`, contents } },
    channel: { model_mapping: JSON.stringify({ [model]: 'gemini-2.5-pro' }) },
    upstreamReplies: [reply(200, { totalTokens: 42 })],
    expectRequests: ([request]) => {
      expectRequest(request, 'gemini-2.5-pro:countTokens');
      expect(request?.json).toEqual({
        generateContentRequest: { model: 'models/gemini-2.5-pro', contents },
      });
    },
    expectReply: ({ json }) => expect(json).toEqual({ totalTokens: 42 }),
  },
  {
    operation: 'chat',
    stream: true,
    model: 'gemini-2.5-flash-preview-tts',
    title: 'speech',
    path: '/v1/chat/completions',
    body: {
      model: 'gemini-2.5-flash-preview-tts',
      messages,
      stream: true,
      audio: { voice: 'Kore' },
    },
    upstreamReplies: [recorded('stream-speech.sse')],
    expectRequests: ([request]) =>
      expect(request?.json['generationConfig']).toMatchObject({
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
      }),
    expectReply: ({ events }) =>
      expect(events.slice(1, 3)).toMatchObject([
        { choices: [{ delta: { audio: { data: 'AAEC' } } }] },
        { choices: [{ delta: { audio: { data: 'AwQF' } } }] },
      ]),
    billed: { prompt: 4, completion: 50 },
  },
];
