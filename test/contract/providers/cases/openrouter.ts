import { expect } from 'vitest';
import { chatReply, messagesReply } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import { fixtureJson } from '../support/decode.ts';
import { expectAccountsFault, expectOk } from '../support/expectations.ts';
import { form, onePixel, openAiCases } from '../support/openai-cases.ts';
import {
  jsonReply,
  recordedReply,
  recordedStream,
  textReply,
} from '../support/upstream-replies.ts';

const claude = 'anthropic/claude-3.7-sonnet';
const messages = [{ role: 'user', content: 'Hello' }];
const plain = {
  operation: 'chat',
  model: claude,
  path: '/v1/chat/completions',
  body: { model: claude, messages },
} as const;
const ignore = () => undefined;

/** A chat with these fields, and the fields that reach OpenRouter. */
function chat(
  title: string,
  model: string,
  fields: object,
  sent: object,
  absent: readonly string[] = [],
): ProviderCase {
  return {
    ...plain,
    title,
    model,
    body: { model, messages, ...fields },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) => {
      expect(request?.json).toMatchObject(sent);
      for (const name of absent) expect(request?.json).not.toHaveProperty(name);
    },
    expectReply: expectOk,
  };
}

const marked = [
  {
    role: 'user',
    content: [{ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } }],
  },
];

const thought = [
  { type: 'thinking', thinking: 'Two cities.', signature: 'EuYB' },
  { type: 'redacted_thinking', data: 'EmwK' },
  { type: 'text', text: 'Oslo.' },
];
const details = [
  {
    type: 'reasoning.text',
    text: 'Two cities.',
    signature: 'EuYB',
    format: 'anthropic-claude-v1',
    index: 0,
  },
  { type: 'reasoning.encrypted', data: 'EmwK', format: 'anthropic-claude-v1', index: 1 },
];

export const cases: readonly ProviderCase[] = [
  ...openAiCases({
    paths: {
      chat: '/v1/chat/completions',
      completion: '/v1/completions',
      embedding: '/v1/embeddings',
      rerank: '/v1/rerank',
      responses: '/v1/responses',
    },
    headers: { authorization: 'Bearer upstream-key', 'x-title': 'New API' },
  }),

  chat('usage with its cost is requested', 'meta/llama-4', {}, { usage: { include: true } }, [
    'reasoning',
  ]),
  chat('effort', claude, { reasoning_effort: 'high' }, { reasoning: { effort: 'high' } }, [
    'reasoning_effort',
  ]),
  chat(
    'thinking by suffix',
    `${claude}-thinking`,
    {},
    { model: claude, reasoning: { enabled: true } },
  ),
  chat(
    'Anthropic’s budget',
    claude,
    { thinking: { type: 'enabled', budget_tokens: 2000 } },
    { reasoning: { max_tokens: 2000 } },
    ['thinking'],
  ),
  chat(
    'its own field goes first',
    claude,
    { reasoning: { max_tokens: 9 }, reasoning_effort: 'low' },
    { reasoning: { max_tokens: 9 } },
    ['reasoning_effort'],
  ),
  chat('cache marks for Claude', claude, { messages: marked }, { messages: marked }),
  chat(
    'no cache marks for others',
    'meta/llama-4',
    { messages: marked },
    { messages: [{ role: 'user', content: 'Hello' }] },
  ),
  chat(
    'developer is system for others than OpenAI',
    'meta/llama-4',
    { messages: [{ role: 'developer', content: 'Be brief.' }, ...messages] },
    { messages: [{ role: 'system', content: 'Be brief.' }, ...messages] },
  ),
  chat(
    'developer for OpenAI',
    'openai/gpt-5-codex',
    { messages: [{ role: 'developer', content: 'Be brief.' }, ...messages] },
    { messages: [{ role: 'developer', content: 'Be brief.' }, ...messages] },
  ),

  {
    ...plain,
    title: 'thinking under both field names, comments skipped',
    stream: true,
    body: { ...plain.body, stream: true },
    upstreamReplies: [recordedStream('openrouter', 'stream-reasoning.sse')],
    expectRequests: ignore,
    expectReply: ({ events, text }) => {
      const deltas = events.map(
        (event) =>
          (event as { choices?: { delta?: Record<string, unknown> }[] }).choices?.[0]?.delta ?? {},
      );
      expect(deltas.map((delta) => delta.reasoning_content ?? '').join('')).toBe(
        'Two cities, one answer.',
      );
      expect(deltas[0]).toMatchObject({
        reasoning: 'Two cities, ',
        reasoning_details: [{ type: 'reasoning.text' }],
      });
      expect(text).toContain('"signature":"EuYBCkQ"');
      expect(text).not.toContain('PROCESSING');
      expect(events.at(-1)).toBe('[DONE]');
    },
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...plain,
    title: 'blank lines before a reply with thinking',
    upstreamReplies: [
      textReply(
        `\n\n   \n${JSON.stringify({
          id: 'gen-1',
          choices: [
            {
              index: 0,
              finish_reason: 'stop',
              message: { role: 'assistant', content: 'Oslo.', reasoning: 'Two cities.' },
            },
          ],
          usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
        })}`,
      ),
    ],
    expectRequests: ignore,
    expectReply: ({ json }) => {
      const message = {
        content: 'Oslo.',
        reasoning: 'Two cities.',
        reasoning_content: 'Two cities.',
      };
      expect(json).toMatchObject({ choices: [{ message }] });
    },
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...plain,
    title: 'a wrapped reply',
    upstreamReplies: [
      jsonReply({
        success: true,
        data: {
          id: 'gen-1',
          choices: [
            { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Oslo.' } },
          ],
          usage: { prompt_tokens: 20, completion_tokens: 10 },
        },
      }),
    ],
    expectRequests: ignore,
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ id: 'gen-1', choices: [{ message: { content: 'Oslo.' } }] }),
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...plain,
    title: 'the error message of the provider behind OpenRouter',
    upstreamReplies: [recordedReply('openrouter', 'failure-429.json', 429)],
    expectRequests: ignore,
    expectReply: ({ status }) => expect(status).toBe(429),
  },
  {
    ...plain,
    title: 'an error with status 200',
    upstreamReplies: [recordedReply('openrouter', 'failure-402.json')],
    expectRequests: ignore,
    expectReply: expectAccountsFault,
    reported: {
      status: 402,
      failure: expect.stringContaining('This request requires more credits'),
    },
  },
  {
    ...plain,
    title: 'an error as first event',
    stream: true,
    body: { ...plain.body, stream: true },
    upstreamReplies: [recordedStream('openrouter', 'stream-error-first.sse')],
    expectRequests: ignore,
    expectReply: ({ status }) => expect(status).toBe(429),
  },
  {
    ...plain,
    title: 'an error in a chunk, with the provider’s message',
    stream: true,
    path: '/v1/messages',
    model: 'meta/llama-4',
    body: { model: 'meta/llama-4', messages, max_tokens: 50, stream: true },
    upstreamReplies: [recordedStream('openrouter', 'stream-error.sse')],
    expectRequests: ignore,
    expectReply: ({ status, json }) => {
      expect(status).toBe(502);
      expect(json).toMatchObject({
        type: 'error',
        error: { message: expect.stringContaining('Provider returned error: Overloaded') },
      });
    },
  },

  {
    ...plain,
    title: 'Claude Code reaches Claude through the messages endpoint',
    path: '/v1/messages?beta=true',
    body: { model: claude, max_tokens: 50, messages: marked, thinking: { type: 'adaptive' } },
    headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'context-1m-2025-08-07' },
    upstreamReplies: [messagesReply()],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/messages?beta=true');
      expect(request?.headers).toMatchObject({
        authorization: 'Bearer upstream-key',
        'anthropic-beta': 'context-1m-2025-08-07',
      });
      expect(request?.json).toMatchObject({ messages: marked, thinking: { type: 'adaptive' } });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ content: [{ text: 'Hello from Claude' }] }),
  },
  {
    ...plain,
    title: 'the messages stream ends without OpenRouter’s [DONE]',
    stream: true,
    path: '/v1/messages',
    body: { model: claude, max_tokens: 50, messages, stream: true },
    upstreamReplies: [
      async (response, request) => {
        const end = response.end.bind(response);
        response.end = (() => end('event: data\ndata: [DONE]\n\n')) as typeof response.end;
        await messagesReply()(response, request);
      },
    ],
    expectRequests: ([request]) => expect(request?.path).toBe('/v1/messages'),
    expectReply: ({ events, text }) => {
      expect(events.at(-1)).toMatchObject({ type: 'message_stop' });
      expect(text).not.toContain('[DONE]');
    },
  },
  {
    ...plain,
    title: 'Claude Code on another model',
    model: 'meta/llama-4',
    path: '/v1/messages',
    body: {
      model: 'meta/llama-4',
      max_tokens: 50,
      messages,
      thinking: { type: 'enabled', budget_tokens: 2000 },
    },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/chat/completions');
      expect(request?.json).toMatchObject({
        reasoning: { max_tokens: 2000 },
        usage: { include: true },
      });
      expect(request?.json).not.toHaveProperty('reasoning_effort');
    },
    expectReply: ({ json }) => expect(json).toMatchObject({ type: 'message' }),
  },

  {
    ...plain,
    title: 'Claude’s thinking signatures are returned to Claude callers and sent back',
    model: `${claude}-thinking`,
    path: '/v1/messages',
    body: {
      model: `${claude}-thinking`,
      max_tokens: 5000,
      messages: [...messages, { role: 'assistant', content: thought }, ...messages],
    },
    upstreamReplies: [
      jsonReply({
        choices: [
          {
            index: 0,
            finish_reason: 'stop',
            message: {
              role: 'assistant',
              content: 'Oslo.',
              reasoning: 'Two cities.',
              reasoning_details: details,
            },
          },
        ],
      }),
    ],
    expectRequests: ([request]) => {
      const answer = { role: 'assistant', content: 'Oslo.', reasoning_details: details };
      expect(request?.json).toHaveProperty(['messages', 1], answer);
    },
    expectReply: ({ json }) => expect(json).toMatchObject({ content: thought }),
  },
  {
    ...plain,
    title: 'Claude’s thinking signatures in a stream',
    stream: true,
    model: `${claude}-thinking`,
    path: '/v1/messages',
    body: { model: `${claude}-thinking`, max_tokens: 5000, messages, stream: true },
    upstreamReplies: [recordedStream('openrouter', 'stream-reasoning.sse')],
    expectRequests: ignore,
    expectReply: ({ text }) => {
      expect(text).toContain('"signature_delta","signature":"EuYBCkQ"');
      expect(text).not.toContain('turnpike-no-signature');
    },
  },
  {
    ...plain,
    title: 'tool calls of Gemini 3 carry a thinking signature',
    model: 'google/gemini-3-pro-preview',
    path: '/v1/messages',
    body: {
      model: 'google/gemini-3-pro-preview',
      max_tokens: 50,
      messages: [
        ...messages,
        {
          role: 'assistant',
          content: ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })),
        },
        {
          role: 'user',
          content: ['a', 'b'].map((id) => ({
            type: 'tool_result',
            tool_use_id: id,
            content: 'done',
          })),
        },
      ],
    },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) => {
      const proof = {
        type: 'reasoning.encrypted',
        id: 'a',
        data: 'skip_thought_signature_validator',
      };
      const details = [{ ...proof, format: 'google-gemini-v1', index: 0 }];
      expect(request?.json).toHaveProperty(['messages', 1, 'reasoning_details'], details);
    },
    expectReply: expectOk,
  },

  {
    operation: 'image',
    model: 'google/gemini-2.5-flash-image',
    path: '/v1/images/generations',
    body: { model: 'google/gemini-2.5-flash-image', prompt: 'a cat', size: '1792x1024' },
    upstreamReplies: [recordedReply('openrouter', 'reply-images.json')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/chat/completions');
      expect(request?.json).toMatchObject({
        messages: [{ role: 'user', content: 'a cat' }],
        modalities: ['image', 'text'],
        image_config: { aspect_ratio: '16:9' },
      });
    },
    expectReply: ({ json }) => expect(json).toMatchObject({ data: [{ b64_json: 'iVBORw0KGgo=' }] }),
  },
  {
    operation: 'image',
    title: 'several images are rejected without a request',
    model: 'google/gemini-2.5-flash-image',
    path: '/v1/images/generations',
    body: { model: 'google/gemini-2.5-flash-image', prompt: 'a cat', n: 2 },
    upstreamReplies: [jsonReply(fixtureJson('openrouter', 'reply-images.json'))],
    expectRequests: (requests) => expect(requests).toEqual([]),
    expectReply: ({ status }) => expect(status).toBe(400),
  },
  {
    operation: 'image',
    title: 'a model that does not generate images',
    model: 'google/gemini-2.5-flash-image',
    path: '/v1/images/generations',
    body: { model: 'google/gemini-2.5-flash-image', prompt: 'a cat' },
    upstreamReplies: [chatReply('I cannot draw that.')],
    expectRequests: ignore,
    expectReply: ({ status }) => expect(status).toBe(502),
  },
  {
    operation: 'image-edit',
    model: 'google/gemini-2.5-flash-image',
    path: '/v1/images/edits',
    body: form({ model: 'google/gemini-2.5-flash-image', prompt: 'a hat' }, [
      'image',
      new Blob([onePixel], { type: 'image/png' }),
      'a.png',
    ]),
    upstreamReplies: [recordedReply('openrouter', 'reply-images.json')],
    expectRequests: ([request]) => {
      const url = `data:image/png;base64,${onePixel.toString('base64')}`;
      const content = [
        { type: 'text', text: 'a hat' },
        { type: 'image_url', image_url: { url } },
      ];
      expect(request?.json).toMatchObject({ messages: [{ role: 'user', content }] });
    },
    expectReply: ({ json }) => expect(json).toMatchObject({ data: [{ b64_json: 'iVBORw0KGgo=' }] }),
  },
];
