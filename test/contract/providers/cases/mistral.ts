import { expect } from 'vitest';
import { mistralCallId } from '../../../../src/core/providers/mistral/messages.ts';
import { chatReply } from '../../../support/upstream.ts';
import type { ProviderCase } from '../support/case.ts';
import { form, openAiCases, silentWav } from '../support/openai-cases.ts';
import { jsonReply, recordedReply, recordedStream } from '../support/upstream-replies.ts';

const model = 'magistral-medium-latest';
const messages = [{ role: 'user', content: 'Hello' }];
const chat = {
  operation: 'chat',
  model,
  path: '/v1/chat/completions',
  body: { model, messages },
} as const;
const ignore = () => undefined;
const billed = { prompt: 20, completion: 10 };
const tool = (name: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
});
const code = 'codestral-latest';
const fill = {
  operation: 'completion',
  model: code,
  path: '/v1/completions',
  body: {
    model: code,
    prompt: ['Hello'],
    suffix: '!',
    max_tokens: 9,
    seed: 3,
    user: 'u',
    echo: false,
  },
  expectRequests: ([request]) => expect(request?.path).toBe('/v1/fim/completions'),
} satisfies Partial<ProviderCase>;
const speech = 'voxtral-mini-latest';

export const cases: readonly ProviderCase[] = [
  ...openAiCases({
    paths: {
      chat: '/v1/chat/completions',
      embedding: '/v1/embeddings',
      transcription: '/v1/audio/transcriptions',
    },
    streamOptions: false,
  }),
  {
    ...chat,
    title: 'only fields that Mistral supports are sent',
    body: {
      ...chat.body,
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', name: 'Ann', content: 'Hello' },
      ],
      max_completion_tokens: 9,
      seed: 3,
      user: 'u',
      logprobs: true,
      top_logprobs: 2,
      logit_bias: {},
      metadata: {},
      store: true,
      safe_prompt: true,
    },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({
        model,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hello' },
        ],
        max_tokens: 9,
        random_seed: 3,
        metadata: {},
        safe_prompt: true,
      }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'ids of tool calls, results, images and files',
    body: {
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'image_url', image_url: { url: 'https://example.org/a.png', detail: 'low' } },
            {
              type: 'file',
              file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
            },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_abcdefgh12345',
              type: 'function',
              function: { name: 'weather', arguments: '{}' },
            },
            { id: 'D681PevKs', type: 'function', function: { name: 'weather', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_abcdefgh12345', content: 'cold' },
        { role: 'tool', tool_call_id: 'D681PevKs', content: 'warm' },
        { role: 'user', content: 'So?' },
        { role: 'assistant', content: 'It is' },
      ],
      tools: [tool('weather'), tool('other')],
      tool_choice: { type: 'function', function: { name: 'weather' } },
    },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) => {
      const id = mistralCallId('call_abcdefgh12345');
      expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
      expect(request?.json).toMatchObject({
        tool_choice: { type: 'function', function: { name: 'weather' } },
        tools: [tool('weather'), tool('other')],
      });
      expect(request?.json.messages).toEqual([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'image_url', image_url: 'https://example.org/a.png' },
            { type: 'document_url', document_url: 'data:application/pdf;base64,JVBERi0=' },
          ],
        },
        {
          role: 'assistant',
          content: '',
          tool_calls: [id, 'D681PevKs'].map((one) => ({
            id: one,
            type: 'function',
            function: { name: 'weather', arguments: '{}' },
          })),
        },
        { role: 'tool', tool_call_id: id, content: 'cold' },
        { role: 'tool', tool_call_id: 'D681PevKs', content: 'warm' },
        { role: 'assistant', content: '...' },
        { role: 'user', content: 'So?' },
        { role: 'assistant', content: 'It is', prefix: true },
      ]);
    },
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'later system messages become user messages',
    body: {
      ...chat.body,
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Yes?' },
        { role: 'system', content: 'It is late.' },
      ],
    },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) =>
      expect(request?.json.messages).toEqual([
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: 'It is late.' },
      ]),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'a tool must be called',
    body: {
      ...chat.body,
      tools: [tool('weather')],
      tool_choice: 'required',
      parallel_tool_calls: false,
    },
    upstreamReplies: [chatReply()],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({ tool_choice: 'any', parallel_tool_calls: false }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    ...chat,
    title: 'thinking in parts of the content',
    upstreamReplies: [
      jsonReply({
        id: 'cmpl-1',
        choices: [
          {
            index: 0,
            finish_reason: 'model_length',
            message: {
              role: 'assistant',
              content: [
                { type: 'thinking', thinking: [{ type: 'text', text: 'Two cities.' }] },
                { type: 'text', text: 'Oslo' },
                { type: 'reference', reference_ids: [1] },
                { type: 'text', text: '.' },
              ],
            },
          },
        ],
        usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, num_cached_tokens: 4 },
      }),
    ],
    expectRequests: ignore,
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        choices: [
          {
            message: { content: 'Oslo.', reasoning_content: 'Two cities.' },
            finish_reason: 'length',
          },
        ],
        usage: { prompt_tokens_details: { cached_tokens: 4 } },
      }),
    billed,
  },
  {
    ...chat,
    title: 'thinking in parts of the content',
    stream: true,
    body: { ...chat.body, stream: true },
    upstreamReplies: [recordedStream('mistral', 'stream-thinking.sse')],
    expectRequests: ignore,
    expectReply: ({ events }) => {
      const deltas = events.map(
        (event) =>
          (event as { choices?: { delta?: Record<string, string> }[] }).choices?.[0]?.delta ?? {},
      );
      expect(deltas.map((delta) => delta.reasoning_content ?? '').join('')).toBe('Two cities.');
      expect(deltas.map((delta) => delta.content ?? '').join('')).toBe('Oslo.');
    },
    billed,
  },
  {
    ...chat,
    title: 'tool calls without index and type',
    stream: true,
    body: { ...chat.body, stream: true },
    upstreamReplies: [recordedStream('mistral', 'stream-tools.sse')],
    expectRequests: ignore,
    expectReply: ({ events }) => {
      const calls = events.flatMap(
        (event) =>
          (event as { choices?: { delta?: { tool_calls?: object[] } }[] }).choices?.[0]?.delta
            ?.tool_calls ?? [],
      );
      expect(calls).toMatchObject([
        {
          index: 0,
          id: 'D681PevKs',
          type: 'function',
          function: { name: 'weather', arguments: '{"city": "Oslo"}' },
        },
        {
          index: 1,
          id: 'xQ9zT0aBc',
          type: 'function',
          function: { name: 'weather', arguments: '{"city": "Rome"}' },
        },
      ]);
    },
    billed,
  },
  {
    ...chat,
    title: 'a rejected field',
    upstreamReplies: [recordedReply('mistral', 'failure-422.json', 422)],
    expectRequests: ignore,
    expectReply: ({ status, text }) => {
      expect(status).toBe(422);
      expect(text).toContain('Extra inputs are not permitted');
    },
  },
  {
    ...fill,
    upstreamReplies: [
      jsonReply({
        id: 'f1',
        object: 'chat.completion',
        model: code,
        choices: [
          { index: 0, message: { role: 'assistant', content: ' world' }, finish_reason: 'stop' },
        ],
        usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
      }),
    ],
    expectRequests: (requests) => {
      fill.expectRequests(requests);
      expect(requests[0]?.json).toEqual({
        model: code,
        prompt: 'Hello',
        suffix: '!',
        max_tokens: 9,
        random_seed: 3,
      });
    },
    expectReply: ({ json }) =>
      expect(json).toMatchObject({
        object: 'text_completion',
        choices: [{ text: ' world', finish_reason: 'stop' }],
      }),
    billed,
  },
  {
    ...fill,
    stream: true,
    body: { ...fill.body, stream: true },
    upstreamReplies: [recordedStream('mistral', 'fim.sse')],
    expectReply: ({ events }) => {
      const texts = events.map(
        (event) => (event as { choices?: { text?: string }[] }).choices?.[0]?.text ?? '',
      );
      expect(texts.join('')).toBe(' world');
      expect(events[0]).toMatchObject({ object: 'text_completion' });
      expect(events.at(-1)).toBe('[DONE]');
    },
    billed,
  },
  {
    ...fill,
    title: 'an unsupported request is rejected before it is sent',
    body: { model: code, prompt: 'a', echo: true },
    upstreamReplies: [jsonReply({})],
    expectRequests: (requests) => expect(requests).toEqual([]),
    expectReply: ({ status }) => expect(status).toBe(400),
  },
  {
    ...fill,
    title: 'a chat-only model',
    model,
    body: { model, prompt: 'Hello' },
    upstreamReplies: [chatReply(' world')],
    expectRequests: ([request]) => {
      expect(request?.path).toBe('/v1/chat/completions');
      expect(request?.json).toMatchObject({ messages });
    },
    expectReply: ({ json }) => expect(json).toMatchObject({ choices: [{ text: ' world' }] }),
  },
  {
    operation: 'embedding',
    title: 'fields under Mistral’s names',
    model: 'mistral-embed',
    path: '/v1/embeddings',
    body: { model: 'mistral-embed', input: 'a', dimensions: 8, user: 'u' },
    upstreamReplies: [
      jsonReply({
        data: [{ index: 0, embedding: [1] }],
        usage: { prompt_tokens: 3, total_tokens: 3 },
      }),
    ],
    expectRequests: ([request]) =>
      expect(request?.json).toEqual({ model: 'mistral-embed', input: 'a', output_dimension: 8 }),
    expectReply: ({ status }) => expect(status).toBe(200),
  },
  {
    operation: 'embedding',
    title: 'tokens are sent as texts',
    model: 'mistral-embed',
    path: '/v1/embeddings',
    body: { model: 'mistral-embed', input: [[15339, 1917]], encoding_format: 'base64' },
    upstreamReplies: [
      jsonReply({
        data: [{ index: 0, embedding: [1] }],
        usage: { prompt_tokens: 3, total_tokens: 3 },
      }),
    ],
    expectRequests: ([request]) =>
      expect(request?.json).toMatchObject({ model: 'mistral-embed', input: 'hello world' }),
    expectReply: ({ json }) => expect(json).toMatchObject({ data: [{ embedding: 'AACAPw==' }] }),
    billed: { prompt: 3, completion: 0 },
  },
  {
    operation: 'transcription',
    title: 'subtitles are written by the gateway',
    model: speech,
    path: '/v1/audio/transcriptions',
    body: form({ model: speech, response_format: 'srt', prompt: 'Oslo' }, [
      'file',
      silentWav(),
      'silence.wav',
    ]),
    upstreamReplies: [
      jsonReply({
        model: speech,
        text: 'Silence.',
        language: 'en',
        segments: [{ text: 'Silence.', start: 0, end: 1 }],
        usage: { prompt_tokens: 4, completion_tokens: 3, total_tokens: 7, prompt_audio_seconds: 1 },
      }),
    ],
    expectRequests: ([request]) => {
      expect(request?.text).toContain('name="timestamp_granularities"\r\n\r\nsegment');
      expect(request?.text).not.toContain('response_format');
      expect(request?.text).not.toContain('name="prompt"');
    },
    expectReply: ({ text }) => expect(text).toContain('00:00:00,000 --> 00:00:01,000\nSilence.'),
  },
];
