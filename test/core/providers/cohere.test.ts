// Covers src/core/canonical/wires/cohere.
import '../../support/usage-equality.ts';
import { describe, expect, it } from 'vitest';
import { ReplyFailure } from '../../../src/core/canonical/kit/failure.ts';
import type { Effects, UpstreamRequest } from '../../../src/core/canonical/provider.ts';
import type { JsonObject, JsonValue } from '../../../src/core/kernel/json.ts';
import { cohere } from '../../../src/core/providers/cohere/index.ts';
import { anthropicMessages } from '../../../src/core/relay/formats/anthropic-messages/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import {
  collect,
  decodeChunks,
  fixtureBytes,
  fixtureJson,
} from '../../contract/providers/support/decode.ts';

const { chat: offered, embedding, rerank } = cohere.operations;
if (offered === undefined) throw new Error('Cohere chats');
const chat: NonNullable<typeof offered> = offered;

const hello = [{ role: 'user', content: 'hi' }];
const callOf = (model: string) => testCall({ model });

function encode(body: object, model = 'command-a-03-2025'): Record<string, JsonValue> {
  const request = openAiChat.readRequest({ messages: hello, ...body, model } as JsonObject);
  return chat.encode(request, callOf(model)).body as Record<string, JsonValue>;
}
const tool = (name: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
});

describe('requests to Cohere', () => {
  it('use version 2, for any version in the base URL', () => {
    const request = openAiChat.readRequest({
      model: 'm',
      messages: hello,
      stream: true,
    } as JsonObject);
    for (const baseUrl of [
      'https://upstream.test',
      'https://upstream.test/v1',
      'https://upstream.test/v2',
    ]) {
      const { url, headers } = chat.encode(request, testCall({ baseUrl }));
      expect(url).toBe('https://upstream.test/v2/chat');
      expect(headers).toMatchObject({
        authorization: 'Bearer the-key',
        accept: 'text/event-stream',
      });
    }
  });

  it('carry the site’s safety mode where it is allowed and the caller sets none', () => {
    const options = { ...testCall().options, cohereSafetyMode: 'STRICT' };
    const modeOf = (body: object, call = testCall({ options })) => {
      const request = openAiChat.readRequest({
        model: 'm',
        messages: hello,
        ...body,
      } as JsonObject);
      return (chat.encode(request, call).body as Record<string, JsonValue>)['safety_mode'];
    };
    expect(modeOf({})).toBe('STRICT');
    expect(modeOf({ safety_mode: 'OFF' })).toBe('OFF');
    expect(modeOf({ tools: [tool('f')] })).toBeUndefined();
    expect(modeOf({ documents: ['d'] })).toBeUndefined();
    expect(
      modeOf({}, testCall({ options: { ...options, cohereSafetyMode: 'NONE' } })),
    ).toBeUndefined();
  });

  it('carry the whole conversation', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
    const body = encode({
      messages: [
        { role: 'developer', content: 'D' },
        { role: 'user', name: 'me', content: 'one' },
        { role: 'assistant', content: 'two' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'three' },
            { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
          ],
        },
        { role: 'assistant', content: 'a plan', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'four' },
      ],
      tools: [tool('f')],
    });
    expect(body['messages']).toEqual([
      { role: 'system', content: 'D' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'three' },
          { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
        ],
      },
      { role: 'assistant', tool_calls: [call], tool_plan: 'a plan' },
      { role: 'tool', tool_call_id: 'c1', content: 'four' },
    ]);
  });

  it('use Cohere’s parameter names and drop unsupported ones', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } } };
    expect(
      encode({
        max_tokens: 5,
        temperature: 0,
        top_p: 1,
        stop: ['1', '2', '3', '4', '5', '6'],
        seed: 0,
        frequency_penalty: -1,
        presence_penalty: 2,
        n: 2,
        logit_bias: {},
        user: 'u',
        parallel_tool_calls: false,
        stream_options: { include_usage: true },
        response_format: { type: 'json_schema', json_schema: { name: 'r', schema } },
        safety_mode: 'STRICT',
        unheard_of: 1,
      }),
    ).toEqual({
      model: 'command-a-03-2025',
      messages: hello,
      stream: false,
      max_tokens: 5,
      temperature: 0,
      p: 0.99,
      stop_sequences: ['1', '2', '3', '4', '5'],
      seed: 0,
      frequency_penalty: 0,
      presence_penalty: 1,
      response_format: { type: 'json_object', json_schema: schema },
      safety_mode: 'STRICT',
    });
    const request = anthropicMessages.readRequest({
      model: 'm',
      max_tokens: 5,
      top_k: 3,
      documents: ['a'],
      messages: hello,
    } as JsonObject);
    expect(chat.encode(request, callOf('command-r')).body).toEqual({
      model: 'command-r',
      messages: hello,
      stream: false,
      max_tokens: 5,
      k: 3,
    });
  });

  it.each([
    ['tools', { tools: [tool('f')] }],
    ['documents', { documents: ['a'] }],
  ])('request JSON in the instructions next to %s', (name, given) => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } } };
    const response_format = { type: 'json_schema', json_schema: { name: 'r', schema } };
    const body = encode({ ...given, response_format });
    expect(body).not.toHaveProperty('response_format');
    expect(body[name]).toHaveLength(1);
    expect(body['messages']).toEqual([
      { role: 'system', content: expect.stringContaining(JSON.stringify(schema)) },
      ...hello,
    ]);
  });

  it.each([
    ['auto', ['f', 'g'], undefined],
    ['none', ['f', 'g'], 'NONE'],
    ['required', ['f', 'g'], 'REQUIRED'],
    [{ type: 'function', function: { name: 'g' } }, ['g'], 'REQUIRED'],
  ])('choose tools: %j', (tool_choice, names, expected) => {
    const body = encode({ tools: [tool('f'), tool('g')], tool_choice });
    expect(
      (body['tools'] as { function: { name: string } }[]).map((one) => one.function.name),
    ).toEqual(names);
    expect(body['tool_choice']).toBe(expected);
  });

  it.each([
    ['command-a-reasoning-08-2025', { reasoning_effort: 'high' }, { type: 'enabled' }],
    ['command-a-reasoning-08-2025', { reasoning_effort: 'none' }, { type: 'disabled' }],
    [
      'command-a-reasoning-08-2025',
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      { type: 'enabled', token_budget: 2000 },
    ],
    ['command-a-reasoning-08-2025', {}, undefined],
    ['command-r-plus-08-2024', { reasoning_effort: 'high' }, undefined],
  ])('of %s for %j think so: %j', (model, body, thinking) =>
    expect(encode(body, model)['thinking']).toEqual(thinking),
  );

  it('reject what cannot be expressed', () => {
    const refused = expect.objectContaining({ code: 'unsupported_feature' });
    const saying = (part: object) => ({ messages: [{ role: 'user', content: [part] }] });
    expect(() =>
      encode(saying({ type: 'input_audio', input_audio: { data: 'QQ==', format: 'wav' } })),
    ).toThrow(refused);
    expect(() =>
      encode(saying({ type: 'file', file: { file_data: 'data:application/pdf;base64,QQ==' } })),
    ).toThrow(refused);
    expect(() => encode({ web_search_options: {} })).toThrow(refused);
  });
});

describe('replies of Cohere', () => {
  it('hold thinking and text; citations are passed over', () => {
    const reply = chat.decode(fixtureJson('cohere', 'reply-text.json'), callOf('m'));
    expect(reply).toEqual({
      id: '7c9fcb1c-6f8f-4ae8-9d7a-6f7e5b1a4a4c',
      choices: [
        {
          index: 0,
          content: [
            { type: 'reasoning', text: 'Add.' },
            { type: 'text', text: 'Hello there' },
          ],
          finish: 'stop',
          rawFinish: 'COMPLETE',
        },
      ],
      usage: { promptTokens: 20, completionTokens: 10, cachedTokens: 4 },
    });
  });

  it('hold a plan and calls', () => {
    const reply = chat.decode(fixtureJson('cohere', 'reply-tools.json'), callOf('m'));
    expect(reply.choices[0]).toMatchObject({
      content: [
        { type: 'reasoning', text: 'I will look it up.' },
        { type: 'tool-call', id: 'weather_1', name: 'weather', arguments: '{"city":"Oslo"}' },
        { type: 'tool-call', id: 'time_2', name: 'time', arguments: '{}' },
      ],
      finish: 'tool-calls',
    });
  });

  it('that are errors', () => {
    const failure = (body: object) => {
      try {
        chat.decode(body, callOf('m'));
      } catch (error) {
        return error instanceof ReplyFailure ? error.error : error;
      }
      return undefined;
    };
    expect(failure({ message: 'no' })).toMatchObject({ status: 502, message: 'no' });
    const empty = { message: { role: 'assistant', content: [] } };
    expect(failure({ ...empty, finish_reason: 'TIMEOUT' })).toMatchObject({
      status: 504,
      code: 'TIMEOUT',
    });
    expect(failure({})).toMatchObject({ code: 'bad_response_body' });
  });
});

describe('streams of Cohere', () => {
  const stream = (name: string) => {
    const decoder = chat.createStreamDecoder?.(callOf('m'));
    if (decoder === undefined) throw new Error('no decoder');
    return collect(decodeChunks([fixtureBytes('cohere', name)], 'sse', decoder));
  };

  it('text, with citations between', () => {
    expect(stream('stream-text.sse')).toEqual({
      id: '29f14a5a-11de-4cae-9800-25e4747408ea',
      text: 'The tallest penguins are Emperor – 企鹅',
      reasoning: '',
      calls: [],
      usage: { promptTokens: 215, completionTokens: 12, cachedTokens: 64 },
      finishes: ['stop'],
      errors: [],
    });
  });

  it('calls, with and without arguments, and the plan behind them', () => {
    expect(stream('stream-tools.sse')).toMatchObject({
      reasoning: 'I will look it up.',
      calls: [
        { id: 'weather_1byjy32y4hvq', name: 'weather', arguments: '{\n    "city": "Oslo"\n}' },
        { id: 'time_2', name: 'time', arguments: '{}' },
        { id: 'ping_3', name: 'ping', arguments: '{}' },
      ],
      finishes: ['tool-calls'],
    });
  });

  it('thinking; billed units where no tokens are reported', () => {
    expect(stream('stream-thinking.sse')).toMatchObject({
      reasoning: 'First, add.',
      text: '4',
      usage: { promptTokens: 5, completionTokens: 7 },
      finishes: ['length'],
    });
  });

  it.each([
    ['stream-error.sse', { status: 502, code: 'ERROR', message: 'the model stopped' }],
    ['stream-timeout.sse', { status: 504, code: 'TIMEOUT' }],
    [
      'stream-error-first.sse',
      { status: 502, message: expect.stringContaining('internal server error') },
    ],
  ])('%s fails', (name, error) =>
    expect(stream(name)).toMatchObject({ errors: [error], finishes: [] }),
  );

  it('that break off are not finished', () =>
    expect(stream('stream-unterminated.sse')).toMatchObject({ text: 'cut', finishes: [] }));
});

describe('embeddings of Cohere', () => {
  it('go in pieces of 96 and come back in order', async () => {
    const asked: { texts: string[]; input_type: string }[] = [];
    const effects = {
      fetch: async (request: UpstreamRequest) => {
        const body = request.body as unknown as (typeof asked)[number];
        asked.push(body);
        const float = body.texts.map((text) => [Number(text)]);
        const meta = { billed_units: { input_tokens: body.texts.length } };
        return { status: 200, headers: {}, text: JSON.stringify({ embeddings: { float }, meta }) };
      },
    } as unknown as Effects;
    const input = Array.from({ length: 200 }, (_, index) => String(index));
    const request = {
      model: 'm',
      input,
      dimensions: 256,
      extra: { input_type: 'search_document' },
    };
    const reply = await embedding?.perform?.(request, callOf('embed-v4.0'), effects);
    expect(reply?.embeddings.flat()).toEqual(input.map(Number));
    expect(reply?.usage).toEqual({ promptTokens: 200 });
    expect(asked.map(({ texts }) => texts.length)).toEqual([96, 96, 8]);
    expect(asked[0]).toMatchObject({
      model: 'embed-v4.0',
      input_type: 'search_document',
      embedding_types: ['float'],
      output_dimension: 256,
    });
  });

  it('default to queries and accept no tokens', () => {
    const encodeOne = (input: readonly (string | number[])[]) =>
      embedding?.encode({ model: 'm', input, extra: {} }, callOf('m'));
    expect(encodeOne(['a'])).toMatchObject({
      url: 'https://upstream.test/v2/embed',
      body: { texts: ['a'], input_type: 'search_query' },
    });
    expect(() => encodeOne([[1]])).toThrow(
      expect.objectContaining({ code: 'unsupported_feature' }),
    );
  });

  it('that are not valid replies', () => {
    expect(() => embedding?.decode({ message: 'no' }, callOf('m'))).toThrow(ReplyFailure);
    expect(() => embedding?.decode({}, callOf('m'))).toThrow(
      expect.objectContaining({ code: 'bad_response_body' }),
    );
  });
});

describe('reranking of Cohere', () => {
  it('accepts texts and returns all of them unless a number is given', () => {
    const documents: readonly (string | JsonObject)[] = ['a', { text: 'b' }, { title: 'c' }];
    const request = {
      model: 'm',
      query: 'q',
      documents,
      returnDocuments: true,
      extra: { max_tokens_per_doc: 9 },
    };
    expect(rerank?.encode(request, callOf('rerank-v3.5'))).toMatchObject({
      url: 'https://upstream.test/v2/rerank',
      body: {
        model: 'rerank-v3.5',
        query: 'q',
        documents: ['a', 'b', '{"title":"c"}'],
        max_tokens_per_doc: 9,
      },
    });
    expect(rerank?.encode(request, callOf('m')).body).not.toHaveProperty('top_n');
    expect(rerank?.encode(request, callOf('m')).body).not.toHaveProperty('return_documents');
    expect(rerank?.encode({ ...request, topCount: 1 }, callOf('m')).body).toMatchObject({
      top_n: 1,
    });
  });

  it('returns indexes and scores', () => {
    const results = [
      { index: 1, relevance_score: 0.9 },
      { index: 0, relevance_score: 0.1 },
    ];
    expect(
      rerank?.decode(
        { id: 'r', results, meta: { billed_units: { search_units: 1 } } },
        callOf('m'),
      ),
    ).toEqual({
      results: [
        { index: 1, score: 0.9 },
        { index: 0, score: 0.1 },
      ],
      usage: undefined,
    });
    expect(
      rerank?.decode({ results, meta: { billed_units: { input_tokens: 7 } } }, callOf('m')).usage,
    ).toEqual({
      promptTokens: 7,
    });
  });
});

describe('the account', () => {
  it('lists its models page by page', async () => {
    const urls: string[] = [];
    const effects = {
      fetch: async ({ url }: UpstreamRequest) => {
        urls.push(url);
        const body =
          urls.length === 1
            ? { models: [{ name: 'a' }], next_page_token: 'next one' }
            : { models: [{ name: 'b' }] };
        return { status: 200, headers: {}, text: JSON.stringify(body) };
      },
    } as unknown as Effects;
    expect(await cohere.account?.listModels?.(testCall(), effects)).toEqual(['a', 'b']);
    expect(urls).toEqual([
      'https://upstream.test/v1/models?page_size=1000',
      'https://upstream.test/v1/models?page_size=1000&page_token=next%20one',
    ]);
  });

  it('is at fault where the key is', () => {
    const read = (status: number, name: string) =>
      cohere.readFailure({ status, headers: {}, text: '', body: fixtureJson('cohere', name) });
    expect(read(401, 'failure-401.json')).toMatchObject({
      message: 'invalid api token',
      accountFault: true,
    });
    expect(read(422, 'failure-422.json')).toMatchObject({
      status: 422,
      message: expect.stringContaining('not found'),
    });
  });
});
