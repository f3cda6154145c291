import { expect } from 'vitest';
import { type Answer, chatReply } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import {
  type CallsOf,
  contentOf,
  errorIn,
  finishOf,
  reasoningOf,
} from '../support/chat-replies.ts';
import { fixtureBytes } from '../support/decode.ts';
import { expectOneRequest } from '../support/expectations.ts';
import { onePixel, openAiCases } from '../support/openai-cases.ts';
import { jsonReply, recordedReply } from '../support/upstream-replies.ts';

const model = 'qwen3';
const messages = [{ role: 'user', content: 'Hello' }];
const native = { setting: '{"native_api":true}' };
const thinkingAsText = { setting: '{"thinking_to_content":true}' };
const chat = {
  operation: 'chat',
  model,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const nativeChat = { ...chat, channel: native } as const;
const streamed = { ...nativeChat, stream: true, body: { model, messages, stream: true } } as const;
const completion = {
  ...chat,
  operation: 'completion',
  path: '/v1/completions',
  body: { model, prompt: 'Once' },
} as const;
const tool = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object', properties: {} } },
};
const pixel = onePixel.toString('base64');

function lines(name: string): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.end(fixtureBytes('ollama', name));
  };
}

const whole = jsonReply({
  model,
  created_at: '2026-11-20T08:00:00Z',
  message: { role: 'assistant', content: 'Hello there', thinking: 'A greeting.' },
  done: true,
  done_reason: 'stop',
  prompt_eval_count: 20,
  eval_count: 10,
});
const billed = { prompt: 20, completion: 10 };

export const cases: readonly ProviderCase[] = [
  ...openAiCases({
    paths: { chat: '/v1/chat/completions', completion: '/v1/completions' },
    models: { chat: model },
  }),
  {
    ...chat,
    title: 'no key',
    channel: { key: '' },
    upstreamReplies: [chatReply('Hello there')],
    expectRequests: ([request]) => expect(request?.headers.authorization).toBeUndefined(),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...nativeChat,
    title: 'native: all supported fields',
    body: {
      ...chat.body,
      temperature: 0,
      top_p: 0.5,
      top_k: 40,
      frequency_penalty: 1,
      presence_penalty: 0.5,
      seed: 7,
      max_completion_tokens: 50,
      stop: 'END',
      reasoning_effort: 'minimal',
      keep_alive: '10m',
      options: { num_ctx: 8192, temperature: 1 },
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'a', schema: { type: 'object' } },
      },
      tools: [tool],
    },
    upstreamReplies: [whole],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/chat');
      expect(request?.headers.authorization).toBe('Bearer upstream-key');
      expect(request?.json).toEqual({
        ...chat.body,
        stream: false,
        think: 'low',
        keep_alive: '10m',
        format: { type: 'object' },
        options: {
          num_ctx: 8192,
          temperature: 0,
          top_p: 0.5,
          top_k: 40,
          frequency_penalty: 1,
          presence_penalty: 0.5,
          seed: 7,
          num_predict: 50,
          stop: ['END'],
        },
        tools: [tool],
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        model,
        choices: [
          {
            message: { content: 'Hello there', reasoning_content: 'A greeting.' },
            finish_reason: 'stop',
          },
        ],
        usage: { prompt_tokens: 20, completion_tokens: 10 },
      }),
    billed,
  },
  {
    ...streamed,
    title: 'native',
    upstreamReplies: [lines('stream-text.ndjson')],
    expectRequests: ([request]) => expect(request?.json).toEqual({ model, messages, stream: true }),
    expectReply: (reply) => {
      expect(contentOf(reply)).toBe('Hello there 👋');
      expect(finishOf(reply)).toBe('stop');
      expect(reply.events.at(-1)).toBe('[DONE]');
    },
    billed: { prompt: 26, completion: 282 },
  },
  {
    ...streamed,
    title: 'native: thinking, cut off',
    upstreamReplies: [lines('stream-thinking.ndjson')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect([reasoningOf(reply), contentOf(reply)]).toEqual(['A greeting. Greet back.', 'Hello']);
      expect(finishOf(reply)).toBe('length');
    },
    billed: { prompt: 26, completion: 282 },
  },
  {
    ...streamed,
    title: 'native: parallel tools; missing prompt usage is counted',
    body: { ...streamed.body, tools: [tool] },
    upstreamReplies: [lines('stream-tools.ndjson')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(finishOf(reply)).toBe('tool_calls');
      expect(reply.text).toContain('{\\"city\\":\\"Rome\\"}');
    },
    counted: true,
  },
  {
    ...nativeChat,
    title: 'native: tools in a plain reply',
    body: { ...chat.body, tools: [tool] },
    upstreamReplies: [recordedReply('ollama', 'reply-tools.json')],
    expectRequests: expectOneRequest,
    expectReply: ({ json }) => {
      const [choice] = (json as CallsOf).choices;
      expect(choice?.finish_reason).toBe('tool_calls');
      expect(choice?.message.tool_calls).toMatchObject([
        {
          id: expect.stringMatching(/^call_[\w-]+_0$/),
          function: { name: 'weather', arguments: '{"city":"Oslo"}' },
        },
        {
          id: expect.stringMatching(/^call_[\w-]+_1$/),
          function: { name: 'weather', arguments: '{"city":"Rome"}' },
        },
      ]);
    },
    billed: { prompt: 26, completion: 282 },
  },
  {
    ...chat,
    title: 'Claude Code uses the messages endpoint of Ollama',
    path: '/v1/messages',
    body: {
      model,
      max_tokens: 50,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      system: 'Be kind.',
      messages: [
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Sun' }],
        },
      ],
    },
    upstreamReplies: [whole],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/chat');
      expect(request?.json).toEqual({
        model,
        stream: false,
        options: { num_predict: 50 },
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Weather?' },
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ function: { name: 'weather', arguments: { city: 'Oslo' } } }],
          },
          { role: 'tool', content: 'Sun', tool_name: 'weather' },
        ],
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        content: [{ type: 'thinking', thinking: 'A greeting.' }, { text: 'Hello there' }],
      }),
    billed,
  },
  {
    ...chat,
    title: 'thinking as text for chat callers',
    channel: thinkingAsText,
    upstreamReplies: [whole],
    expectRequests: ([request]) => expect(request?.path).toBe('/api/chat'),
    expectReply: ({ json }) =>
      expect((json as CallsOf).choices[0]?.message.content).toBe(
        '<think>\nA greeting.\n</think>\nHello there',
      ),
    billed,
  },
  {
    ...chat,
    title: 'thinking is preserved for callers whose format supports it',
    channel: thinkingAsText,
    path: '/v1/messages',
    body: { model, messages, max_tokens: 50 },
    upstreamReplies: [whole],
    expectRequests: expectOneRequest,
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        content: [{ type: 'thinking' }, { type: 'text', text: 'Hello there' }],
      }),
    billed,
  },
  {
    ...nativeChat,
    title: 'native: an image in the body',
    body: {
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
          ],
        },
      ],
    },
    upstreamReplies: [whole],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({
        model,
        stream: false,
        messages: [{ role: 'user', content: 'What?', images: [pixel] }],
      }),
    expectReply: ({ json }) =>
      expect((json as CallsOf).choices[0]?.message.content).toBe('Hello there'),
    billed,
  },
  {
    ...completion,
    title: 'native',
    channel: native,
    upstreamReplies: [
      jsonReply({
        model,
        response: ' upon',
        done: true,
        done_reason: 'length',
        prompt_eval_count: 2,
        eval_count: 1,
      }),
    ],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/generate');
      expect(request?.json).toEqual({ model, prompt: 'Once', stream: false });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        object: 'text_completion',
        choices: [{ text: ' upon', finish_reason: 'length' }],
      }),
    billed: { prompt: 2, completion: 1 },
  },
  {
    ...completion,
    stream: true,
    title: 'native',
    channel: native,
    body: { ...completion.body, stream: true },
    upstreamReplies: [lines('stream-generate.ndjson')],
    expectRequests: ([request]) => expect(request?.path).toBe('/api/generate'),
    expectReply: ({ text }) => expect(text).toContain('Once '),
    billed: { prompt: 26, completion: 282 },
  },
  {
    ...completion,
    title: 'native: fill-in-the-middle uses the OpenAI-compatible endpoint',
    channel: native,
    body: { ...completion.body, suffix: 'The end' },
    upstreamReplies: [
      jsonReply({
        id: 'c',
        object: 'text_completion',
        choices: [{ index: 0, text: '...', finish_reason: 'stop' }],
      }),
    ],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/completions');
      expect(request?.json).toEqual({ model, prompt: 'Once', suffix: 'The end' });
    },
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    operation: 'embedding',
    model: 'all-minilm',
    path: '/v1/embeddings',
    body: { model: 'all-minilm', input: ['a', 'b'], dimensions: 2, truncate: true },
    upstreamReplies: [recordedReply('ollama', 'reply-embed.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/api/embed');
      expect(request?.json).toEqual({
        model: 'all-minilm',
        input: ['a', 'b'],
        dimensions: 2,
        truncate: true,
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        data: [
          { index: 0, embedding: [0.5, 0.25] },
          { index: 1, embedding: [1, 0] },
        ],
      }),
    billed: { prompt: 8, completion: 0 },
  },
  {
    ...streamed,
    title: 'native: an error instead of the stream',
    upstreamReplies: [lines('stream-error-first.ndjson')],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(502);
      expect(errorIn(reply).message).toContain('requires more system memory');
    },
  },
  {
    ...nativeChat,
    title: 'native: an error with status 200',
    upstreamReplies: [jsonReply({ error: 'something broke' })],
    expectRequests: expectOneRequest,
    expectReply: (reply) => expect(errorIn(reply).message).toContain('something broke'),
  },
  {
    ...chat,
    title: 'an unknown model',
    upstreamReplies: [recordedReply('ollama', 'failure-404.json', 404)],
    expectRequests: expectOneRequest,
    expectReply: (reply) => {
      expect(reply.status).toBe(404);
      expect(errorIn(reply).message).toContain('qwen9');
    },
  },
];
