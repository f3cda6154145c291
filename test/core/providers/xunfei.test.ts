import { describe, expect, it } from 'vitest';
import type { Call, Effects } from '../../../src/core/canonical/provider.ts';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { builtInProviders } from '../../../src/core/providers/index.ts';
import { sparkHttp } from '../../../src/core/providers/xunfei/http.ts';
import { xunfei } from '../../../src/core/providers/xunfei/index.ts';
import { signAddress, sparkSignature } from '../../../src/core/providers/xunfei/sign.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import { collect, decodeChunks, fixtureBytes } from '../../contract/providers/support/decode.ts';

const { chat } = xunfei.operations;
if (chat?.createStreamDecoder === undefined) throw new Error('Spark chats');

function sparkCall(changes: Partial<Call> = {}): Call {
  const common = {
    baseUrl: 'https://spark-api.xf-yun.com',
    key: new Secret('app|secret|key'),
    model: 'SparkDesk-v3.5',
  };
  return testCall({ ...common, ...changes });
}

function encode(body: JsonObject, changes: Partial<Call> = {}) {
  const request = openAiChat.readRequest({ model: 'm', ...body }, { model: 'm', stream: true });
  return chat?.encode(request, sparkCall(changes)) ?? expect.fail('no chat');
}

interface Frame {
  readonly header: JsonObject;
  readonly parameter: { readonly chat: JsonObject };
  readonly payload: {
    readonly message: { readonly text: readonly JsonObject[] };
    readonly functions?: JsonObject;
  };
}

function frameOf(body: JsonObject, changes: Partial<Call> = {}): Frame {
  return encode(body, changes).body as unknown as Frame;
}

const date = 'Fri, 05 May 2023 10:43:39 GMT';
const hello = [{ role: 'user', content: 'Hello' }];

describe('the address of a Spark socket', () => {
  it('has the signature of the check vector', () => {
    const signature = sparkSignature('MySecret', 'spark-api.xf-yun.com', date, '/v3.5/chat');
    expect(signature).toBe('mGBDP8OrphMLkUAjXiqy9K9NejhJOazUdDgBmL98ScM=');
    const signed = new URL(
      signAddress(
        'wss://spark-api.xf-yun.com/v3.5/chat',
        { APISecret: 'MySecret', APIKey: 'MyKey' },
        new Date(date),
      ),
    );
    expect(Object.fromEntries(signed.searchParams)).toEqual({
      authorization: Buffer.from(
        `api_key="MyKey", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`,
      ).toString('base64'),
      date,
      host: 'spark-api.xf-yun.com',
    });
  });

  it('is signed for the host that the channel names', async () => {
    const effects = { now: () => new Date(date) } as unknown as Effects;
    const call = sparkCall({ baseUrl: 'http://127.0.0.1:9999' });
    const request = await xunfei.authorize?.(
      encode({ messages: hello }, { baseUrl: call.baseUrl }),
      call,
      effects,
    );
    const url = new URL(request?.url ?? '');
    expect([url.protocol, url.host, url.pathname]).toEqual(['ws:', '127.0.0.1:9999', '/v3.5/chat']);
    expect(url.searchParams.get('host')).toBe('127.0.0.1:9999');
  });

  it.each(['one', 'a|b', 'a|b|c|d', 'a||c'])('needs a key of three parts: %j', (key) => {
    expect(() => encode({ messages: hello }, { key: new Secret(key) })).toThrow(
      /^invalid_channel_key {"detail":"APPID\|APISecret\|APIKey"}$/,
    );
  });
});

describe('the version of Spark', () => {
  it.each([
    [
      'the caller’s query',
      { clientPath: '/v1/chat/completions?api-version=v1.1', other: 'v3.1' },
      'lite',
      '/v1.1/chat',
    ],
    ['the model’s name', { model: 'SparkDesk-v3.1', other: 'v3.5' }, 'generalv3', '/v3.1/chat'],
    [
      'the name that is charged, not the query',
      { model: 'SparkDesk-v1.1', clientPath: '/?api-version=v4.0' },
      'lite',
      '/v1.1/chat',
    ],
    ['the channel', { model: 'SparkDesk', other: 'v4.0' }, '4.0Ultra', '/v4.0/chat'],
    ['the default', { model: 'SparkDesk' }, 'lite', '/v1.1/chat'],
    [
      'its own name',
      { model: 'Spark-Max-32K', clientPath: '/?api-version=v1.1' },
      'max-32k',
      '/chat/max-32k',
    ],
    ['its domain', { model: 'pro-128k' }, 'pro-128k', '/chat/pro-128k'],
    [
      'the channel’s version for an unknown model',
      { model: 'my-model', other: 'v3.5' },
      'generalv3.5',
      '/v3.5/chat',
    ],
    ['a newer one', { model: 'SparkDesk-v9' }, 'generalv9', '/v9/chat'],
    ['an unknown version', { clientPath: '/?api-version=../x' }, 'general../x', '/..%2Fx/chat'],
  ])('is chosen by %s', (_who, changes, domain, path) => {
    const request = encode({ messages: hello }, { model: 'SparkDesk', ...changes });
    expect(request.url).toBe(`wss://spark-api.xf-yun.com${path}`);
    expect((request.body as unknown as Frame).parameter.chat.domain).toBe(domain);
  });
});

describe('a question to Spark', () => {
  it('is one frame', () => {
    const body = {
      messages: hello,
      temperature: 0,
      top_k: 9,
      n: 3,
      max_tokens: 100,
      user: 'u'.repeat(40),
    };
    expect(frameOf(body)).toEqual({
      header: { app_id: 'app', uid: 'u'.repeat(32) },
      parameter: { chat: { domain: 'generalv3.5', temperature: 0.01, top_k: 6, max_tokens: 100 } },
      payload: { message: { text: [{ role: 'user', content: 'Hello' }] } },
    });
    expect(frameOf({ messages: hello, max_tokens: 0 }).parameter.chat).toEqual({
      domain: 'generalv3.5',
    });
  });

  it('keeps system messages where the version supports them', () => {
    const messages = [{ role: 'system', content: 'Be kind.' }, ...hello];
    const texts = (model: string) => frameOf({ messages }, { model }).payload.message.text;
    expect(texts('Spark-4.0-Ultra')).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hello' },
    ]);
    expect(texts('Spark-Lite')).toEqual([
      { role: 'user', content: 'Be kind.' },
      { role: 'assistant', content: 'Okay' },
      { role: 'user', content: 'Hello' },
    ]);
  });

  it('offers functions to versions that support them', () => {
    const tools = [
      {
        type: 'function',
        function: { name: 'weather', description: 'Weather', parameters: { type: 'object' } },
      },
    ];
    expect(frameOf({ messages: hello, tools }).payload.functions).toEqual({
      text: [{ name: 'weather', description: 'Weather', parameters: { type: 'object' } }],
    });
    expect(() => frameOf({ messages: hello, tools }, { model: 'Spark-Lite' })).toThrow(
      /unsupported_feature.*v1.1/,
    );
  });

  it('refuses images', () => {
    const content = [{ type: 'image_url', image_url: { url: 'https://images.example/a.png' } }];
    expect(() => frameOf({ messages: [{ role: 'user', content }] })).toThrow(
      /unsupported_feature.*images/,
    );
  });
});

describe('the frames of a reply', () => {
  const decoder = () => chat.createStreamDecoder?.(sparkCall()) ?? expect.fail('no decoder');
  const read = (name: string) =>
    collect(decodeChunks([fixtureBytes('xunfei', name)], 'ndjson', decoder()));

  it('end with status 2, for which the socket is not waited', () => {
    expect(read('stream-text.ndjson')).toMatchObject({
      id: 'cht000cb087@dx18793cd421fb894542',
      text: '我可以帮你 👋。',
      usage: { promptTokens: 5, completionTokens: 9 },
      finishes: ['stop'],
    });
    const one = decoder();
    const frames = fixtureBytes('xunfei', 'stream-text.ndjson').toString().trim().split('\n');
    const done = frames.map((data) => {
      one.push({ event: '', data });
      return one.done;
    });
    expect(done).toEqual([false, false, true]);
    expect(read('stream-after-end.ndjson').text).toBe('All.');
  });

  it('may hold a call', () => {
    expect(read('stream-function.ndjson')).toMatchObject({
      calls: [{ name: 'weather', arguments: '{"city":"Oslo"}' }],
      finishes: ['tool-calls'],
    });
  });

  it('may be errors', () => {
    expect(read('stream-error-first.ndjson').errors).toMatchObject([
      { status: 403, code: '11200', message: 'AppIdNoAuthError' },
    ]);
    expect(read('stream-error.ndjson')).toMatchObject({
      text: 'Half',
      errors: [{ status: 503, code: '10010' }],
    });
    expect(read('stream-moderated.ndjson')).toMatchObject({
      text: 'I would',
      finishes: ['content-filter'],
      errors: [],
    });
  });

  it('break off where the socket closes early', () => {
    expect(read('stream-unterminated.ndjson')).toMatchObject({
      text: 'Half an answer',
      finishes: [],
      errors: [{ status: 502 }],
    });
  });

  it('moderated before any output are rejected', () => {
    const parts = decoder().push({
      event: '',
      data: '{"header":{"code":10013,"message":"no","status":2}}',
    });
    expect(parts).toMatchObject([{ type: 'error', error: { status: 400, code: '10013' } }]);
  });
});

describe('Spark over HTTP', () => {
  const http = sparkHttp.operations.chat ?? expect.fail('no chat');

  it('accepts keys without a bar and requires a domain', () => {
    const key = new Secret('the-password');
    expect(builtInProviders.forChannel(18, { key, baseUrl: '', setting: {} })?.slug).toBe(
      'xunfei-http',
    );
    expect(
      builtInProviders.forChannel(18, { key: new Secret('a|b|c'), baseUrl: '', setting: {} })?.slug,
    ).toBe('xunfei');
    const request = openAiChat.readRequest(
      { model: 'm', messages: hello },
      { model: 'm', stream: false },
    );
    const call = testCall({
      key,
      baseUrl: 'https://spark-api-open.xf-yun.com',
      model: 'SparkDesk-v4.0',
    });
    expect(http.encode(request, call as Call<never>)).toMatchObject({
      url: 'https://spark-api-open.xf-yun.com/v1/chat/completions',
      headers: { authorization: 'Bearer the-password' },
      body: { model: '4.0Ultra' },
    });
  });

  it('returns its own errors with status 200', () => {
    const call = testCall() as Call<never>;
    const read = (name: string) =>
      collect(
        decodeChunks(
          [fixtureBytes('xunfei-http', name)],
          'sse',
          http.createStreamDecoder?.(call) ?? expect.fail(),
        ),
      );
    expect(read('stream-text.sse')).toMatchObject({
      text: '你好，我是星火。',
      usage: { promptTokens: 6, completionTokens: 42 },
      finishes: ['stop'],
    });
    expect(read('stream-error.sse').errors).toMatchObject([{ status: 503, code: '10012' }]);
    expect(read('stream-error-first.sse').errors).toMatchObject([{ status: 403, code: '11200' }]);
    expect(() => http.decode({ code: 10007, message: 'busy', sid: '1' }, call)).toThrow('busy');
  });
});
