import { expect } from 'vitest';
import { chatReply } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import { expectAccountsFault } from '../support/expectations.ts';
import { openAiCases } from '../support/openai-cases.ts';
import { recordedReply, recordedStream, textReply } from '../support/upstream-replies.ts';

const model = 'sonar-pro';
const messages = [{ role: 'user', content: 'Hello' }];
const chat = {
  operation: 'chat',
  model,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const ignore = () => undefined;
const citation = (url: string, title: string) => ({
  type: 'url_citation',
  url_citation: { url, title },
});
const annotations = [
  citation('https://example.org/oslo', 'Oslo'),
  citation('https://example.org/weather', 'Weather'),
];

export const cases: readonly ProviderCase[] = [
  ...openAiCases({
    paths: { chat: '/chat/completions', responses: '/v1/responses' },
    streamOptions: false,
  }),
  {
    ...chat,
    title: 'only fields that Perplexity documents',
    body: {
      model,
      messages: [
        { role: 'user', content: 'One' },
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Two' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'Three' },
      ],
      top_p: 1,
      max_completion_tokens: 9,
      seed: 3,
      stop: ['x'],
      tools: [{ type: 'function', function: { name: 'f' } }],
      search_mode: 'academic',
      web_search_options: { search_context_size: 'low' },
    },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({
        model,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'One\n\nTwo\n\nThree' },
        ],
        top_p: 0.99,
        max_tokens: 9,
        search_mode: 'academic',
        web_search_options: { search_context_size: 'low' },
      }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'deep research stays a chat; thinking is output',
    model: 'sonar-deep-research',
    body: { model: 'sonar-deep-research', messages },
    upstreamReplies: [recordedReply('perplexity', 'reply-text.json')],
    expectRequests: ([request]) => expect(request?.path).toBe('/chat/completions'),
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        choices: [{ message: { content: 'Oslo is cold.[1]', annotations } }],
      }),
    // 400 of the prompt were read of its sources.
    billed: { prompt: 420, completion: 60 },
  },
  {
    ...chat,
    title: 'chunks carry only new text; sources appear once',
    stream: true,
    body: { ...chat.body, stream: true },
    upstreamReplies: [recordedStream('perplexity', 'stream-text.sse')],
    expectRequests: ignore,
    expectReply: ({ events }) => {
      const deltas = events.map(
        (event) =>
          (event as { choices?: { delta?: { content?: string; annotations?: object[] } }[] })
            .choices?.[0]?.delta ?? {},
      );
      expect(deltas.map((delta) => delta.content ?? '').join('')).toBe('Oslo is cold.[1]');
      expect(deltas.flatMap((delta) => delta.annotations ?? [])).toEqual(annotations);
    },
    billed: { prompt: 20, completion: 10 },
  },
  {
    ...chat,
    title: 'an HTML page instead of an error',
    upstreamReplies: [
      (response) => {
        response.writeHead(401, { 'content-type': 'text/html' });
        response.end('<html><body>401 Authorization Required</body></html>');
      },
    ],
    expectRequests: ignore,
    expectReply: expectAccountsFault,
    reported: { status: 401 },
  },
  {
    ...chat,
    title: 'an HTML page instead of a reply',
    upstreamReplies: [textReply('<html></html>', 'text/html')],
    expectRequests: ignore,
    expectReply: ({ status }) => expect(status).toBe(502),
  },
];
