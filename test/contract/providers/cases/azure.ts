import { expect } from 'vitest';
import { chatReply } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import { openAiCases } from '../support/openai-cases.ts';
import { recordedReply, recordedStream } from '../support/upstream-replies.ts';

const version = 'api-version=2025-04-01-preview';
const model = 'gpt-4.1';
const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
const chat = { operation: 'chat', model, path: '/v1/chat/completions', body } as const;

/** A chat that must be sent to this path. */
function at(title: string, address: string, changes: Partial<ProviderCase>): ProviderCase {
  return {
    ...chat,
    title,
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) => expect(request?.path).toBe(address),
    expectReply: ({ status }) => expect(status).toBe(200),
    ...changes,
  };
}

export const cases: readonly ProviderCase[] = [
  ...openAiCases({
    paths: {
      chat: `/openai/deployments/{model}/chat/completions?${version}`,
      completion: `/openai/deployments/{model}/completions?${version}`,
      embedding: `/openai/deployments/{model}/embeddings?${version}`,
      image: `/openai/deployments/{model}/images/generations?${version}`,
      'image-edit': `/openai/deployments/{model}/images/edits?${version}`,
      speech: `/openai/deployments/{model}/audio/speech?${version}`,
      transcription: `/openai/deployments/{model}/audio/transcriptions?${version}`,
      translation: `/openai/deployments/{model}/audio/translations?${version}`,
      responses: '/openai/v1/responses?api-version=preview',
    },
    headers: { 'api-key': 'upstream-key' },
  }),
  at(
    'the channel names the version',
    '/openai/deployments/gpt-4.1/chat/completions?api-version=2024-10-21',
    {
      channel: { other: '2024-10-21' },
    },
  ),
  at(
    'the caller’s version wins',
    '/openai/deployments/gpt-4.1/chat/completions?api-version=2024-06-01&a=1',
    {
      channel: { other: '2024-10-21' },
      path: '/v1/chat/completions?api-version=2024-06-01&a=1',
    },
  ),
  at('the surface without deployments', '/openai/v1/chat/completions?api-version=v1', {
    channel: { other: 'v1' },
  }),
  at('deployments without dots', `/openai/deployments/gpt-41/chat/completions?${version}`, {
    channel: { setting: '{"azure_strip_dots":true}' },
  }),
  at('a Claude caller', `/openai/deployments/gpt-4.1/chat/completions?${version}`, {
    path: '/v1/messages?beta=true',
    body: { ...body, max_tokens: 50 },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({ content: [{ type: 'text', text: 'Hello from upstream' }] }),
  }),
  at('a token of Entra ID', `/openai/deployments/gpt-4.1/chat/completions?${version}`, {
    channel: { key: 'eyJhbGciOi.eyJhdWQiOi.c2ln' },
    expectRequests: ([request]) => {
      expect(request?.headers.authorization).toBe('Bearer eyJhbGciOi.eyJhdWQiOi.c2ln');
      expect(request?.headers).not.toHaveProperty('api-key');
    },
  }),
  at('an old version takes old fields only', '', {
    channel: { other: '2024-02-01' },
    stream: true,
    body: {
      ...body,
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 7,
    },
    expectRequests: ([request]) => {
      expect(request?.json).toMatchObject({ max_tokens: 7, stream: true });
      expect(request?.json).not.toHaveProperty('stream_options');
      expect(request?.json).not.toHaveProperty('max_completion_tokens');
    },
  }),
  {
    ...chat,
    title: 'filter results first',
    stream: true,
    body: { ...body, stream: true },
    upstreamReplies: [recordedStream('azure', 'stream-text.sse')],
    expectRequests: ([request]) =>
      expect(request?.json.stream_options).toEqual({ include_usage: true }),
    expectReply: ({ events, text }) => {
      expect(text).toContain('Grüße aus ');
      expect(events[0]).toMatchObject({
        choices: [],
        prompt_filter_results: [{ prompt_index: 0 }],
      });
      expect(events.some((event) => (event as { usage?: unknown }).usage)).toBe(false);
      expect(events.at(-1)).toBe('[DONE]');
    },
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...chat,
    title: 'filter results first, translated',
    stream: true,
    path: '/v1/messages',
    body: { ...body, max_tokens: 50, stream: true },
    upstreamReplies: [recordedStream('azure', 'stream-tools.sse')],
    expectRequests: () => undefined,
    expectReply: ({ events }) => {
      expect(
        events.filter((event) => (event as { type: string }).type === 'content_block_start'),
      ).toMatchObject([
        { content_block: { type: 'tool_use', id: 'call_a1', name: 'weather' } },
        { content_block: { type: 'tool_use', id: 'call_a2', name: 'weather' } },
      ]);
    },
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...chat,
    title: 'a filtered prompt',
    upstreamReplies: [recordedReply('azure', 'failure-400.json', 400)],
    expectRequests: () => undefined,
    expectReply: ({ status, json }) => {
      expect(status).toBe(400);
      expect(json).toMatchObject({ error: { code: 'content_filter', param: 'prompt' } });
    },
  },
];
