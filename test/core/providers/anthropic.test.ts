// Covers src/core/providers/anthropic-messages.
import '../../support/usage-equality.ts';
import { describe, expect, it } from 'vitest';
import { ReplyFailure } from '../../../src/core/canonical/kit/failure.ts';
import { foreignSignature } from '../../../src/core/canonical/kit/foreign-signature.ts';
import type { BodyFields } from '../../../src/core/canonical/pass-through.ts';
import type { Call } from '../../../src/core/canonical/provider.ts';
import type { JsonObject, JsonValue } from '../../../src/core/kernel/json.ts';
import { anthropic } from '../../../src/core/providers/anthropic/index.ts';
import { claudeGeneration } from '../../../src/core/providers/anthropic/model-rules.ts';
import { anthropicMessages } from '../../../src/core/relay/formats/anthropic-messages/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall, vendorOptions } from '../../contract/providers/support/call.ts';
import {
  collect,
  decodeChunks,
  fixtureBytes,
  fixtureJson,
} from '../../contract/providers/support/decode.ts';

const chat = anthropic.operations.chat;
if (chat === undefined) throw new Error('Anthropic chats');

function fieldsOf(body: JsonObject): BodyFields {
  return {
    get: (name) => body[name],
    has: (name) => name in body,
    contains: (text) => JSON.stringify(body).includes(text),
  };
}

function forward(body: JsonObject, changes: Partial<Call> = {}) {
  return chat?.passThrough?.[0]?.target(
    fieldsOf(body),
    testCall({ model: String(body.model), clientPath: '/v1/messages?beta=true', ...changes }),
  );
}

const hello = [{ role: 'user', content: 'hi' }];

function encode(body: object, model = 'claude-sonnet-4-5'): Record<string, JsonValue> {
  const request = openAiChat.readRequest({ messages: hello, ...body, model } as JsonObject);
  return chat?.encode(request, testCall({ model })).body as Record<string, JsonValue>;
}

function stream(name: string, request?: Parameters<NonNullable<typeof chat>['encode']>[0]) {
  const decoder = chat?.createStreamDecoder?.(
    testCall({ model: 'claude-3-5-sonnet-20241022' }),
    request,
  );
  if (decoder === undefined) throw new Error('no decoder');
  return decodeChunks([fixtureBytes('anthropic', name)], 'sse', decoder);
}

describe('the generation in a name', () => {
  it.each([
    ['claude-3-haiku-20240307', 3],
    ['claude-3-5-sonnet-20241022', 3.5],
    ['claude-3-7-sonnet-20250219', 3.7],
    ['claude-sonnet-4-20250514', 4],
    ['claude-opus-4-1-20250805', 4.1],
    ['claude-haiku-4-5-20251001', 4.5],
    ['claude-opus-4-6', 4.6],
    ['claude-sonnet-4-5@20250929', 4.5],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 3.5],
    ['claude-sonnet-5', 5],
    ['claude-next', Number.POSITIVE_INFINITY],
  ])('%s is %d', (name, generation) => expect(claudeGeneration(name)).toBe(generation));
});

describe('forwarding to Anthropic', () => {
  it('changes nothing in a complete body and keeps version, betas and query', () => {
    const clientHeaders = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a, b' };
    const headers = { asked: { 'anthropic-beta': ['b', 'c'], 'x-extra': ['1'] } };
    const options = vendorOptions({ 'claude.model_headers_settings': headers });
    expect(
      forward(
        { model: 'asked', max_tokens: 5, stream: true },
        { model: 'claude-opus-4-6', clientHeaders, options },
      ),
    ).toEqual({
      url: 'https://upstream.test/v1/messages?beta=true',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'x-api-key': 'the-key',
        'anthropic-version': '2026-10-21',
        'anthropic-beta': 'a,b,c',
        'x-extra': '1',
      },
      edits: {},
      model: undefined,
    });
    expect(forward({ model: 'm', max_tokens: 1 })?.headers).toMatchObject({
      'anthropic-version': '2023-06-01',
    });
  });

  it('fills in the limit', () => {
    expect(forward({ model: 'claude-sonnet-4-5' })?.edits).toEqual({ max_tokens: 8192 });
    expect(forward({ model: 'claude-3-haiku-20240307' })?.edits).toEqual({ max_tokens: 4096 });
  });

  it('supports the suffix -thinking', () => {
    const target = forward({
      model: 'claude-3-7-sonnet-20250219-thinking',
      max_tokens: 1000,
      top_p: 0.5,
    });
    expect(target?.model).toBe('claude-3-7-sonnet-20250219');
    expect(target?.edits).toEqual({
      max_tokens: 1280,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      top_p: undefined,
      temperature: 1,
    });
    const whole = vendorOptions({ 'claude.thinking_adapter_budget_tokens_percentage': 1 });
    const forced = { type: 'tool', name: 'f', disable_parallel_tool_use: true };
    const all = forward(
      { model: 'claude-3-7-sonnet-20250219-thinking', max_tokens: 9000, tool_choice: forced },
      { options: whole },
    );
    expect(all?.edits).toMatchObject({
      thinking: { budget_tokens: 8999 },
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    });
    const own = forward({
      model: 'claude-3-7-sonnet-20250219-thinking',
      max_tokens: 9000,
      thinking: { type: 'disabled' },
    });
    expect([own?.model, own?.edits]).toEqual(['claude-3-7-sonnet-20250219', {}]);
    const options = vendorOptions({ 'claude.thinking_adapter_enabled': false });
    expect(forward({ model: 'claude-x-thinking', max_tokens: 1 }, { options })).toMatchObject({
      model: undefined,
      edits: {},
    });
  });

  it('supports effort suffixes', () => {
    const target = forward({
      model: 'claude-opus-4-6-high',
      max_tokens: 10,
      output_config: { format: { type: 'x' } },
    });
    expect(target?.model).toBe('claude-opus-4-6');
    expect(target?.edits).toEqual({
      thinking: { type: 'adaptive' },
      output_config: { format: { type: 'x' }, effort: 'high' },
      temperature: 1,
    });
    const older = forward({ model: 'claude-3-5-sonnet-high', max_tokens: 10 });
    expect([older?.model, older?.edits]).toEqual([undefined, {}]);
  });

  it('takes out sampling that thinking excludes', () => {
    const edits =
      forward({
        model: 'claude-opus-4-6-low',
        max_tokens: 10,
        temperature: 0.2,
        top_p: 0.9,
        top_k: 5,
      })?.edits ?? {};
    expect(Object.keys(edits)).toEqual(expect.arrayContaining(['temperature', 'top_p', 'top_k']));
    expect([edits['temperature'], edits['top_p'], edits['top_k']]).toEqual([
      1,
      undefined,
      undefined,
    ]);
  });

  it('removes thinking from other providers', () => {
    const foreign = { type: 'thinking', thinking: 't', signature: foreignSignature };
    const own = { type: 'thinking', thinking: 't', signature: 'real' };
    const messages = [
      { role: 'assistant', content: [foreign, own, { type: 'text', text: 'a' }] },
      ...hello,
    ];
    expect(forward({ model: 'm', max_tokens: 1, messages })?.edits).toEqual({
      messages: [{ role: 'assistant', content: [own, { type: 'text', text: 'a' }] }, ...hello],
    });
  });
});

describe('encoding for Anthropic', () => {
  it('orders turns, results and roles', () => {
    const call = (id: string, name: string) => ({
      id,
      type: 'function',
      function: { name, arguments: '{"a":1}' },
    });
    const body = encode({
      messages: [
        { role: 'system', content: 'S' },
        { role: 'assistant', content: 'Welcome' },
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'data:image/jpg;base64,QQ==' } }],
        },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
            { type: 'text', text: ' ' },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [call('a:1', 'f'), call('b', 'g')] },
        { role: 'tool', tool_call_id: 'a:1', content: 'one' },
        { role: 'user', content: 'and?' },
        { role: 'tool', tool_call_id: 'orphan', content: 'lost' },
        { role: 'developer', content: 'D' },
        { role: 'assistant', content: 'So ' },
      ],
    });
    expect(body.system).toEqual([
      { type: 'text', text: 'S' },
      { type: 'text', text: 'D' },
    ]);
    expect(body.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: '...' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Welcome' }] },
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'QQ==' } },
          { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a_1', name: 'f', input: { a: 1 } },
          { type: 'tool_use', id: 'b', name: 'g', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a_1', content: [{ type: 'text', text: 'one' }] },
          { type: 'tool_result', tool_use_id: 'b', content: [] },
          { type: 'text', text: 'and?' },
          { type: 'text', text: 'lost' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'So' }] },
    ]);
  });

  it('maps parameters and drops unsupported ones', () => {
    const body = encode({
      max_completion_tokens: 10,
      temperature: 1.7,
      top_p: 0.5,
      stop: ['a', ' '],
      user: 'u',
      seed: 1,
      n: 2,
      logprobs: true,
      frequency_penalty: 1,
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: {} } }],
      tool_choice: 'required',
      parallel_tool_calls: false,
    });
    expect(body).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 10,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      temperature: 1,
      stop_sequences: ['a'],
      metadata: { user_id: 'u' },
      tools: [{ name: 'f', description: 'd', input_schema: { type: 'object', properties: {} } }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
  });

  it.each([
    [
      'claude-3-7-sonnet-20250219',
      'high',
      { thinking: { type: 'enabled', budget_tokens: 4096 }, max_tokens: 8192 },
    ],
    ['claude-3-7-sonnet-20250219', 'none', { thinking: { type: 'disabled' } }],
    ['claude-3-5-sonnet-20241022', 'high', { thinking: undefined, output_config: undefined }],
    [
      'claude-opus-4-6',
      'minimal',
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
    ],
    [
      'claude-opus-4-6',
      'xhigh',
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    ],
    ['claude-opus-5', 'max', { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }],
  ])('%s thinks with effort %s', (model, reasoning_effort, expected) => {
    const body = encode({ reasoning_effort, temperature: 0.5, top_k: 3, tools: [], model }, model);
    expect({
      thinking: body.thinking,
      output_config: body.output_config,
      max_tokens: body.max_tokens,
    }).toMatchObject(expected);
    const type = (body.thinking as JsonObject | undefined)?.type;
    if (type === 'enabled' || type === 'adaptive')
      expect([body.temperature, body.top_k]).toEqual([undefined, undefined]);
  });

  it('raises the limit above the budget and offers a forced call only', () => {
    const body = encode(
      {
        max_tokens: 500,
        reasoning_effort: 'low',
        tool_choice: { type: 'function', function: { name: 'f' } },
        tools: [{ type: 'function', function: { name: 'f' } }],
      },
      'claude-sonnet-4-20250514',
    );
    expect(body).toMatchObject({
      max_tokens: 1780,
      thinking: { type: 'enabled', budget_tokens: 1280 },
      tool_choice: { type: 'auto' },
    });
  });

  it('does not think where the signatures of a calling turn are lost', () => {
    const messages = [
      ...hello,
      {
        role: 'assistant',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'r' },
    ];
    expect(
      encode({ messages, reasoning_effort: 'high' }, 'claude-sonnet-4-5').thinking,
    ).toBeUndefined();
    expect(encode({ messages, reasoning_effort: 'high' }, 'claude-opus-4-6').thinking).toEqual({
      type: 'adaptive',
    });
  });

  it('writes schemas for new models and a tool for old ones', () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 1 } },
      required: ['n'],
    };
    const response_format = { type: 'json_schema', json_schema: { name: 'r', schema } };
    const clean = {
      type: 'object',
      properties: { n: { type: 'integer' } },
      required: ['n'],
      additionalProperties: false,
    };
    expect(encode({ response_format }).output_config).toEqual({
      format: { type: 'json_schema', schema: clean },
    });
    const old = encode({ response_format }, 'claude-3-5-sonnet-20241022');
    expect(old.tools).toEqual([
      { name: 'json', description: 'Gives the answer.', input_schema: schema },
    ]);
    expect(old.tool_choice).toEqual({ type: 'tool', name: 'json' });
  });

  it.each([
    ['auto', { type: 'any' }],
    ['none', { type: 'tool', name: 'json' }],
    [
      { type: 'function', function: { name: 'f' } },
      { type: 'tool', name: 'f' },
    ],
  ])(
    'lets old models call the caller’s tools before a reply by schema: %j',
    (tool_choice, expected) => {
      const response_format = {
        type: 'json_schema',
        json_schema: { name: 'r', schema: { type: 'object' } },
      };
      const body = {
        response_format,
        tool_choice,
        tools: [{ type: 'function', function: { name: 'f' } }],
      };
      expect(encode(body, 'claude-3-5-sonnet-20241022').tool_choice).toEqual(expected);
    },
  );

  it('keeps signed thinking, in its order', () => {
    const content = [
      { type: 'thinking', thinking: 't', signature: 's' },
      { type: 'redacted_thinking', data: 'r' },
      { type: 'tool_use', id: 'a', name: 'f', input: {} },
    ];
    const body = {
      model: 'm',
      messages: [...hello, { role: 'assistant', content }, { role: 'user', content: 'x' }],
    };
    const written = chat.encode(
      anthropicMessages.readRequest(body as unknown as JsonObject),
      testCall(),
    ).body as {
      messages: JsonObject[];
    };
    expect(written.messages[1]?.content).toEqual(content);
  });

  it('refuses what cannot be done', () => {
    const refused = expect.objectContaining({ code: 'unsupported_feature' });
    const saying = (part: object) => ({ messages: [{ role: 'user', content: [part] }] });
    expect(() =>
      encode(saying({ type: 'input_audio', input_audio: { data: 'x', format: 'wav' } })),
    ).toThrow(refused);
    const zip = {
      type: 'file',
      file: { filename: 'a.zip', file_data: 'data:application/zip;base64,QQ==' },
    };
    expect(() => encode(saying(zip))).toThrow(refused);
  });

  it('writes files as the document or image they are', () => {
    const file = (file_data: string) => ({ type: 'file', file: { filename: 'a', file_data } });
    const content = [
      file('data:application/pdf;base64,JVBERi0='),
      file('data:text/plain;base64,aGk='),
      file('data:image/png;base64,QQ=='),
    ];
    const body = encode({ messages: [{ role: 'user', content }] }) as unknown as {
      messages: { content: JsonObject[] }[];
    };
    expect(body.messages[0]?.content).toEqual([
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
        title: 'a',
      },
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'hi' },
        title: 'a',
      },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QQ==' } },
    ]);
  });

  it('keeps the search tool of a caller who wrote it, and writes one for others', () => {
    const own = {
      type: 'web_search_20250305',
      name: 'web_search',
      max_uses: 2,
      allowed_domains: ['a.test'],
    };
    const request = anthropicMessages.readRequest({ model: 'm', messages: hello, tools: [own] });
    expect((chat.encode(request, testCall()).body as JsonObject).tools).toEqual([own]);
    const user_location = { type: 'approximate', approximate: { city: 'Oslo' } };
    expect(
      encode({ web_search_options: { search_context_size: 'low', user_location } }).tools,
    ).toEqual([
      {
        type: 'web_search_20250305',
        name: 'web_search',
        max_uses: 1,
        user_location: { type: 'approximate', city: 'Oslo' },
      },
    ]);
  });
});

describe('the text completion API of old models', () => {
  const call = testCall({ model: 'claude-2.1' });
  const request = (body: object) =>
    openAiChat.readRequest({ messages: hello, ...body, model: 'claude-2.1' } as JsonObject);
  const legacyStream = (text: string) => {
    const decoder = chat.createStreamDecoder?.(call);
    if (decoder === undefined) throw new Error('no decoder');
    return collect(decodeChunks([Buffer.from(text)], 'sse', decoder));
  };
  const event = (data: object) => `event: completion\r\ndata: ${JSON.stringify(data)}\r\n\r\n`;

  it('is taken by its names alone, also from native callers', () => {
    expect(chat.encode(request({}), call).url).toBe('https://upstream.test/v1/complete');
    expect(
      forward({ model: 'claude-instant-1.2' }, { model: 'claude-instant-1.2' }),
    ).toBeUndefined();
    expect(forward({ model: 'claude-sonnet-4-20250514', max_tokens: 1 })?.url).toContain(
      '/v1/messages',
    );
  });

  it('gets one prompt', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'Two' },
      { role: 'user', content: 'Three' },
    ];
    expect(
      chat.encode(
        request({ messages, max_tokens: 5, stop: ['x'], temperature: 2, user: 'u', stream: true }),
        call,
      ).body,
    ).toEqual({
      model: 'claude-2.1',
      prompt: 'Be brief.\n\nHuman: One\n\nAssistant: Two\n\nHuman: Three\n\nAssistant:',
      max_tokens_to_sample: 5,
      temperature: 1,
      stop_sequences: ['x'],
      metadata: { user_id: 'u' },
      stream: true,
    });
    const begun = [{ role: 'assistant', content: 'So ' }];
    expect(chat.encode(request({ messages: begun }), call).body).toEqual({
      model: 'claude-2.1',
      prompt: '\n\nHuman: ...\n\nAssistant: So',
      max_tokens_to_sample: 4096,
    });
    const tools = [{ type: 'function', function: { name: 'f' } }];
    expect(() => chat.encode(request({ tools }), call)).toThrow(
      expect.objectContaining({ code: 'unsupported_feature' }),
    );
  });

  it('sends a plain reply', () => {
    const reply = chat.decode(
      { id: 'compl_1', type: 'completion', completion: ' Hi', stop_reason: 'max_tokens' },
      call,
    );
    expect(reply).toMatchObject({
      id: 'compl_1',
      choices: [{ content: [{ type: 'text', text: 'Hi' }], finish: 'length' }],
    });
    expect(() => chat.decode({ error: { type: 'overloaded_error', message: 'm' } }, call)).toThrow(
      ReplyFailure,
    );
  });

  it('streams', () => {
    const head = { type: 'completion', id: 'compl_1', model: 'claude-2.1', stop_reason: null };
    const pieces = [
      event({ ...head, completion: ' Hel' }),
      'event: ping\ndata: {"type":"ping"}\n\n',
      event({ ...head, completion: 'lo' }),
    ];
    const end = event({ ...head, completion: '', stop_reason: 'stop_sequence' });
    expect(legacyStream([...pieces, end].join(''))).toMatchObject({
      id: 'compl_1',
      text: 'Hello',
      finishes: ['stop'],
      errors: [],
    });
    const error =
      'event: error\ndata: {"error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    expect(legacyStream(error)).toMatchObject({ finishes: [], errors: [{ status: 529 }] });
    expect(legacyStream('')).toMatchObject({ errors: [{ status: 502, code: 'empty_response' }] });
  });
});

describe('streams of Anthropic', () => {
  it('text, cache and stop sequence', () => {
    const parts = stream('stream-text.sse');
    expect(collect(parts)).toMatchObject({
      id: 'msg_014p7gG3wDgGV9EUtLvnow3U',
      text: 'Hello 世界!',
      usage: {
        promptTokens: 622,
        completionTokens: 15,
        cachedTokens: 100,
        cacheWriteTokens: 50,
        cacheWrite1hTokens: 30,
      },
      finishes: ['stop'],
    });
    expect(parts.at(-1)).toMatchObject({
      type: 'finish',
      raw: 'stop_sequence',
      stopSequence: 'END',
    });
  });

  it('calls, with and without arguments', () => {
    expect(collect(stream('stream-tools.sse'))).toMatchObject({
      text: 'Okay, ',
      calls: [
        {
          id: 'toolu_01T1x1fJ34qAmk2tNTrN7Up6',
          name: 'get_weather',
          arguments: '{"location": "Paris"}',
        },
        { id: 'toolu_02', name: 'get_time', arguments: '{}' },
        { id: 'toolu_03', name: 'ready', arguments: '{"a":1}' },
      ],
      finishes: ['tool-calls'],
    });
  });

  it('thinking with signature, redacted thinking, citations, tools of the server', () => {
    const parts = stream('stream-thinking.sse');
    expect(collect(parts)).toMatchObject({
      reasoning: 'Let me solve this',
      text: '27 * 453 = 12,231',
      calls: [],
      usage: {
        promptTokens: 500,
        completionTokens: 30,
        reasoningTokens: 12,
        toolCalls: { web_search: 1 },
      },
    });
    expect(parts).toContainEqual({
      type: 'reasoning-signature',
      signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h',
      origin: 'anthropic-messages',
    });
    expect(parts).toContainEqual({
      type: 'reasoning-redacted',
      data: 'EmwKAhgBEgy3va3p',
      origin: 'anthropic-messages',
    });
    const place = { startIndex: 0, endIndex: 17 };
    expect(parts).toContainEqual({
      type: 'annotation',
      annotation: { url: 'https://example.com/a', title: 'A', citedText: '…', ...place },
    });
  });

  it('that begin twice, that come whole, that break off', () => {
    const restarted = stream('stream-restarted.sse');
    expect(restarted.filter(({ type }) => type === 'start')).toHaveLength(1);
    expect(collect(restarted)).toMatchObject({
      text: 'prefilled',
      usage: { promptTokens: 479, completionTokens: 4 },
    });
    expect(collect(stream('stream-whole.sse'))).toMatchObject({
      text: 'All at once',
      usage: { promptTokens: 3 },
      finishes: ['stop'],
    });
    expect(collect(stream('stream-unterminated.sse'))).toMatchObject({ text: 'cut', finishes: [] });
    expect(collect(stream('stream-refusal.sse')).finishes).toEqual(['content-filter']);
  });

  it('that fail', () => {
    const error = { status: 529, code: undefined, message: 'Overloaded' };
    expect(collect(stream('stream-error.sse'))).toMatchObject({
      text: 'Hel',
      errors: [error],
      finishes: [],
    });
    expect(collect(stream('stream-error-first.sse'))).toMatchObject({ text: '', errors: [error] });
  });
});

describe('replies of Anthropic', () => {
  it('keep all blocks; iterations are summed', () => {
    const reply = chat.decode(fixtureJson('anthropic', 'reply-tools.json'), testCall());
    expect(reply.choices[0]).toEqual({
      index: 0,
      content: [
        { type: 'reasoning', text: 'First…', signature: 'Sig==', origin: 'anthropic-messages' },
        { type: 'reasoning', text: '', redacted: 'Red==', origin: 'anthropic-messages' },
        { type: 'text', text: 'I check.' },
        { type: 'tool-call', id: 'toolu_1', name: 'get_weather', arguments: '{"city":"Paris"}' },
        { type: 'tool-call', id: 'toolu_2', name: 'get_time', arguments: '{}' },
      ],
      finish: 'tool-calls',
      rawFinish: 'tool_use',
      stopSequence: null,
      annotations: undefined,
    });
    expect(reply.usage).toEqual({ promptTokens: 1010, longestPrompt: 1000, completionTokens: 70 });
  });

  it('with a reply taken from the input of the substitute tool', () => {
    const response_format = {
      type: 'json_schema',
      json_schema: { name: 'r', schema: { type: 'object' } },
    };
    const request = openAiChat.readRequest({ model: 'm', messages: hello, response_format });
    const body = {
      content: [{ type: 'tool_use', id: 't', name: 'json', input: { n: 1 } }],
      stop_reason: 'tool_use',
      usage: {},
    };
    const reply = chat.decode(body, testCall({ model: 'claude-3-5-sonnet-20241022' }), request);
    expect(reply.choices[0]).toMatchObject({
      content: [{ type: 'text', text: '{"n":1}' }],
      finish: 'stop',
    });
  });

  it('that are errors', () => {
    expect(() =>
      chat.decode({ type: 'error', error: { type: 'api_error', message: 'm' } }, testCall()),
    ).toThrow('m');
  });
});

describe('counting tokens', () => {
  it('sends the body without limit and stream', () => {
    const count = anthropic.operations.countTokens;
    const body = { model: 'asked', messages: hello, max_tokens: 1, stream: true, system: 's' };
    expect(
      count?.encode(
        body,
        testCall({
          model: 'claude-opus-4-5-thinking',
          clientPath: '/v1/messages/count_tokens?beta=true',
        }),
      ),
    ).toMatchObject({
      url: 'https://upstream.test/v1/messages/count_tokens?beta=true',
      body: { model: 'claude-opus-4-5', messages: hello, system: 's' },
    });
    expect(count?.decode({ input_tokens: 12 })).toBe(12);
    expect(() => count?.decode({})).toThrow(expect.objectContaining({ code: 'bad_response_body' }));
  });
});

it('a caller of the same format keeps fields of that format only, also when translated', () => {
  const body = { model: 'm', max_tokens: 1, messages: hello, context_management: { edits: [] } };
  expect(chat.encode(anthropicMessages.readRequest(body), testCall()).body).toMatchObject({
    context_management: { edits: [] },
  });
});
