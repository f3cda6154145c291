/**
 * A channel's rules applied to requests, through the gateway, for passed-through and translated
 * bodies.
 */
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { generateReply } from '../../../support/gemini-upstream.ts';
import {
  type Answer,
  chatReply,
  errorReply,
  messagesReply,
  type ReceivedRequest,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let gateway: TestGateway;
let upstream: TestUpstream;
let key: string;
let serial = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  ({ key } = await gateway.addCustomer(1_000_000_000));
  await gateway.set('SelfUseModeEnabled', true);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
  upstream.answer(chatReply());
});

/** A channel of its own model, with these rules. */
async function addChannel(
  rules: Record<string, unknown>,
  type = 1,
  prefix = 'model',
): Promise<string> {
  serial += 1;
  const model = `${prefix}-${serial}`;
  const fields = Object.entries(rules).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : value,
  ]);
  await gateway.addChannel({
    type,
    baseUrl: upstream.url,
    models: model,
    ...Object.fromEntries(fields),
  });
  return model;
}

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'accept-language': 'en',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

const messages = [{ role: 'user', content: 'Hello' }];
const chat = (model: string, extra: object = {}, headers: Record<string, string> = {}) =>
  post('/v1/chat/completions', { model, messages, ...extra }, headers);
const claude = (model: string, extra: object = {}, headers: Record<string, string> = {}) =>
  post('/v1/messages', { model, messages, max_tokens: 100, ...extra }, headers);
const sent = (): ReceivedRequest => upstream.requests[0] as ReceivedRequest;

const operations = {
  top_p: 0.5,
  operations: [
    { mode: 'set', path: 'metadata.team', value: 'blue' },
    {
      mode: 'append',
      path: 'messages.-1.content',
      value: '!',
      conditions: { original_model: 'nobody' },
    },
    {
      mode: 'set_header',
      path: 'x-rule',
      value: 'ran',
      conditions: [{ path: 'messages.*.role', value: 'user' }],
    },
    { mode: 'pass_headers', value: ['x-caller'] },
  ],
};

describe('param_override', () => {
  it('applies to passed-through bodies', async () => {
    const model = await addChannel({ param_override: operations });
    expect((await chat(model, { seed: 7, top_p: 1 }, { 'x-caller': 'c' })).status).toBe(200);
    expect(sent().json).toEqual({
      model,
      messages,
      seed: 7,
      top_p: 0.5,
      metadata: { team: 'blue' },
    });
    expect(sent().headers).toMatchObject({
      'x-rule': 'ran',
      'x-caller': 'c',
      authorization: 'Bearer upstream-key',
    });
  });

  it('works on bodies that are written', async () => {
    const model = await addChannel({ param_override: operations });
    expect((await claude(model, {}, { 'x-caller': 'c' })).status).toBe(200);
    expect(sent().path).toBe('/v1/chat/completions');
    expect(sent().json).toMatchObject({
      model,
      top_p: 0.5,
      metadata: { team: 'blue' },
      max_tokens: 100,
    });
    expect(sent().headers).toMatchObject({ 'x-rule': 'ran', 'x-caller': 'c' });
  });

  it('works on other operations', async () => {
    const embedding = await addChannel({ param_override: { dimensions: 8 } });
    upstream.answer((response) =>
      sendJson(response, 200, {
        data: [{ index: 0, embedding: [1] }],
        usage: { prompt_tokens: 1, total_tokens: 1 },
      }),
    );
    expect((await post('/v1/embeddings', { model: embedding, input: 'x' })).status).toBe(200);
    expect(sent().json).toEqual({ model: embedding, input: 'x', dimensions: 8 });
  });

  it('sees the failure before a retry', async () => {
    await gateway.set('RetryTimes', 1);
    const rule = {
      operations: [
        {
          mode: 'set',
          path: 'temperature',
          value: 0,
          logic: 'AND',
          conditions: [
            { path: 'retry_index', value: 1 },
            { path: 'last_error.status_code', value: 503 },
          ],
        },
      ],
    };
    const model = await addChannel({ param_override: rule, priority: 1 });
    await gateway.addChannel({
      type: 1,
      baseUrl: upstream.url,
      models: model,
      param_override: JSON.stringify(rule),
    });
    upstream.answer(errorReply(503, { message: 'busy' }), chatReply());
    expect((await chat(model)).status).toBe(200);
    expect(upstream.requests.map(({ json }) => json['temperature'])).toEqual([undefined, 0]);
    await gateway.set('RetryTimes', 0);
  });

  it('may reject with the rule’s message, in the caller’s format, without an upstream request', async () => {
    const value = {
      message: 'no images here',
      status_code: 422,
      code: 'no_images',
      type: 'policy',
    };
    const model = await addChannel({
      param_override: { operations: [{ mode: 'return_error', value }] },
    });
    const reply = await chat(model);
    expect(reply.status).toBe(422);
    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'no_images', type: 'policy' } });
    expect(reply.text).toContain('no images here (request id: ');
    expect(reply.headers.get('x-should-retry')).toBe('false');
    expect(JSON.parse((await claude(model)).text)).toMatchObject({ type: 'error' });
    expect(upstream.requests).toHaveLength(0);
  });

  it('fails over to another channel where the rule allows it', async () => {
    await gateway.set('RetryTimes', 1);
    const operation = {
      mode: 'return_error',
      value: { message: 'not here', status_code: 400, skip_retry: false },
    };
    const model = await addChannel({ param_override: { operations: [operation] }, priority: 1 });
    await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: model });
    expect((await chat(model)).status).toBe(200);
    await gateway.set('RetryTimes', 0);
  });

  it('is refused on save with the place and the reason', async () => {
    const saving = addChannel({
      param_override: { operations: [{ mode: 'set', path: 'a', value: 1 }, { mode: 'boom' }] },
    });
    await expect(saving).rejects.toThrow(
      /param_override\.operations\.1\.mode is not one of the allowed values/,
    );
  });
});

describe('header_override', () => {
  it('sets, replaces credentials, and lets the caller’s headers pass', async () => {
    const header_override = {
      Authorization: 'Token {api_key}',
      'X-From': '{client_header:X-Caller}',
      'X-Absent': '{client_header:x-none}',
      're:^x-trace-': true,
    };
    const model = await addChannel({ setting: { header_override } });
    await chat(model, {}, { 'x-caller': 'c', 'x-trace-id': 't', 'x-other': 'o' });
    expect(sent().headers).toMatchObject({
      authorization: 'Token upstream-key',
      'x-from': 'c',
      'x-trace-id': 't',
    });
    expect(sent().headers).not.toHaveProperty('x-absent');
    expect(sent().headers).not.toHaveProperty('x-other');
  });

  it.each([
    ['the provider’s header', 'authorization', []],
    ['a copy of it', 'x-copy', [{ mode: 'copy_header', from: 'authorization', to: 'x-copy' }]],
    [
      'a header with the placeholder',
      'x-set',
      [{ mode: 'set_header', path: 'x-set', value: 'is {api_key}' }],
    ],
    ['an overridden header', 'x-override', []],
  ])('operations cannot read the key: %s', async (_, name, steps) => {
    const operations = [
      ...steps,
      { mode: 'sync_fields', from: `header:${name}`, to: 'json:user' },
      {
        mode: 'set',
        path: 'seen',
        value: true,
        conditions: [{ path: `header_override.${name}`, mode: 'contains', value: 'upstream' }],
      },
    ];
    const model = await addChannel({
      setting: { header_override: { 'x-override': '{api_key}' } },
      param_override: { operations },
    });
    await chat(model);
    expect(sent().text).not.toContain('upstream');
    expect(sent().text).not.toContain('seen');
    expect(sent().headers[name]).toContain('upstream-key');
  });

  it('forwards all headers except credentials and connection headers', async () => {
    const model = await addChannel({ setting: { header_override: { '*': true } } });
    await chat(
      model,
      {},
      { 'x-other': 'o', cookie: 'a=b', 'x-api-key': 'mine', 'user-agent': 'me/1' },
    );
    expect(sent().headers).toMatchObject({
      'x-other': 'o',
      'user-agent': 'me/1',
      authorization: 'Bearer upstream-key',
    });
    expect(JSON.stringify(sent().headers)).not.toMatch(/a=b|mine/);
    expect(JSON.stringify(sent().headers)).not.toContain(key);
  });

  it.each([
    [{ header_override: { Host: 'x' } }, 'setting.header_override.Host is not a header'],
    [
      { header_override: { 'X-A': '{client_header:authorization}' } },
      'setting.header_override.X-A cannot be used as a header value',
    ],
    [{ header_override: { 're:(a)\\1': true } }, 'is not a valid regular expression'],
    [{ header_override: [] }, 'setting.header_override has the wrong format'],
    [{ proxy: 'ftp://p' }, 'setting.proxy must be an http'],
    [{ force_format: 'yes' }, 'setting.force_format must be true or false'],
    [{ system_prompt: 1 }, 'setting.system_prompt must be text'],
  ])('%o is refused on save', async (setting, words) => {
    await expect(addChannel({ setting })).rejects.toThrow(words);
  });
});

describe('fields that raise cost or disclose data', () => {
  const fields = {
    service_tier: 'priority',
    safety_identifier: 'u',
    inference_geo: 'us',
    store: true,
  };
  const stream_options = { include_obfuscation: false, include_usage: true };
  const dearer = {
    speed: 'fast',
    background: true,
    deferred: true,
    fallbacks: [{ model: 'claude-opus-4-5' }],
    models: ['openai/gpt-4'],
  };

  it('are taken out', async () => {
    const model = await addChannel({});
    await chat(model, { ...fields, stream: true, stream_options });
    expect(sent().json).toEqual({
      model,
      messages,
      store: true,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('are forwarded where the channel allows them; store is removed where the channel disables it', async () => {
    const setting = {
      allow_service_tier: true,
      allow_safety_identifier: true,
      allow_inference_geo: true,
      allow_include_obfuscation: true,
      disable_store: true,
    };
    const model = await addChannel({ setting });
    await chat(model, { ...fields, stream: true, stream_options });
    const { store: _, ...kept } = fields;
    expect(sent().json).toEqual({ model, messages, ...kept, stream: true, stream_options });
  });

  it.each([
    ['so are fields that raise the price or switch the model', {}, {}],
    [
      'but not where the channel allows them',
      { allow_speed: true, allow_background: true, allow_fallbacks: true },
      dearer,
    ],
  ])('%s', async (_, setting, kept) => {
    const model = await addChannel({ setting });
    await chat(model, dearer);
    expect(sent().json).toEqual({ model, messages, ...kept });
  });

  it('a numeric speed and the background of an image are kept', async () => {
    const model = await addChannel({});
    await chat(model, { speed: 1.5, background: 'transparent' });
    expect(sent().json).toEqual({ model, messages, speed: 1.5, background: 'transparent' });
  });

  it('are removed from translated bodies, too', async () => {
    const model = await addChannel({ setting: { force_format: true } });
    await chat(model, fields);
    expect(sent().json).toEqual({ model, messages, store: true });
  });
});

describe('system_prompt', () => {
  const setting = { system_prompt: 'Be kind.' };
  const always = { ...setting, system_prompt_override: true };
  const own = [{ role: 'system', content: 'Be brief.' }, ...messages];

  it('comes first where the caller has none, in each format', async () => {
    await chat(await addChannel({ setting }));
    expect(sent().json['messages']).toEqual([{ role: 'system', content: 'Be kind.' }, ...messages]);
    upstream.requests.length = 0;
    upstream.answer(messagesReply());
    await claude(await addChannel({ setting }, 14, 'claude-opus-4-1-m'));
    expect(sent().json['system']).toBe('Be kind.');
    upstream.requests.length = 0;
    upstream.answer(generateReply());
    const model = await addChannel({ setting }, 24, 'gemini-9');
    await post(`/v1beta/models/${model}:generateContent`, {
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    });
    expect(sent().json['systemInstruction']).toEqual({ parts: [{ text: 'Be kind.' }] });
  });

  it('keeps the caller’s own prompt unless configured otherwise', async () => {
    await chat(await addChannel({ setting }), { messages: own });
    expect(sent().json['messages']).toEqual(own);
    upstream.requests.length = 0;
    await chat(await addChannel({ setting: always }), { messages: own });
    expect(sent().json['messages']).toEqual([
      { role: 'system', content: 'Be kind.\nBe brief.' },
      ...messages,
    ]);
    upstream.requests.length = 0;
    upstream.answer(messagesReply());
    const parts = [{ type: 'text', text: 'Be brief.' }];
    await claude(await addChannel({ setting: always }, 14, 'claude-opus-4-1-m'), { system: parts });
    expect(sent().json['system']).toEqual([{ type: 'text', text: 'Be kind.' }, ...parts]);
  });

  it('is written for other wires, too', async () => {
    await claude(await addChannel({ setting: always }), { system: 'Be brief.' });
    expect(sent().json['messages']).toEqual([
      { role: 'system', content: 'Be kind.\nBe brief.' },
      ...messages,
    ]);
  });
});

describe('thinking_to_content', () => {
  const setting = { thinking_to_content: true };
  const thoughts: Answer = (response, request) => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'text', text: 'Hello' },
    ];
    const usage = { input_tokens: 1, output_tokens: 2 };
    if (request.json['stream'] !== true) {
      return sendJson(response, 200, {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content,
        stop_reason: 'end_turn',
        usage,
      });
    }
    const send = (event: object) => response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    send({ type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage } });
    send({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking: '' },
    });
    send({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'thinking_delta', thinking: 'Hm.' },
    });
    send({ type: 'content_block_stop', index: 0 });
    send({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } });
    send({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hello' } });
    send({ type: 'content_block_stop', index: 1 });
    send({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: 2 },
    });
    send({ type: 'message_stop' });
    response.end();
  };

  it('is done for chat callers, whichever vendor thought', async () => {
    upstream.answer(thoughts);
    const model = await addChannel({ setting }, 14, 'claude-opus-4-1-m');
    const { choices } = JSON.parse((await chat(model)).text) as { choices: { message: object }[] };
    expect(choices[0]?.message).toEqual({
      role: 'assistant',
      refusal: null,
      content: '<think>\nHm.\n</think>\nHello',
    });
    const streamed = await chat(model, { stream: true });
    const texts = [...streamed.text.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text]) => JSON.parse(text ?? '""') as string,
    );
    expect(texts.join('')).toBe('<think>\nHm.\n</think>\nHello');
    expect(streamed.text).not.toContain('reasoning');
  });

  it('does not apply to callers whose format has a thinking field', async () => {
    upstream.answer(thoughts);
    const model = await addChannel({ setting }, 14, 'claude-opus-4-1-m');
    expect((await claude(model)).text).toContain('"thinking":"Hm."');
  });
});

describe('bodies that pass unchanged', () => {
  const rules = { param_override: { top_p: 0.1 }, model_mapping: {} };

  it('where the channel enables it: only header rules apply', async () => {
    const setting = {
      pass_through_body_enabled: true,
      system_prompt: 'Be kind.',
      header_override: { 'X-A': 'a' },
    };
    const model = await addChannel({ ...rules, setting });
    const body = { model, messages, service_tier: 'priority', stream: true };
    await post('/v1/chat/completions', body);
    expect(sent().text).toBe(JSON.stringify(body));
    expect(sent().headers['x-a']).toBe('a');
  });

  it('where the site enables it', async () => {
    const model = await addChannel(rules);
    await gateway.set('global.pass_through_request_enabled', true);
    await chat(model, { service_tier: 'priority' });
    await gateway.set('global.pass_through_request_enabled', false);
    expect(sent().text).toBe(JSON.stringify({ model, messages, service_tier: 'priority' }));
  });
});

describe('names and statuses', () => {
  it('follows a chain of models to its end; the organization is forwarded', async () => {
    const model = await addChannel({ openai_organization: 'org-1' });
    const [channel] = (await gateway.client.channel.list({ p: 0, page_size: 1, id_sort: true }))
      .items;
    await gateway.client.channel.update({
      id: channel?.id ?? 0,
      model_mapping: JSON.stringify({ [model]: 'b', b: 'c', c: 'c' }),
    });
    await chat(model);
    expect(sent().json['model']).toBe('c');
    expect(sent().headers['openai-organization']).toBe('org-1');
  });

  it.each([
    ['{"a":"b","b":"a"}', /cycle/],
    ['{"a":["b"]}', /model_mapping\.a must be text/],
  ])('mapping %s is refused on save', async (model_mapping, words) => {
    await expect(addChannel({ model_mapping })).rejects.toThrow(words);
  });

  it('maps error statuses by number or text', async () => {
    const model = await addChannel({ status_code_mapping: { 400: 418, 404: '503' } });
    upstream.answer(
      errorReply(400, { message: 'x' }),
      errorReply(404, { message: 'x' }),
      errorReply(409, { message: 'x' }),
    );
    expect([
      (await chat(model)).status,
      (await chat(model)).status,
      (await chat(model)).status,
    ]).toEqual([418, 503, 409]);
  });

  it.each(['{"200":"500"}', '{"400":"200"}', '{"400":"soon"}', '{"4xx":500}', '{"400":4000}'])(
    'status mapping %s is refused on save',
    async (status_code_mapping) => {
      await expect(addChannel({ status_code_mapping })).rejects.toThrow(/must map error statuses/);
    },
  );
});

it('an SDK notices none of these rules', async () => {
  upstream.answer(messagesReply());
  const model = await addChannel(
    { param_override: operations, setting: { header_override: { '*': true } } },
    14,
    'claude-opus-4-1-m',
  );
  const client = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 });
  const reply = await client.messages.create({
    model,
    max_tokens: 50,
    messages: [{ role: 'user', content: 'Hello' }],
  });
  expect(reply.content).toEqual([{ type: 'text', text: 'Hello from Claude' }]);
  expect(sent().headers['x-api-key']).toBe('upstream-key');
});

describe('a channel with send_user_hash', () => {
  const rules = { setting: { send_user_hash: true } };
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
  const messages = [{ role: 'user', content: 'hello' }];
  const sent = () => upstream.requests[0]?.json ?? {};

  it.each([
    ['forwarded chats', '/v1/chat/completions', 1, 'safety_identifier'],
    ['forwarded responses', '/v1/responses', 1, 'safety_identifier'],
    ['translated messages', '/v1/messages', 1, 'safety_identifier'],
    ['forwarded chats of another vendor', '/v1/chat/completions', 20, 'user'],
    ['translated chats', '/v1/chat/completions', 26, 'user_id'],
  ])('names the user to the vendor in %s', async (_, path, type, field) => {
    const model = await addChannel(rules, type);
    const given = path === '/v1/responses' ? { input: 'hello' } : { messages, max_tokens: 5 };
    await post(path, { model, ...given, safety_identifier: 'theirs' });
    expect(sent()[field]).toEqual(hash);
    expect(JSON.stringify(sent())).not.toContain('theirs');
    expect(sent()['model']).toBe(model);
  });

  it('replaces Anthropic’s user id and keeps what else is in metadata', async () => {
    const model = await addChannel(rules, 14);
    upstream.answer(messagesReply());
    const metadata = { user_id: 'somebody', other: 1 };
    await post('/v1/messages', { model, messages, max_tokens: 5, metadata });
    expect(sent()['metadata']).toEqual({ user_id: hash, other: 1 });
    upstream.requests.length = 0;
    await post('/v1/chat/completions', { model, messages, user: 'somebody' });
    expect(sent()['metadata']).toEqual({ user_id: hash });
    // Another vendor that speaks this wire beside its own.
    upstream.requests.length = 0;
    const zhipu = await addChannel(rules, 26);
    await post('/v1/messages', { model: zhipu, messages, max_tokens: 5 });
    expect(sent()).toMatchObject({ metadata: { user_id: hash } });
    expect(sent()).not.toHaveProperty('user_id');
  });

  it('is the same for all tokens of a user, another for another user, and off by default', async () => {
    const model = await addChannel(rules);
    const other = await gateway.addCustomer(1_000_000_000);
    const names: unknown[] = [];
    for (const authorization of [`Bearer ${key}`, `Bearer ${other.key}`, `Bearer ${key}`]) {
      upstream.requests.length = 0;
      await post('/v1/chat/completions', { model, messages }, { authorization });
      names.push(sent()['safety_identifier']);
    }
    expect(names[0]).toBe(names[2]);
    expect(names[0]).not.toBe(names[1]);
    upstream.requests.length = 0;
    const silent = await addChannel({});
    await post('/v1/chat/completions', { model: silent, messages });
    expect(Object.keys(sent())).toEqual(['model', 'messages']);
  });

  it('leaves other calls, vendors without a field, and bodies passed unchanged as they are', async () => {
    const model = await addChannel(rules);
    await post('/v1/embeddings', { model, input: 'hello' });
    expect(Object.keys(sent())).toEqual(['model', 'input']);
    for (const [setting, type] of [
      [rules.setting, 43],
      [{ ...rules.setting, pass_through_body_enabled: true }, 1],
    ] as const) {
      upstream.requests.length = 0;
      const name = await addChannel({ setting }, type);
      await post('/v1/chat/completions', { model: name, messages });
      expect(JSON.stringify(sent())).not.toMatch(/[0-9a-f]{64}/);
    }
    await expect(addChannel({ setting: { send_user_hash: 'yes' } })).rejects.toThrow(
      /send_user_hash/,
    );
  });
});

describe('conversations that a vendor keeps by names of callers', () => {
  const chatAs = async (user: string, model: string, extra: object) => {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages, ...extra }),
    });
    await reply.arrayBuffer();
    expect(reply.status).toBe(200);
    return upstream.requests.at(-1)?.json ?? {};
  };

  it.each([{}, { detail: true }])('are those of each user (%j)', async (how) => {
    const model = await addChannel({}, 22);
    const { key: other } = await gateway.addCustomer(1_000_000);
    const { chatId: mine } = await chatAs(key, model, { ...how, chatId: '111' });
    expect(mine).toMatch(/^[0-9a-f]{16}-111$/);
    expect((await chatAs(key, model, { ...how, chatId: '111' }))['chatId']).toBe(mine);
    const { chatId: theirs } = await chatAs(other, model, { ...how, chatId: '111' });
    expect(theirs).toMatch(/-111$/);
    expect(theirs).not.toBe(mine);
    // As FastGPT returns it: for its owner, and for nobody else.
    expect((await chatAs(key, model, { ...how, chatId: mine }))['chatId']).toBe(mine);
    expect((await chatAs(other, model, { ...how, chatId: mine }))['chatId']).not.toBe(mine);
    const without = await chatAs(key, model, { ...how, appId: 'another' });
    expect([without['chatId'], without['appId']]).toEqual([undefined, undefined]);
  });
});
