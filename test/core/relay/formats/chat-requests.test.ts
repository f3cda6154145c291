// Covers src/core/relay/formats/openai-chat.
/** Chat requests with more than plain text, and replies to callers of the older `functions`. */
import { describe, expect, it } from 'vitest';
import type { ChatReply, StreamPart } from '../../../../src/core/canonical/chat-reply.ts';
import type { JsonObject } from '../../../../src/core/kernel/json.ts';
import { openAiChat } from '../../../../src/core/relay/formats/openai-chat/index.ts';

const user = { role: 'user', content: 'hi' };
const read = (body: object) =>
  openAiChat.readRequest({ model: 'm', messages: [user], ...body } as JsonObject);
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
const pixel = 'data:image/png;base64,QQ==';

describe('results', () => {
  const result = (content: unknown) =>
    read({
      messages: [
        user,
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content },
      ],
    }).messages[2];

  it('keep their images and files', () => {
    const content = [
      { type: 'text', text: 'seen', cache_control: { type: 'ephemeral' } },
      { type: 'image_url', image_url: { url: pixel } },
      {
        type: 'file',
        file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
      },
    ];
    expect(result(content)).toMatchObject({
      role: 'tool',
      callId: 'c',
      content: [
        { type: 'text', text: 'seen', cacheControl: { type: 'ephemeral' } },
        { type: 'image', data: 'QQ==', mediaType: 'image/png' },
        { type: 'file', filename: 'a.pdf', mediaType: 'application/pdf' },
      ],
    });
  });

  it('are text under any name, and may be empty', () => {
    expect(result([{ text: 'a' }, { type: 'output_text', text: 'b' }])?.content).toMatchObject([
      { text: 'a' },
      { text: 'b' },
    ]);
    for (const nothing of ['', null, []]) expect(result(nothing)?.content).toEqual([]);
  });
});

it('a film is a file of its type, by address or as data', () => {
  const film = (video_url: unknown) =>
    read({ messages: [{ role: 'user', content: [{ type: 'video_url', video_url }] }] }).messages[0]
      ?.content[0];
  expect(film({ url: 'https://x.test/a' })).toMatchObject({
    type: 'file',
    url: 'https://x.test/a',
    mediaType: 'video/mp4',
  });
  expect(film('data:video/webm;base64,QQ==')).toMatchObject({
    type: 'file',
    data: 'QQ==',
    mediaType: 'video/webm',
  });
  expect(() => film(undefined)).toThrow(expect.objectContaining({ code: 'invalid_text_request' }));
});

it('a file is data, bare base64 or an address', () => {
  const file = (file_data: string) =>
    read({ messages: [{ role: 'user', content: [{ type: 'file', file: { file_data } }] }] })
      .messages[0]?.content[0];
  expect(file('data:text/csv;base64,QQ==')).toMatchObject({
    type: 'file',
    data: 'QQ==',
    mediaType: 'text/csv',
  });
  expect(file('JVBERi0=')).toMatchObject({ data: 'JVBERi0=', mediaType: 'application/pdf' });
  expect(file('https://x.test/a.pdf')).toEqual({ type: 'file', url: 'https://x.test/a.pdf' });
});

it('a cache mark on a tool keeps its lifetime: a longer one may not follow a shorter one', () => {
  const tool = { type: 'function', function: { name: 'f' } };
  const marked = (cache_control: unknown) =>
    read({ tools: [{ ...tool, cache_control }] }).tools?.[0];
  expect(marked({ type: 'ephemeral', ttl: '1h' })).toMatchObject({
    cacheControl: { type: 'ephemeral', ttl: '1h' },
  });
  expect(marked({ type: 'ephemeral' })).toMatchObject({ cacheControl: { type: 'ephemeral' } });
  expect(marked({ type: 'other' })).toMatchObject({ cacheControl: undefined });
});

describe('the older functions', () => {
  const functions = [{ name: 'f', parameters: { type: 'object' } }, { name: 'g' }];
  const request = read({ functions });
  const context = { id: 'x', model: 'm', created: 1, request };
  const calls: ChatReply = {
    choices: [
      {
        index: 0,
        content: [
          { type: 'tool-call', id: 'a', name: 'f', arguments: '{"x":1}' },
          { type: 'tool-call', id: 'b', name: 'g', arguments: '{}' },
        ],
        finish: 'tool-calls',
        rawFinish: 'tool_use',
      },
    ],
  };

  it('are called one at a time', () => {
    expect(request).toMatchObject({
      parallelToolCalls: false,
      tools: [{ name: 'f' }, { name: 'g' }],
    });
    expect(read({}).parallelToolCalls).toBeUndefined();
  });

  it('have calls of their own, however often they are called', () => {
    const asked = {
      role: 'assistant',
      content: null,
      function_call: { name: 'f', arguments: '{}' },
    };
    const answered = { role: 'function', name: 'f', content: 'r' };
    const { messages } = read({ functions, messages: [user, asked, answered, asked, answered] });
    expect(messages.slice(1)).toMatchObject([
      { content: [{ id: 'call_f' }] },
      { callId: 'call_f' },
      { content: [{ id: 'call_f_2' }] },
      { callId: 'call_f_2' },
    ]);
  });

  it('get function_call in replies', () => {
    expect(openAiChat.writeReply(calls, context)).toMatchObject({
      choices: [
        {
          message: { content: null, function_call: { name: 'f', arguments: '{"x":1}' } },
          finish_reason: 'function_call',
        },
      ],
    });
    expect(JSON.stringify(openAiChat.writeReply(calls, context))).not.toContain('tool_calls');
    const asTools = {
      ...context,
      request: read({ tools: [{ type: 'function', function: { name: 'f' } }] }),
    };
    expect(JSON.stringify(openAiChat.writeReply(calls, asTools))).not.toContain('function_call');
  });

  it('get function_call in streams', () => {
    const encoder = openAiChat.createStreamEncoder(context);
    const parts: StreamPart[] = [
      { type: 'tool-call-delta', index: 0, id: 'a', name: 'f', arguments: '' },
      { type: 'tool-call-delta', index: 0, arguments: '{"x":1}' },
      { type: 'tool-call-delta', index: 1, id: 'b', name: 'g', arguments: '{}' },
      { type: 'finish', reason: 'tool-calls', raw: 'tool_use' },
    ];
    const text = parts.map((part) => encoder.push(part)).join('') + encoder.end();
    const chunks = [...text.matchAll(/^data: (\{.*)$/gm)].map(
      ([, json]) => JSON.parse(json ?? '').choices[0],
    );
    expect(chunks.map(({ delta }) => delta.function_call).filter(Boolean)).toEqual([
      { name: 'f', arguments: '' },
      { arguments: '{"x":1}' },
    ]);
    expect(chunks.at(-1)).toMatchObject({ finish_reason: 'function_call' });
    expect(text).not.toContain('tool_calls');
  });
});
