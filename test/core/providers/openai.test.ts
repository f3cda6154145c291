// Covers src/core/providers/custom, src/core/providers/openai-compatible.
import '../../support/usage-equality.ts';
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../../src/core/canonical/chat.ts';
import { ReplyFailure } from '../../../src/core/canonical/kit/failure.ts';
import {
  thinkingIntoReply,
  thinkingIntoStream,
} from '../../../src/core/canonical/kit/thinking-to-content.ts';
import type { BodyFields } from '../../../src/core/canonical/pass-through.ts';
import type { JsonObject, JsonValue } from '../../../src/core/kernel/json.ts';
import { custom } from '../../../src/core/providers/custom/index.ts';
import { deepseek } from '../../../src/core/providers/deepseek/index.ts';
import { openai } from '../../../src/core/providers/openai/index.ts';
import type { OpenAiSettings } from '../../../src/core/providers/openai-compatible/settings.ts';
import { anthropicMessages } from '../../../src/core/relay/formats/anthropic-messages/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import {
  collect,
  decodeChunks,
  fixtureBytes,
  fixtureJson,
} from '../../contract/providers/support/decode.ts';
import { effectsOf } from '../../contract/providers/support/effects.ts';

const chat = openai.operations.chat;
if (chat?.createStreamDecoder === undefined) throw new Error('OpenAI chats');

function fieldsOf(body: JsonObject): BodyFields {
  return { get: (name) => body[name], has: (name) => name in body };
}

function forward(body: JsonObject, provider = openai, changes = {}) {
  const call = testCall({
    model: String(body.model),
    clientPath: '/v1/chat/completions?a=1',
    ...changes,
  });
  return provider.operations.chat?.passThrough
    ?.find(({ format }) => format === 'openai-chat')
    ?.target(fieldsOf(body), call as never);
}

function encode(
  request: ChatRequest,
  provider = openai,
  model = request.model,
  settings: OpenAiSettings = {},
): Record<string, JsonValue> {
  return provider.operations.chat?.encode(request, testCall({ model, settings }) as never)
    .body as Record<string, JsonValue>;
}

function stream(name: string, slug = 'openai') {
  const decoder = (slug === 'openai' ? openai : deepseek).operations.chat?.createStreamDecoder?.(
    testCall() as never,
  );
  if (decoder === undefined) throw new Error('no decoder');
  return decodeChunks([fixtureBytes(slug, name)], 'sse', decoder);
}

describe('forwarding to OpenAI', () => {
  it('changes nothing for an ordinary model', () => {
    expect(forward({ model: 'gpt-4o', messages: [], max_tokens: 5, temperature: 0 })).toMatchObject(
      {
        url: 'https://upstream.test/v1/chat/completions?a=1',
        headers: { authorization: 'Bearer the-key' },
        edits: {},
        model: undefined,
      },
    );
  });

  it('requests usage when streaming', () => {
    expect(forward({ model: 'gpt-4o', stream: true })?.edits).toEqual({
      stream_options: { include_usage: true },
    });
    const given = { stream: true, stream_options: { include_obfuscation: false } };
    expect(forward({ model: 'gpt-4o', ...given })?.edits).toEqual({
      stream_options: { include_obfuscation: false, include_usage: true },
    });
    expect(
      forward({ model: 'gpt-4o', stream: true, stream_options: { include_usage: true } })?.edits,
    ).toEqual({});
  });

  it('moves the limit, drops sampling and takes the effort off for models that think', () => {
    const target = forward({
      model: 'o3-mini-high',
      max_tokens: 9,
      temperature: 1,
      logit_bias: {},
      messages: [{ role: 'system', content: 's' }],
    });
    expect(target?.model).toBe('o3-mini');
    expect(target?.edits).toEqual({
      reasoning_effort: 'high',
      max_tokens: undefined,
      max_completion_tokens: 9,
      temperature: undefined,
      logit_bias: undefined,
      messages: [{ role: 'developer', content: 's' }],
    });
    expect(Object.keys(target?.edits ?? {})).toContain('temperature');
  });

  it('keeps sampling of gpt-5 chat models and of gpt-5.1 without effort', () => {
    expect(forward({ model: 'gpt-5-chat-latest', temperature: 0.3 })?.edits).toEqual({});
    expect(
      forward({ model: 'gpt-5.1', temperature: 0.3, reasoning_effort: 'none' })?.edits,
    ).toEqual({});
    expect(Object.keys(forward({ model: 'gpt-5.1', temperature: 0.3 })?.edits ?? {})).toEqual([
      'temperature',
    ]);
    expect(
      Object.keys(
        forward({ model: 'gpt-5', temperature: 0.3, reasoning_effort: 'none' })?.edits ?? {},
      ),
    ).toEqual(['reasoning_effort', 'temperature']);
  });

  it('does not repeat the version and supports the AI Gateway', () => {
    expect(forward({ model: 'm' }, openai, { baseUrl: 'https://x.test/v1' })?.url).toBe(
      'https://x.test/v1/chat/completions?a=1',
    );
    const gateway = 'https://gateway.ai.cloudflare.com/a/b/openai';
    expect(forward({ model: 'm' }, openai, { baseUrl: gateway })?.url).toBe(
      `${gateway}/chat/completions?a=1`,
    );
  });

  it('translates where the channel rewrites replies', () => {
    expect(
      forward({ model: 'm' }, openai, { settings: { thinking_to_content: true } }),
    ).toBeUndefined();
    expect(forward({ model: 'm' }, openai, { settings: { force_format: true } })).toBeUndefined();
  });

  it('sends everything of a custom channel to its one address', () => {
    const target = forward({ model: 'a/b' }, custom, { baseUrl: 'https://x.test/run/{model}?v=1' });
    expect(target?.url).toBe('https://x.test/run/a%2Fb?v=1');
  });
});

describe('encoding for OpenAI', () => {
  const claude = anthropicMessages.readRequest({
    model: 'gpt-5',
    max_tokens: 1000,
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=1' },
      { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'Be kind.' },
    ],
    thinking: { type: 'enabled', budget_tokens: 31_999 },
    tools: [{ name: 'look', input_schema: { $schema: 'x', type: 'object', properties: {} } }],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    messages: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 't', signature: 's' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_1', name: 'look', input: { a: 1 } },
          { type: 'tool_use', id: 'toolu_2', name: 'look', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            is_error: true,
            content: [
              { type: 'text', text: 'no' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QQ==' } },
            ],
          },
        ],
      },
    ],
  });

  it('limits output to the model’s maximum and drops thinking signatures of other providers', () => {
    const asked = anthropicMessages.readRequest({
      model: 'm',
      max_tokens: 128_000,
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect(encode(asked, openai, 'gpt-4o').max_tokens).toBe(16_384);
    expect(encode(asked, openai, 'some-model').max_tokens).toBe(128_000);
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
    const signed = { ...call, extra_content: { google: { thought_signature: 'proof' } } };
    const turns: JsonValue[] = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', tool_calls: [signed] },
      { role: 'tool', tool_call_id: 'c', content: '' },
    ];
    const request = openAiChat.readRequest({ model: 'm', messages: turns });
    expect(JSON.stringify(encode(request, openai, 'some-model'))).not.toContain('proof');
    expect(JSON.stringify(encode(request, openai, 'google/gemini-3-flash'))).toContain('proof');
  });

  it('writes Claude’s conversation', () => {
    const body = encode(claude);
    expect(body).toMatchObject({
      model: 'gpt-5',
      max_completion_tokens: 1000,
      reasoning_effort: 'high',
      tool_choice: 'required',
      parallel_tool_calls: false,
      tools: [
        {
          type: 'function',
          function: { name: 'look', parameters: { type: 'object', properties: {} } },
        },
      ],
    });
    expect(body.max_tokens).toBeUndefined();
    const call = (id: string, text: string) => ({
      id,
      type: 'function',
      function: { name: 'look', arguments: text },
    });
    expect(body.messages).toEqual([
      { role: 'developer', content: 'Be brief.\nBe kind.' },
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [call('toolu_1', '{"a":1}'), call('toolu_2', '{}')],
      },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'Error: no' },
      { role: 'tool', tool_call_id: 'toolu_2', content: '' },
      {
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' } }],
      },
      { role: 'user', content: 'see' },
    ]);
  });

  it.each([
    ['gpt-4o', ['stop', 'parallel_tool_calls']],
    ['o1', ['stop']],
    ['o3', []],
    ['o4-mini', []],
    ['gpt-5.2', ['parallel_tool_calls']],
    ['gpt-5.5', ['stop', 'parallel_tool_calls']],
  ])('removes fields that %s rejects and the caller cannot know about', (model, kept) => {
    const request = { ...claude, stop: ['END'], parallelToolCalls: false };
    const body = encode(request, openai, model, { use_responses: false });
    expect(['stop', 'parallel_tool_calls'].filter((name) => name in body)).toEqual(kept);
    const own = { ...request, origin: 'openai-chat' } as const;
    expect(encode(own, openai, model, { use_responses: false })).toHaveProperty('stop');
  });

  it.each(['gpt-5', 'gpt-5-mini', 'gpt-5.1'])('spares %s penalties', (model) => {
    const body = encode({ ...claude, presencePenalty: 0.5, frequencyPenalty: 0.5 }, openai, model);
    expect(Object.keys(body).filter((name) => name.endsWith('_penalty'))).toEqual([]);
  });

  it.each(['gpt-4o', 'gpt-5-codex'])(
    'sends %s a hash of the user field that Claude’s agents send',
    (model) => {
      const userOf = (user_id: string) => {
        const asked = {
          model,
          max_tokens: 9,
          messages: [{ role: 'user', content: 'hi' }],
          metadata: { user_id },
        };
        return encode(anthropicMessages.readRequest(asked), openai, model).user;
      };
      const account = JSON.stringify({
        device_id: 'd'.repeat(64),
        account_uuid: 'account-4711',
        session_id: 's',
      });
      for (const user of ['account-4711', account]) expect(userOf(user)).toMatch(/^[0-9a-f]{64}$/);
      expect(userOf('account-4711')).toBe(userOf('account-4711'));
      expect(userOf('account-4711')).not.toBe(userOf(account));
      const own = { model, messages: [{ role: 'user', content: 'hi' }], user: 'account-4711' };
      expect(encode(openAiChat.readRequest(own), openai, model).user).toBe('account-4711');
    },
  );

  it('marks replies as strict only for schemas that OpenAI accepts as strict', () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } };
    const strict = (required: string[]) => {
      const schema = { type: 'object', properties, required, additionalProperties: false };
      const request: ChatRequest = {
        ...claude,
        responseFormat: { type: 'json-schema', schema, strict: true },
      };
      return [encode(request).response_format, encode(request, openai, 'gpt-5-codex').text];
    };
    expect(strict(['a', 'b'])).toMatchObject([
      { json_schema: { strict: true } },
      { format: { strict: true } },
    ]);
    for (const format of strict(['a'])) expect(JSON.stringify(format)).not.toContain('strict');
  });

  it('writes a chat body back as it was', () => {
    const body = {
      model: 'gpt-4o',
      messages: [
        { role: 'system', content: 'S' },
        {
          role: 'user',
          name: 'u',
          content: [
            { type: 'text', text: 'a' },
            { type: 'image_url', image_url: { url: 'https://x.test/a.png', detail: 'low' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'f', arguments: '{"broken":' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c', content: 'r' },
        {
          role: 'user',
          content: [
            {
              type: 'file',
              file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
            },
          ],
        },
      ],
      temperature: 0,
      max_tokens: 7,
      stop: ['a', 'b', 'c', 'd', 'e'],
      n: 2,
      seed: 3,
      tools: [
        { type: 'function', function: { name: 'f', parameters: { type: 'object' }, strict: true } },
        { type: 'custom', custom: { name: 'x' } },
      ],
      tool_choice: { type: 'function', function: { name: 'f' } },
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'r', schema: { type: 'object' }, strict: true },
      },
      reasoning_effort: 'xhigh',
      metadata: { a: 'b' },
      prediction: { type: 'content' },
      user: 'me',
    } as unknown as JsonObject;
    expect(encode(openAiChat.readRequest(body))).toEqual(body);
  });
});

describe('streams of OpenAI', () => {
  it('text', () => {
    expect(collect(stream('stream-text.sse'))).toEqual({
      id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
      text: 'Hello! 你好, 👋🏽',
      reasoning: '',
      calls: [],
      usage: {
        promptTokens: 2006,
        completionTokens: 300,
        cachedTokens: 1920,
        reasoningTokens: 0,
        promptAudioTokens: 0,
        completionAudioTokens: 0,
      },
      finishes: ['stop'],
      errors: [],
    });
  });

  it('parallel calls', () => {
    const { calls, finishes } = collect(stream('stream-tools.sse'));
    expect(finishes).toEqual(['tool-calls']);
    expect(calls).toEqual([
      { id: 'call_a1', name: 'get_weather', arguments: '{"city":"Paris"}' },
      { id: 'call_a2', name: 'get_time', arguments: '{}' },
    ]);
  });

  it('calls without index, with repeated ids and empty names, closed by “stop”', () => {
    const { calls, finishes, usage } = collect(stream('stream-tools-loose.sse'));
    expect(calls).toEqual([
      { id: 'c1', name: 'a', arguments: '{"x":1}' },
      { id: 'c2', name: 'b', arguments: '{"y":2}' },
    ]);
    expect(finishes).toEqual(['tool-calls']);
    expect(usage).toEqual({ promptTokens: 11, completionTokens: 7 });
  });

  it('reasoning', () => {
    const collected = collect(stream('stream-reasoning.sse'));
    expect([collected.reasoning, collected.text, collected.usage?.reasoningTokens]).toEqual([
      'Let me think.',
      'Done',
      200,
    ]);
  });

  it('several choices', () => {
    const parts = stream('stream-choices.sse');
    expect(collect(parts, 0)).toMatchObject({ text: 'A', finishes: ['length'] });
    expect(collect(parts, 1)).toMatchObject({ text: 'B', finishes: ['stop'] });
  });

  it.each([
    [
      'stream-error.sse',
      {
        status: 500,
        code: undefined,
        message: 'The server had an error while processing your request.',
      },
    ],
    [
      'stream-error-first.sse',
      { status: 429, code: 'rate_limit_exceeded', message: 'Rate limit reached for gpt-4o.' },
    ],
    ['stream-error-plain.sse', { status: 529, code: undefined, message: 'overloaded' }],
    ['stream-empty.sse', { status: 502, code: 'empty_response', message: undefined }],
  ])('%s fails', (name, error) => expect(collect(stream(name)).errors).toEqual([error]));

  it('that break off are not finished', () => {
    expect(collect(stream('stream-unterminated.sse'))).toMatchObject({
      text: 'cut off',
      finishes: [],
      usage: undefined,
    });
  });

  it('put thinking into the text where the channel enables it', () => {
    const decoder = chat.createStreamDecoder?.(testCall() as never);
    if (decoder === undefined) throw new Error('no decoder');
    const chunks = [fixtureBytes('openai', 'stream-reasoning.sse')];
    const { text, reasoning } = collect(decodeChunks(chunks, 'sse', thinkingIntoStream(decoder)));
    expect([text, reasoning]).toEqual(['<think>\nLet me think.\n</think>\nDone', '']);
  });
});

describe('replies of OpenAI', () => {
  it('with calls', () => {
    const reply = chat.decode(fixtureJson('openai', 'reply-tools.json'), testCall() as never);
    expect(reply.choices[0]).toMatchObject({
      finish: 'tool-calls',
      content: [
        { type: 'reasoning', text: 'hm' },
        { type: 'tool-call', id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' },
        { type: 'tool-call', id: 'call_2', name: 'get_time', arguments: '{}' },
      ],
    });
    expect(reply.usage).toEqual({ promptTokens: 82, completionTokens: 17 });
  });

  it('that are errors or unknown', () => {
    expect(() => chat.decode({ error: { message: 'm', code: 429 } }, testCall() as never)).toThrow(
      ReplyFailure,
    );
    expect(() => chat.decode({ id: 'x' }, testCall() as never)).toThrow('no choices');
    expect(() => chat.decode('text', testCall() as never)).toThrow('not a JSON object');
  });

  it('put thinking into the text where the channel enables it', () => {
    const reply = chat.decode(fixtureJson('openai', 'reply-tools.json'), testCall() as never);
    expect(thinkingIntoReply(reply).choices[0]?.content[0]).toEqual({
      type: 'text',
      text: '<think>\nhm\n</think>\n',
    });
  });
});

/** Replies by URL. */
describe('accounts', () => {
  it('of OpenAI: balance over the last 100 days, or this month for cards', async () => {
    const base = 'https://upstream.test/v1/dashboard/billing';
    const old = effectsOf({
      [`${base}/subscription`]: { hard_limit_usd: 120, has_payment_method: false },
      [`${base}/usage?start_date=2026-08-12&end_date=2026-11-20`]: { total_usage: 1234.5 },
    });
    expect(await openai.account?.readBalance?.(testCall() as never, old)).toEqual({
      amount: '107.655',
      currency: 'USD',
    });
    const card = effectsOf({
      [`${base}/subscription`]: { hard_limit_usd: 10, has_payment_method: true },
      [`${base}/usage?start_date=2026-11-01&end_date=2026-11-20`]: { total_usage: 2000 },
    });
    expect(await openai.account?.readBalance?.(testCall() as never, card)).toEqual({
      amount: '-10',
      currency: 'USD',
    });
    await expect(
      openai.account?.readBalance?.(testCall() as never, effectsOf({})),
    ).rejects.toMatchObject({
      code: 'bad_response_status_code',
    });
  });

  it('of DeepSeek: yuan first, else what there is', async () => {
    const infos = [
      { currency: 'USD', total_balance: '5.00' },
      { currency: 'CNY', total_balance: '88.00' },
    ];
    const read = (balance_infos: unknown) =>
      deepseek.account?.readBalance?.(
        testCall() as never,
        effectsOf({ 'https://upstream.test/user/balance': { balance_infos } }),
      );
    expect(await read(infos)).toEqual({ amount: '88.00', currency: 'CNY' });
    expect(await read(infos.slice(0, 1))).toEqual({ amount: '5.00', currency: 'USD' });
  });

  it('list models, where there is a list', async () => {
    const list = effectsOf({
      'https://upstream.test/v1/models': { data: [{ id: 'a' }, { id: 'b' }, {}] },
    });
    expect(await openai.account?.listModels?.(testCall() as never, list)).toEqual(['a', 'b']);
    expect(custom.account?.listModels).toBeUndefined();
  });
});

describe('DeepSeek', () => {
  it('writes a schema into the prompt', () => {
    const response_format = {
      type: 'json_schema',
      json_schema: { name: 'r', schema: { type: 'object' } },
    };
    const edits = forward(
      { model: 'deepseek-chat', messages: [{ role: 'user', content: 'x' }], response_format },
      deepseek,
    )?.edits;
    expect(edits?.response_format).toEqual({ type: 'json_object' });
    expect(JSON.stringify(edits?.messages)).toContain('JSON schema:\\n{\\"type\\":\\"object\\"}');
  });

  it('takes messages as they are, on its own address', () => {
    const native = deepseek.operations.chat?.passThrough?.find(
      ({ format }) => format === 'anthropic-messages',
    );
    const target = native?.target(
      fieldsOf({ model: 'm' }),
      testCall({ baseUrl: 'https://x.test/v1', clientPath: '/v1/messages?beta=true' }) as never,
    );
    expect(target).toMatchObject({
      url: 'https://x.test/anthropic/v1/messages?beta=true',
      headers: { 'x-api-key': 'the-key' },
    });
  });

  it('reads thinking and its cache, and sees that it gave up', () => {
    expect(collect(stream('stream-reasoning.sse', 'deepseek'))).toMatchObject({
      reasoning: '9.11 is',
      text: '9.8',
      usage: { promptTokens: 17, cachedTokens: 12, reasoningTokens: 4 },
      finishes: ['stop'],
    });
    expect(collect(stream('stream-gave-up.sse', 'deepseek')).errors).toHaveLength(1);
  });
});

describe('embeddings of OpenAI', () => {
  const adapter = openai.operations.embedding;

  it('come in the order of their index', () => {
    const data = [
      { index: 1, embedding: [2] },
      { index: 0, embedding: 'AACAPw==' },
    ];
    expect(
      adapter?.decode(
        { data, model: 'm', usage: { prompt_tokens: 3, total_tokens: 3 } },
        testCall() as never,
      ),
    ).toEqual({
      model: 'm',
      embeddings: ['AACAPw==', [2]],
      usage: { promptTokens: 3, completionTokens: 0 },
    });
  });

  it('are requested as the caller requested them', () => {
    const request = { model: 'x', input: [[1, 2]], extra: { task: 't' } } as const;
    expect(adapter?.encode(request, testCall({ model: 'm' }) as never)).toMatchObject({
      url: 'https://upstream.test/v1/embeddings',
      body: { model: 'm', input: [1, 2], task: 't' },
    });
  });
});
