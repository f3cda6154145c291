/**
 * OpenAI's Responses for callers: passed through, or translated to chat, messages and Gemini, read
 * by the official SDK.
 */
import OpenAI from 'openai';
import type { ResponseInput, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { foreignSignature } from '../../../../src/core/canonical/kit/foreign-signature.ts';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { generateReply } from '../../../support/gemini-upstream.ts';
import {
  messageItem,
  responseObject,
  responsesReply,
  responsesUsage,
} from '../../../support/responses-upstream.ts';
import {
  type Answer,
  chatReply,
  chatStream,
  errorReply,
  messagesReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

/** Models by the wire of the upstream that serves them. */
const models = {
  Responses: 'gpt-4o',
  chat: 'gpt-4o-mini',
  messages: 'claude-3-5-sonnet-20241022',
  Gemini: 'gemini-2.0-flash',
} as const;
type Wire = keyof typeof models;

let gateway: TestGateway;
let key: string;
const upstreams = new Map<Wire, TestUpstream>();
const at = (wire: Wire): TestUpstream => upstreams.get(wire) as TestUpstream;

beforeAll(async () => {
  gateway = await startTestGateway({ STREAMING_TIMEOUT: '2' });
  const types = { Responses: 1, chat: 1, messages: 14, Gemini: 24 } as const;
  for (const wire of Object.keys(models) as Wire[]) {
    const upstream = await startUpstream();
    upstreams.set(wire, upstream);
    const setting = wire === 'chat' ? { setting: '{"use_responses":false}' } : {};
    await gateway.addChannel({
      type: types[wire],
      baseUrl: upstream.url,
      models: models[wire],
      ...setting,
    });
  }
  await gateway.addChannel({ type: 1, baseUrl: at('Responses').url, models: 'o3-pro,o3,gpt-5' });
  key = (await gateway.addCustomer(100_000_000)).key;
});
afterAll(async () => {
  await gateway.close();
  for (const upstream of upstreams.values()) await upstream.close();
});
beforeEach(() => {
  for (const upstream of upstreams.values()) upstream.requests.length = 0;
  at('Responses').answer(responsesReply());
  at('chat').answer(chatReply());
  at('messages').answer(messagesReply());
  at('Gemini').answer(generateReply());
});

const newClient = (apiKey = key) =>
  new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
const spent = async (userId: number) =>
  100_000_000 - (await gateway.client.user.get({ id: userId })).quota;
const newestLog = async (username: string) =>
  (await gateway.client.log.list({ username, type: 2 })).items[0];

function post(path: string, body: object | string, apiKey = key): Promise<Response> {
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'accept-language': 'en',
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function read(stream: AsyncIterable<ResponseStreamEvent>): Promise<ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** Events as they were sent: the SDK would throw at the first error event. */
async function readRaw(body: object, apiKey = key): Promise<Record<string, unknown>[]> {
  const text = await (await post('/v1/responses', { ...body, stream: true }, apiKey)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>);
}

const errorOf = (running: Promise<unknown>) => running.catch((reason: unknown) => reason);

describe('a response', () => {
  const expected = {
    Responses: { text: 'Hello from Responses', input: 1000, cached: 400, output: 500 },
    chat: { text: 'Hello from upstream', input: 1000, cached: 400, output: 500 },
    messages: { text: 'Hello from Claude', input: 700, cached: 400, output: 50 },
    Gemini: { text: 'Hello from Gemini', input: 100, cached: 40, output: 25 },
  } as const;

  for (const wire of Object.keys(models) as Wire[]) {
    const { text, input, cached, output } = expected[wire];
    it.each([false, true])(`from ${wire}, streamed: %s`, async (stream) => {
      const customer = await gateway.addCustomer(100_000_000);
      const client = newClient(customer.key);
      const request = { model: models[wire], input: 'Hello', instructions: 'Be brief.' };
      const reply = stream
        ? await client.responses.stream(request).finalResponse()
        : await client.responses.create(request);
      expect(reply.output_text).toBe(text);
      expect(reply.status).toBe('completed');
      expect(reply.usage).toMatchObject({
        input_tokens: input,
        input_tokens_details: { cached_tokens: cached },
        output_tokens: output,
        total_tokens: input + output,
      });
      // The end of the reply waits for the charge.
      expect(await spent(customer.userId)).toBeGreaterThan(0);
      expect(await newestLog(customer.username)).toMatchObject({
        prompt_tokens: input,
        completion_tokens: output,
        is_stream: stream,
        quota: await spent(customer.userId),
      });
      expect(JSON.stringify(at(wire).requests[0]?.json)).toContain('Be brief.');
    });
  }
});

describe('passed through', () => {
  it('body and reply are forwarded unchanged', async () => {
    const body =
      '{ "model":"gpt-4o", "x_new": 1.50, "input": [ {"type":"hologram","data":[1]} ], "include":["a"] }';
    const reply = await post('/v1/responses?beta=true', body);
    expect(at('Responses').requests[0]).toMatchObject({
      path: '/v1/responses?beta=true',
      text: body,
    });
    expect(await reply.json()).toEqual(
      responseObject('gpt-4o', [messageItem('Hello from Responses')]),
    );
  });

  it('unknown events are forwarded too, and the last event closes the stream', async () => {
    at('Responses').answer(
      responsesReply([messageItem('Hi'), { id: 'x', type: 'hologram', light: true }]),
    );
    const text = await (
      await post('/v1/responses', { model: 'gpt-4o', input: 'hi', stream: true })
    ).text();
    expect(text).toContain('"item":{"id":"x","type":"hologram","light":true}');
    expect(text).toMatch(/event: response\.completed\ndata: .*"usage":\{.*\n\n$/);
    expect(text).not.toContain('[DONE]');
  });

  it('encrypted thinking returns byte for byte, that of others does not', async () => {
    const own = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAAA+/=' };
    at('Responses').answer(responsesReply([own, messageItem('Hi')]));
    const include = ['reasoning.encrypted_content' as const];
    const first = await newClient().responses.create({
      model: 'gpt-4o',
      input: 'hi',
      include,
      store: false,
    });
    const foreign = { ...own, id: 'rs_2', encrypted_content: foreignSignature };
    const input = [
      { role: 'user', content: 'hi' },
      ...first.output,
      foreign,
      { role: 'user', content: 'on' },
    ] as ResponseInput;
    await newClient().responses.create({ model: 'gpt-4o', input, include, store: false });
    const sent = at('Responses').requests[1]?.json['input'] as { type?: string }[];
    expect(sent.filter(({ type }) => type === 'reasoning')).toEqual([own]);
    expect(sent).toHaveLength(4);
  });

  it('output of another provider is marked, and the mark is recognised', async () => {
    at('chat').answer((response) =>
      sendJson(response, 200, {
        choices: [
          {
            message: { role: 'assistant', content: 'Four.', reasoning_content: 'Two and two.' },
            finish_reason: 'stop',
          },
        ],
      }),
    );
    const reply = await newClient().responses.create({ model: models.chat, input: 'hi' });
    expect(reply.output[0]).toMatchObject({
      type: 'reasoning',
      summary: [{ text: 'Two and two.' }],
    });
    const input = [...reply.output, { role: 'user', content: 'on' }] as ResponseInput;
    await newClient().responses.create({ model: 'gpt-4o', input });
    expect(at('Responses').requests[0]?.text).not.toMatch(/reasoning|Two and two/);
  });

  it('compact is passed through and charged', async () => {
    at('Responses').answer((response) =>
      sendJson(response, 200, {
        id: 'resp_c',
        object: 'response.compaction',
        output: [],
        usage: responsesUsage,
      }),
    );
    const customer = await gateway.addCustomer(100_000_000);
    const compacted = await post(
      '/v1/responses/compact',
      { model: 'gpt-4o', input: 'long' },
      customer.key,
    );
    expect(await compacted.json()).toMatchObject({ object: 'response.compaction' });
    expect(at('Responses').requests[0]?.path).toBe('/v1/responses/compact');
    expect(await newestLog(customer.username)).toMatchObject({
      prompt_tokens: 1000,
      completion_tokens: 500,
    });
  });
});

describe('tools', () => {
  const weather = {
    type: 'function' as const,
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
    strict: false,
  };
  const toolChunks: Answer = (response) => {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      response.write(
        `data: ${JSON.stringify({ id: 'chatcmpl-1', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
      );
    const fragment = (index: number, fields: object, args: string) =>
      chunk({ tool_calls: [{ index, ...fields, function: { ...fields, arguments: args } }] });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    fragment(0, { id: 'call_a', name: 'weather' }, '{"city"');
    fragment(1, { id: 'call_b', name: 'weather' }, '{"city":');
    fragment(0, {}, ':"Oslo"}');
    fragment(1, {}, '"Rome"}');
    chunk({}, 'tool_calls');
    response.end('data: [DONE]\n\n');
  };

  it('called in parallel come one after another, whole when they are done', async () => {
    at('chat').answer(toolChunks);
    const events = await read(
      await newClient().responses.create({
        model: models.chat,
        input: 'hi',
        tools: [weather],
        stream: true,
      }),
    );
    const done = events.flatMap((event) =>
      event.type === 'response.output_item.done' ? [event.item] : [],
    );
    expect(done).toMatchObject([
      {
        type: 'function_call',
        call_id: 'call_a',
        name: 'weather',
        arguments: '{"city":"Oslo"}',
        status: 'completed',
      },
      {
        type: 'function_call',
        call_id: 'call_b',
        name: 'weather',
        arguments: '{"city":"Rome"}',
        status: 'completed',
      },
    ]);
    const places = events.flatMap((event) => ('output_index' in event ? [event.output_index] : []));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(at('chat').requests[0]?.json['tools']).toMatchObject([
      { type: 'function', function: { name: 'weather' } },
    ]);
  });

  it('with free-text input become functions for other providers, and their calls are returned as declared', async () => {
    const patch = {
      type: 'custom' as const,
      name: 'apply_patch',
      format: { type: 'text' as const },
    };
    const call = {
      id: 'call_p',
      type: 'function',
      function: { name: 'apply_patch', arguments: '{"input":"*** Begin\\n"}' },
    };
    at('chat').answer(
      (response) =>
        sendJson(response, 200, {
          choices: [
            {
              message: { role: 'assistant', content: null, tool_calls: [call] },
              finish_reason: 'tool_calls',
            },
          ],
        }),
      chatReply('Done.'),
    );
    const client = newClient();
    const first = await client.responses.create({
      model: models.chat,
      input: 'hi',
      tools: [patch],
    });
    expect(first.output).toMatchObject([
      { type: 'custom_tool_call', call_id: 'call_p', name: 'apply_patch', input: '*** Begin\n' },
    ]);
    const input = [
      { role: 'user', content: 'hi' },
      ...first.output,
      { type: 'custom_tool_call_output', call_id: 'call_p', output: 'applied' },
    ] as ResponseInput;
    expect(
      (await client.responses.create({ model: models.chat, input, tools: [patch] })).output_text,
    ).toBe('Done.');
    expect(at('chat').requests[1]?.json['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_p', content: 'applied' },
    ]);
    expect(at('chat').requests[0]?.json['tools']).toMatchObject([
      { type: 'function', function: { name: 'apply_patch', parameters: { required: ['input'] } } },
    ]);
  });
});

describe('the request', () => {
  it('reaches another wire: images, shape, effort, limit', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    at('chat').answer(chatReply('{"a":"b"}'));
    await newClient().responses.create({
      model: models.chat,
      input: [
        { role: 'developer', content: 'Rules.' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'See' },
            { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' },
          ],
        },
      ],
      text: { format: { type: 'json_schema', name: 'r', schema, strict: true } },
      max_output_tokens: 99,
      parallel_tool_calls: false,
    });
    expect(at('chat').requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      json: {
        max_tokens: 99,
        response_format: { type: 'json_schema', json_schema: { name: 'r', schema, strict: true } },
        messages: [
          { role: 'system', content: 'Rules.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'See' },
              {
                type: 'image_url',
                image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' },
              },
            ],
          },
        ],
      },
    });
  });

  it('is searched for words that are not allowed', async () => {
    await gateway.set('SensitiveWords', 'forbidden-fruit');
    for (const body of [
      { input: 'a forbidden-fruit' },
      { input: 'a', instructions: 'forbidden-fruit' },
      { input: [{ type: 'function_call_output', call_id: 'c', output: 'forbidden-fruit' }] },
    ]) {
      const refused = await post('/v1/responses', { model: 'gpt-4o', ...body });
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { error: { code: 'sensitive_words_detected' } },
      ]);
    }
    await gateway.set('SensitiveWords', '');
    expect(at('Responses').requests).toHaveLength(0);
  });

  it.each([
    [{ input: 'hi' }, 'model_required', /model/],
    [{ model: 'gpt-4o' }, 'invalid_request', /field input is required/],
    [{ model: 'gpt-4o', input: 7 }, 'invalid_request', /field input must be/],
    [
      { model: 'gpt-4o', input: 'hi', max_output_tokens: 'many' },
      'invalid_request',
      /max_output_tokens is invalid/,
    ],
    [
      { model: models.chat, input: [{ type: 'compaction', encrypted_content: 'gAAA' }] },
      'unsupported_feature',
      /compaction/,
    ],
    [
      { model: models.messages, input: [{ type: 'compaction', encrypted_content: 'gAAA' }] },
      'unsupported_feature',
      /compaction/,
    ],
  ])('is refused where it cannot be served: %j', async (body, code, message) => {
    const refused = await post('/v1/responses', body);
    expect(refused.status).toBe(400);
    expect(refused.headers.get('x-should-retry')).toBe('false');
    const { error } = (await refused.json()) as { error: { code: string; message: string } };
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

describe('incomplete responses', () => {
  it('because of the limit say so, in one piece and streamed', async () => {
    const cut: Answer = (response, request) => {
      const end = {
        choices: [
          {
            index: 0,
            finish_reason: 'length',
            message: { content: 'Once' },
            delta: { content: 'Once' },
          },
        ],
      };
      if (request.json['stream'] !== true) return sendJson(response, 200, end);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
    };
    at('chat').answer(cut);
    const request = { model: models.chat, input: 'hi' };
    const details = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    expect(await newClient().responses.create(request)).toMatchObject(details);
    const events = await read(await newClient().responses.create({ ...request, stream: true }));
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { ...details, output: [{ content: [{ text: 'Once' }] }] },
    });
  });

  it.each(['cut', 'proper', 'hang'] as const)(
    'because the upstream broke off (%s) end with both events of a failure',
    async (end) => {
      at('Responses').answer(
        responsesReply([messageItem('one two three four five six seven')], { last: null, end }),
      );
      const customer = await gateway.addCustomer(100_000_000);
      const events = await readRaw({ model: 'gpt-4o', input: 'hi' }, customer.key);
      expect(events.map((event) => event['sequence_number'])).toEqual(
        events.map((_, position) => position),
      );
      const code = end === 'hang' ? 'upstream_timeout' : 'upstream_cut';
      expect(events.slice(-2)).toMatchObject([
        { type: 'error', code },
        { type: 'response.failed', response: { id: 'resp_up', status: 'failed', error: { code } } },
      ]);
      const log = await newestLog(customer.username);
      expect(log?.completion_tokens).toBeGreaterThan(5);
      expect(readLogOther(log?.other ?? '')).toMatchObject({
        ended: end === 'hang' ? 'idle_timeout' : 'upstream_cut',
        usage_source: 'counted',
      });
    },
  );

  it('from a translated upstream that broke off end the same way', async () => {
    at('chat').answer(chatStream(['one ', 'two '], null, { end: 'cut' }));
    const events = await readRaw({ model: models.chat, input: 'hi' });
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['error', 'response.failed']);
    const streamed = newClient().responses.stream({ model: models.chat, input: 'hi' });
    await expect(streamed.finalResponse()).rejects.toThrow(/request id/);
  });

  it('from a failed provider keep its own last event', async () => {
    const error = { code: 'server_error', message: 'The server had an error.' };
    const last = {
      type: 'response.failed',
      response: responseObject('gpt-4o', [], { status: 'failed', error, usage: null }),
    };
    at('Responses').answer(responsesReply([messageItem('one two')], { last }));
    const text = await (
      await post('/v1/responses', { model: 'gpt-4o', input: 'hi', stream: true })
    ).text();
    expect(text.match(/event: response\.failed/g)).toHaveLength(1);
    expect(text).toMatch(/"status":"failed","error":\{"code":"server_error".*\n\n$/);
  });
});

describe('failures before the first output', () => {
  const greeting = (last: object): Answer =>
    responsesReply([], { last: last as Record<string, unknown> });
  const failure = { code: 'server_error', message: 'overloaded' };

  it.each([
    [
      'response.failed',
      greeting({ type: 'response.failed', response: { status: 'failed', error: failure } }),
    ],
    ['an error event', greeting({ type: 'error', ...failure })],
    [
      'an error event with its fields nested',
      greeting({ type: 'error', error: { type: 'server_error', message: 'overloaded' } }),
    ],
    ['nothing after the greeting', responsesReply([], { last: null })],
  ] as const)('%s: another channel serves', async (_name, answer) => {
    await gateway.set('RetryTimes', 1);
    const broken = await startUpstream();
    broken.answer(answer);
    const id = await gateway.addChannel({
      type: 1,
      baseUrl: broken.url,
      models: 'gpt-4o',
      priority: 10,
    });
    const stream = newClient().responses.stream({ model: 'gpt-4o', input: 'hi' });
    expect((await stream.finalResponse()).output_text).toBe('Hello from Responses');
    expect(broken.requests).toHaveLength(1);
    await gateway.client.channel.remove({ id });
    await gateway.set('RetryTimes', 0);
    await broken.close();
  });

  it('a failed response in one piece is an error with its status', async () => {
    const error = { code: 'rate_limit_exceeded', message: 'slow down' };
    const own = await startUpstream();
    own.answer((response) =>
      sendJson(response, 200, responseObject('o1', [], { status: 'failed', error })),
    );
    const id = await gateway.addChannel({ type: 1, baseUrl: own.url, models: 'o1' });
    const failed = await errorOf(newClient().responses.create({ model: 'o1', input: 'hi' }));
    expect(failed).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    await gateway.client.channel.remove({ id });
    await own.close();
  });

  it.each(['Responses', 'chat'] as const)(
    'errors of %s upstreams in OpenAI’s shape, 429 with the time to wait',
    async (wire) => {
      const own = await startUpstream();
      const setting = wire === 'chat' ? { setting: '{"use_responses":false}' } : {};
      const id = await gateway.addChannel({
        type: 1,
        baseUrl: own.url,
        models: 'o1-mini',
        ...setting,
      });
      own.answer(
        errorReply(400, {
          message: 'bad thing',
          type: 'invalid_request_error',
          code: 'bad',
          param: 'input',
        }),
      );
      const bad = await errorOf(
        newClient().responses.create({ model: 'o1-mini', input: 'hi', stream: true }),
      );
      expect(bad).toBeInstanceOf(OpenAI.APIError);
      expect(bad).toMatchObject({
        status: 400,
        code: 'bad',
        param: 'input',
        type: 'invalid_request_error',
      });
      own.answer(
        errorReply(429, {
          message: 'slow down',
          type: 'rate_limit_error',
          code: 'rate_limit_exceeded',
        }),
      );
      const limited = await post('/v1/responses', { model: 'o1-mini', input: 'hi', stream: true });
      expect(limited.status).toBe(429);
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      await gateway.client.channel.remove({ id });
      await own.close();
    },
  );
});

describe('Responses-only models', () => {
  it('serve chat callers, streamed and not', async () => {
    const call = {
      id: 'fc_1',
      type: 'function_call',
      call_id: 'call_1',
      name: 'look',
      arguments: '{}',
      status: 'completed',
    };
    at('Responses').answer(responsesReply([messageItem('I look.'), call]));
    const request = { model: 'o3-pro', messages: [{ role: 'user' as const, content: 'hi' }] };
    const plain = await newClient().chat.completions.create(request);
    expect(plain.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: 'I look.',
        tool_calls: [{ id: 'call_1', function: { name: 'look', arguments: '{}' } }],
      },
    });
    const streamed = await newClient()
      .chat.completions.stream({ ...request, stream_options: { include_usage: true } })
      .finalChatCompletion();
    expect(streamed).toMatchObject({
      choices: [{ finish_reason: 'tool_calls', message: { content: 'I look.' } }],
      usage: { prompt_tokens: 1000, completion_tokens: 500 },
    });
    expect(at('Responses').requests.map(({ path }) => path)).toEqual([
      '/v1/responses',
      '/v1/responses',
    ]);
    expect(at('Responses').requests[1]?.json).toMatchObject({
      stream: true,
      store: false,
      input: [{ role: 'user' }],
    });
    expect(at('Responses').requests[1]?.json).not.toHaveProperty('stream_options');
  });
});

describe('idle streams', () => {
  it('are kept open by comments after the upstream has started', async () => {
    await gateway.set('general_setting.ping_interval_seconds', 1);
    await gateway.set('general_setting.ping_interval_enabled', true);
    at('chat').answer(chatStream(['one ', 'two '], undefined, { gap: 1500 }));
    const text = await (
      await post('/v1/responses', { model: models.chat, input: 'hi', stream: true })
    ).text();
    await gateway.set('general_setting.ping_interval_enabled', false);
    expect(text).toMatch(/^(?:: PING\n\n)?event: response\.created/);
    expect(text).toContain('\n\n: PING\n\n');
    expect(text).toMatch(/event: response\.completed\n.*\n\n$/);
  });
});

describe('the list of models for Codex', () => {
  it('has the expected shape and lists each model’s features', async () => {
    const customer = await gateway.addCustomer(1000);
    const list = async (query: string) =>
      (
        await fetch(`${gateway.url}/v1/models${query}`, {
          headers: { authorization: `Bearer ${customer.key}` },
        })
      ).json() as Promise<Record<string, { slug: string }[]>>;
    const { models: entries = [] } = await list('?client_version=0.169.0');
    const entry = (slug: string) => entries.find((one) => one.slug === slug);
    expect(entry('gpt-5')).toMatchObject({
      shell_type: 'unified_exec',
      visibility: 'list',
      supported_in_api: true,
      supports_reasoning_summaries: true,
      support_verbosity: true,
      default_reasoning_level: 'medium',
      truncation_policy: { mode: 'tokens' },
      availability_nux: null,
      upgrade: null,
    });
    expect(entry('gpt-4o')).toMatchObject({
      supported_reasoning_levels: [],
      supports_reasoning_summaries: false,
      support_verbosity: false,
      context_window: 128_000,
    });
    expect(entry('claude-3-5-sonnet-20241022')).toMatchObject({
      support_verbosity: false,
      context_window: 200_000,
    });
    expect(await list('')).toHaveProperty('data');
  });
});

it('tries another channel where the first one cannot serve an item, without using a retry', async () => {
  const simple = await gateway.addChannel({
    type: 14,
    baseUrl: at('messages').url,
    models: 'o3',
    priority: 10,
  });
  const input = [{ type: 'compaction', encrypted_content: 'gAAA' }];
  const reply = await post('/v1/responses', { model: 'o3', input });
  expect(reply.status).toBe(200);
  expect(at('messages').requests).toHaveLength(0);
  expect(at('Responses').requests).toHaveLength(1);
  await gateway.client.channel.remove({ id: simple });
});
