import { decodeJwt, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { ReplyFailure } from '../../../src/core/canonical/kit/failure.ts';
import type { Call, Effects } from '../../../src/core/canonical/provider.ts';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { zhipu, zhipu4v } from '../../../src/core/providers/zhipu/index.ts';
import { signZhipuToken } from '../../../src/core/providers/zhipu/jwt.ts';
import { anthropicMessages } from '../../../src/core/relay/formats/anthropic-messages/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import {
  collect,
  decodeChunks,
  fixtureBytes,
  fixtureJson,
} from '../../contract/providers/support/decode.ts';

const base = 'https://open.bigmodel.cn';

function zhipuCall(changes: Partial<Call> = {}): Call<never> {
  return testCall({
    baseUrl: base,
    key: new Secret('id.secret'),
    model: 'glm-4.7',
    ...changes,
  }) as Call<never>;
}

function encode(body: JsonObject, changes: Partial<Call> = {}, provider = zhipu4v) {
  const request = openAiChat.readRequest(
    { model: 'm', ...body },
    { model: 'm', stream: body.stream === true },
  );
  return provider.operations.chat?.encode(request, zhipuCall(changes)) ?? expect.fail('no chat');
}

function bodyOf(body: JsonObject, changes: Partial<Call> = {}) {
  return encode(body, changes).body as Record<string, unknown>;
}

function read(slug: 'zhipu' | 'zhipu-4v', name: string, model: string) {
  const decoder =
    zhipu.operations.chat?.createStreamDecoder?.(zhipuCall({ model })) ?? expect.fail('no decoder');
  return collect(decodeChunks([fixtureBytes(slug, name)], 'sse', decoder));
}

const hello = [{ role: 'user', content: 'Hello' }];
const chatglm = { model: 'chatglm_turbo' };

describe('the token for v3', () => {
  it('is the one of the check vector', async () => {
    const token = await signZhipuToken('id', 'secret', 1_700_000_000_000);
    expect(token.split('.')[2]).toBe('AwKa0GKf1KXNkQ5zHiDL1G0J4JX1H7XcRU60d9uRgK4');
    expect(decodeJwt(token)).toEqual({
      api_key: 'id',
      exp: 1_700_086_400_000,
      timestamp: 1_700_000_000_000,
    });
    const { protectedHeader } = await jwtVerify(token, Buffer.from('secret'));
    expect(protectedHeader).toEqual({ alg: 'HS256', sign_type: 'SIGN', typ: 'JWT' });
  });

  it('is renewed ten minutes before it expires, and only for v3', async () => {
    let now = 1_700_000_000_000;
    const cached = new Map<string, { value: string; until: number }>();
    const effects: Effects = {
      sleep: () => Promise.resolve(),
      fetch: () => Promise.reject(new Error('nothing is fetched')),
      now: () => new Date(now),
      cache: {
        get: (key) => ((cached.get(key)?.until ?? 0) > now ? cached.get(key)?.value : undefined),
        set: (key, value, ttl) => void cached.set(key, { value, until: now + ttl * 1000 }),
      },
    };
    const authorize = async (changes: Partial<Call>) =>
      (
        await zhipu.authorize?.(
          encode({ messages: hello }, changes, zhipu),
          zhipuCall(changes),
          effects,
        )
      )?.headers.authorization;
    const first = await authorize(chatglm);
    expect(decodeJwt(first ?? '')).toMatchObject({ timestamp: now });
    now += 86_400_000 - 600_001;
    expect(await authorize(chatglm)).toBe(first);
    now += 2;
    expect(await authorize(chatglm)).not.toBe(first);
    expect(await authorize({ model: 'glm-4.7' })).toBe('Bearer id.secret');
    for (const key of ['plain', 'a.b.c', '.b']) {
      await expect(authorize({ ...chatglm, key: new Secret(key) })).rejects.toMatchObject({
        code: 'invalid_channel_key',
      });
    }
  });
});

describe('a chat for v3', () => {
  it('turns a system message into two entries', () => {
    const body = {
      messages: [{ role: 'system', content: 'Be kind.' }, ...hello],
      temperature: 0,
      top_p: 1,
      request_id: 'r1',
    };
    const plain = encode(body, chatglm, zhipu);
    expect(plain.url).toBe(`${base}/api/paas/v3/model-api/chatglm_turbo/invoke`);
    expect(plain.body).toEqual({
      prompt: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Okay' },
        { role: 'user', content: 'Hello' },
      ],
      temperature: 0.01,
      top_p: 0.99,
      request_id: 'r1',
    });
    const streamed = encode({ messages: hello, stream: true }, chatglm, zhipu);
    expect(streamed.url).toBe(`${base}/api/paas/v3/model-api/chatglm_turbo/sse-invoke`);
    expect(streamed.body).toEqual({
      prompt: [{ role: 'user', content: 'Hello' }],
      incremental: true,
    });
    const tools = [{ type: 'function', function: { name: 'weather' } }];
    expect(() => encode({ messages: hello, tools }, chatglm, zhipu)).toThrow(
      /unsupported_feature.*tools/,
    );
  });

  it('replies with quotation marks around the text, or with an error', () => {
    const chat = zhipu.operations.chat ?? expect.fail('no chat');
    expect(chat.decode(fixtureJson('zhipu', 'reply-text.json'), zhipuCall(chatglm))).toMatchObject({
      id: '75931252186628',
      choices: [{ content: [{ type: 'text', text: ' 你好 ' }], finish: 'stop' }],
      usage: { promptTokens: 215, completionTokens: 302 },
    });
    const failed = (code: number) => {
      try {
        return chat.decode({ success: false, code, msg: 'no' }, zhipuCall(chatglm));
      } catch (error) {
        return error instanceof ReplyFailure ? error.error : error;
      }
    };
    expect(failed(1302)).toMatchObject({
      status: 429,
      type: 'zhipu_error',
      code: '1302',
      message: 'no',
    });
    expect(failed(1002)).toMatchObject({ status: 401, accountFault: true });
    expect(failed(7)).toMatchObject({ status: 400 });
    expect(failed(1999)).toMatchObject({ status: 400, code: '1999' });
  });

  it('streams text of several lines, its usage in `meta`', () => {
    expect(read('zhipu', 'stream-text.sse', 'chatglm_turbo')).toMatchObject({
      text: '人工智能（AI）：\n一门学科👋',
      usage: { promptTokens: 15, completionTokens: 9 },
      finishes: ['stop'],
    });
    expect(read('zhipu', 'stream-interrupted.sse', 'chatglm_turbo').finishes).toEqual([
      'content-filter',
    ]);
    expect(read('zhipu', 'stream-error.sse', 'chatglm_turbo').errors).toMatchObject([
      { status: 429, code: '1305' },
    ]);
    expect(read('zhipu', 'stream-error-first.sse', 'chatglm_turbo').errors).toMatchObject([
      { status: 429, code: '1302' },
    ]);
    expect(read('zhipu', 'stream-json-text.sse', 'chatglm_turbo')).toMatchObject({
      text: '{"success":false}',
      errors: [],
    });
  });
});

describe('a chat for v4', () => {
  it('goes to v4 with the plain key, on channels of type 16 too', () => {
    for (const provider of [zhipu4v, zhipu]) {
      expect(encode({ messages: hello }, {}, provider)).toMatchObject({
        url: `${base}/api/paas/v4/chat/completions`,
        headers: { authorization: 'Bearer id.secret' },
        body: { model: 'glm-4.7', messages: [{ role: 'user', content: 'Hello' }] },
      });
    }
  });

  it.each([
    [
      'https://api.z.ai',
      'https://api.z.ai/api/paas/v4/chat/completions',
      'https://api.z.ai/api/anthropic/v1/messages?beta=true',
    ],
    [
      'https://api.z.ai/api/coding/paas/v4',
      'https://api.z.ai/api/coding/paas/v4/chat/completions',
      'https://api.z.ai/api/anthropic/v1/messages?beta=true',
    ],
    [
      'glm-coding-plan',
      `${base}/api/coding/paas/v4/chat/completions`,
      `${base}/api/anthropic/v1/messages?beta=true`,
    ],
    [
      'glm-coding-plan-international',
      'https://api.z.ai/api/coding/paas/v4/chat/completions',
      'https://api.z.ai/api/anthropic/v1/messages?beta=true',
    ],
  ])('finds its addresses from %s', (baseUrl, chatUrl, messagesUrl) => {
    expect(encode({ messages: hello }, { baseUrl }).url).toBe(chatUrl);
    const fields = { get: () => undefined, has: () => false };
    const entry = zhipu.operations.chat?.passThrough?.find(
      ({ format }) => format === 'anthropic-messages',
    );
    const call = zhipuCall({ baseUrl, clientPath: '/v1/messages?beta=true' });
    expect(entry?.target(fields, call)).toMatchObject({
      url: messagesUrl,
      headers: { authorization: 'Bearer id.secret', 'x-api-key': 'id.secret' },
    });
    expect(entry?.target(fields, { ...call, model: 'chatglm_pro' })).toBeUndefined();
  });

  it('clamps only what the caller sent, keeps stops, and drops what v4 refuses', () => {
    const sampling = { top_p: 1, temperature: 1.4, stop: ['a', 'b'], max_completion_tokens: 50 };
    const refused = {
      frequency_penalty: 1,
      presence_penalty: 1,
      logit_bias: {},
      n: 2,
      logprobs: true,
      user: 'abc',
    };
    expect(
      bodyOf({
        messages: hello,
        ...sampling,
        ...refused,
        stream: true,
        stream_options: { include_usage: true },
      }),
    ).toEqual({
      model: 'glm-4.7',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
      top_p: 0.99,
      temperature: 1,
      stop: ['a', 'b'],
      max_tokens: 50,
    });
    const gentle = bodyOf({
      messages: hello,
      top_p: 0,
      temperature: 0,
      stop: 'END',
      user: 'customer-7',
      do_sample: false,
    });
    expect(gentle).toMatchObject({
      top_p: 0.01,
      temperature: 0,
      stop: ['END'],
      user_id: 'customer-7',
      do_sample: false,
    });
    expect(bodyOf({ messages: hello })).toEqual({
      model: 'glm-4.7',
      messages: [{ role: 'user', content: 'Hello' }],
    });
  });

  it('sends images as bare base64 and leaves addresses alone', () => {
    const content: JsonObject[] = [
      { type: 'text', text: 'What?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      { type: 'image_url', image_url: { url: 'https://images.example/a.png' } },
    ];
    const [message] = bodyOf({ messages: [{ role: 'user', content }] }).messages as {
      content: unknown[];
    }[];
    expect(message?.content.slice(1)).toEqual([
      { type: 'image_url', image_url: { url: 'iVBORw0KGgo=' } },
      { type: 'image_url', image_url: { url: 'https://images.example/a.png' } },
    ]);
  });

  it('supports only tool choice auto, and passes search tools', () => {
    const tools: JsonObject[] = [
      {
        type: 'function',
        function: { name: 'weather', parameters: { type: 'object', properties: {} } },
      },
      { type: 'web_search', web_search: { enable: true } },
    ];
    expect(bodyOf({ messages: hello, tools, tool_choice: 'required' })).toMatchObject({
      tools,
      tool_choice: 'auto',
    });
    const none = bodyOf({ messages: hello, tools, tool_choice: 'none' });
    expect([none.tools, none.tool_choice]).toEqual([undefined, undefined]);
  });

  it('puts a schema into the instructions', () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } };
    const body = bodyOf({
      messages: hello,
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
    });
    expect(body.response_format).toEqual({ type: 'json_object' });
    expect(body.messages).toMatchObject([
      { role: 'system', content: expect.stringContaining('"city"') },
      ...hello,
    ]);
  });

  it('sets `thinking` to enable or disable thinking', () => {
    expect(bodyOf({ messages: hello, reasoning_effort: 'high' })).toMatchObject({
      thinking: { type: 'enabled' },
    });
    expect(bodyOf({ messages: hello, reasoning_effort: 'none' })).toMatchObject({
      thinking: { type: 'disabled' },
    });
    expect(bodyOf({ messages: hello, reasoning_effort: 'high' })).not.toHaveProperty(
      'reasoning_effort',
    );
    expect(bodyOf({ messages: hello, thinking: { type: 'disabled' } })).toMatchObject({
      thinking: { type: 'disabled' },
    });
    expect(
      bodyOf({ messages: hello, reasoning_effort: 'high' }, { model: 'glm-4-plus' }),
    ).not.toHaveProperty('thinking');
    const asked = {
      model: 'm',
      max_tokens: 9,
      messages: hello,
      thinking: { type: 'enabled', budget_tokens: 2000 },
    };
    const request = anthropicMessages.readRequest(asked, { model: 'm', stream: false });
    expect(zhipu4v.operations.chat?.encode(request, zhipuCall()).body).toMatchObject({
      thinking: { type: 'enabled' },
    });
  });

  it.each([
    [{ reasoning_effort: 'none' }, 'low'],
    [{ reasoning_effort: 'medium' }, 'high'],
    [{ reasoning_effort: 'max' }, 'max'],
    [{ thinking: { type: 'disabled' } }, 'low'],
    [{ thinking: { type: 'enabled' } }, undefined],
  ])('GLM 5.3 thinks whatever is asked, %j with effort %s', (asked, effort) => {
    const body = bodyOf({ messages: hello, ...asked }, { model: 'glm-5.3' });
    expect(body.thinking).toEqual({ type: 'enabled' });
    expect(body.reasoning_effort).toBe(effort);
  });

  it('gives earlier thinking back to models that think', () => {
    const messages: JsonObject[] = [
      ...hello,
      { role: 'assistant', content: 'Hi', reasoning_content: 'Greet.' },
      ...hello,
    ];
    const said = (model: string) => (bodyOf({ messages }, { model }).messages as JsonObject[])[1];
    expect(said('glm-4.7')).toMatchObject({ reasoning_content: 'Greet.' });
    expect(said('glm-4-plus')).not.toHaveProperty('reasoning_content');
  });

  it('replies with thinking, tools, sources and its own finish reasons', () => {
    expect(read('zhipu-4v', 'stream-reasoning.sse', 'glm-4.7')).toMatchObject({
      reasoning: 'The user greets. Greet back.',
      text: '你好！👋',
      usage: { promptTokens: 14, completionTokens: 20, cachedTokens: 2 },
      finishes: ['stop'],
    });
    expect(read('zhipu-4v', 'stream-tools.sse', 'glm-4.7')).toMatchObject({
      calls: [
        { id: 'call_9001', arguments: '{"city":"Oslo"}' },
        { id: 'call_9002', arguments: '{"city":"Rome"}' },
      ],
      finishes: ['tool-calls'],
    });
    expect(read('zhipu-4v', 'stream-sensitive.sse', 'glm-4.7').finishes).toEqual([
      'content-filter',
    ]);
    expect(read('zhipu-4v', 'stream-network-error.sse', 'glm-4.7')).toMatchObject({
      finishes: [],
      errors: [{ status: 503, code: 'network_error' }],
    });
    expect(read('zhipu-4v', 'stream-error.sse', 'glm-4.7').errors).toMatchObject([
      { status: 429, code: '1305' },
    ]);
    expect(read('zhipu-4v', 'stream-error-first.sse', 'glm-4.7').errors).toMatchObject([
      { status: 402, code: '1113' },
    ]);
    const chat = zhipu4v.operations.chat ?? expect.fail('no chat');
    const decode = (name: string) => chat.decode(fixtureJson('zhipu-4v', name), zhipuCall());
    expect(() => decode('reply-network-error.json')).toThrow(ReplyFailure);
  });
});

describe('images and embeddings of v4', () => {
  it('are requested with the fields that v4 supports', () => {
    const { image, embedding } = zhipu.operations;
    const wanted = {
      model: 'm',
      prompt: 'a cat',
      count: 2,
      size: '1024x1024',
      responseFormat: 'b64_json',
      user: 'abcdef',
      extra: {},
    } as const;
    expect(image?.encode(wanted, zhipuCall({ model: 'cogview-4' }))).toMatchObject({
      url: `${base}/api/paas/v4/images/generations`,
      body: { model: 'cogview-4', prompt: 'a cat', size: '1024x1024', user_id: 'abcdef' },
    });
    expect(image?.encode(wanted, zhipuCall()).body).not.toHaveProperty('n');
    expect(() =>
      image?.decode({ error: { code: '1301', message: 'unsafe' } }, zhipuCall()),
    ).toThrow('unsafe');
    expect(
      embedding?.encode(
        { model: 'm', input: ['a', 'b'], dimensions: 256, encodingFormat: 'base64', extra: {} },
        zhipuCall({ model: 'embedding-3' }),
      ).body,
    ).toEqual({
      model: 'embedding-3',
      input: ['a', 'b'],
      dimensions: 256,
    });
  });
});
