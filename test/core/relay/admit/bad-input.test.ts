/**
 * Invalid requests and their errors: in the caller's format and language, with a request id
 * (docs/rules/relay.md#token-checks).
 */
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expireSoon } from '../../../support/expire-token.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { chatReply, startUpstream, type TestUpstream } from '../../../support/upstream.ts';

let gateway: TestGateway;
let upstream: TestUpstream;
let good: string;

beforeAll(async () => {
  gateway = await startTestGateway({ MAX_REQUEST_BODY_MB: '1' });
  upstream = await startUpstream();
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-4o,unpriced-model' });
  good = (await gateway.addCustomer(10_000_000)).key;
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
  upstream.answer(chatReply());
});

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly error: {
      readonly message: string;
      readonly type: string;
      readonly code?: string;
      readonly param?: string;
    };
    readonly type?: string;
  };
}

async function post(
  path: string,
  key: string,
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'accept-language': 'en',
      ...headers,
    },
    body,
  });
  return {
    status: reply.status,
    headers: reply.headers,
    body: (await reply.json()) as Reply['body'],
  };
}

const chat = (fields: object = {}) =>
  JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...fields });
const asked = (key: string, fields: object = {}, headers: Record<string, string> = {}) =>
  post('/v1/chat/completions', key, chat(fields), headers);

describe('tokens', () => {
  it.each([
    ['none', '', 401, 'token_missing'],
    ['unknown', 'sk-nobody', 401, 'token_unknown'],
  ])('%s', async (_name, key, status, code) => {
    const reply = await asked(key);
    expect(reply).toMatchObject({
      status,
      body: { error: { code, type: 'new_api_error', param: '' } },
    });
    expect(reply.headers.get('x-should-retry')).toBe('false');
    expect(reply.body.error.message).toMatch(/\(request id: \w{31}\)$/);
    expect(reply.headers.get('x-oneapi-request-id')).toBe(
      /request id: (\w+)/.exec(reply.body.error.message)?.[1],
    );
  });

  it('disabled, expired, exhausted: each with its code, and known the moment it changes', async () => {
    const { key, tokenId } = await gateway.addCustomer(1_000_000);
    expect((await asked(key)).status).toBe(200);
    await gateway.client.userTokens.update({ id: tokenId, status: 2 });
    expect((await asked(key)).body.error.code).toBe('token_disabled');
    await gateway.client.userTokens.update({ id: tokenId, status: 1 });
    expect((await asked(key)).status).toBe(200);
    await gateway.client.userTokens.remove({ id: tokenId });
    expect((await asked(key)).body.error.code).toBe('token_unknown');

    const short = await gateway.addCustomer(1_000_000);
    expect((await asked(short.key)).status).toBe(200);
    await expireSoon(gateway.client, short.tokenId);
    await expect.poll(async () => (await asked(short.key)).body.error?.code).toBe('token_expired');
    await expect
      .poll(async () => (await gateway.client.userTokens.get({ id: short.tokenId })).status)
      .toBe(3);

    const small = await gateway.addCustomer(1_000_000, {
      unlimited_quota: false,
      remain_quota: 6000,
    });
    expect((await asked(small.key)).status).toBe(200);
    expect((await asked(small.key)).body.error.code).toBe('pre_consume_token_quota_failed');
  });

  it('marks a used-up token as exhausted', async () => {
    const { key, tokenId } = await gateway.addCustomer(1_000_000, {
      unlimited_quota: false,
      remain_quota: 6000,
    });
    upstream.answer(
      chatReply('x', { prompt_tokens: 100, completion_tokens: 5000, total_tokens: 5100 }),
    );
    expect((await asked(key)).status).toBe(200);
    expect((await asked(key)).body.error.code).toBe('token_exhausted');
    await expect
      .poll(async () => (await gateway.client.userTokens.get({ id: tokenId })).status)
      .toBe(4);
    expect((await asked(key)).body.error.code).toBe('token_exhausted');
  });

  it('forbidden models, addresses and groups', async () => {
    const limited = await gateway.addCustomer(1_000_000, {
      model_limits_enabled: true,
      model_limits: 'gpt-3.5-turbo',
    });
    expect(await asked(limited.key)).toMatchObject({
      status: 403,
      body: { error: { code: 'model_not_allowed' } },
    });
    const remote = await gateway.addCustomer(1_000_000, { allow_ips: '10.0.0.0/8\n2001:db8::/32' });
    expect(await asked(remote.key)).toMatchObject({
      status: 403,
      body: { error: { code: 'ip_not_allowed' } },
    });
    const local = await gateway.addCustomer(1_000_000, { allow_ips: '127.0.0.0/8' });
    expect((await asked(local.key)).status).toBe(200);
  });

  it('banned and deleted owners, immediately', async () => {
    const { key, userId } = await gateway.addCustomer(1_000_000);
    expect((await asked(key)).status).toBe(200);
    await gateway.client.user.manage({ id: userId, action: 'disable' });
    expect(await asked(key)).toMatchObject({
      status: 403,
      body: { error: { code: 'user_banned' } },
    });
    await gateway.client.user.manage({ id: userId, action: 'enable' });
    expect((await asked(key)).status).toBe(200);
    await gateway.client.user.manage({ id: userId, action: 'delete' });
    expect((await asked(key)).status).toBe(401);
  });

  it('lets only administrators pin a channel', async () => {
    const { key } = await gateway.addCustomer(1_000_000);
    expect(await asked(`${key}-1`)).toMatchObject({
      status: 403,
      body: { error: { code: 'channel_pin_forbidden' } },
    });
  });

  it('reads the key from every place where clients send it', async () => {
    const plain = { authorization: '' };
    const send = (headers: Record<string, string>, path = '/v1/chat/completions') =>
      post(path, '', chat(), { ...plain, ...headers });
    expect((await send({ 'x-api-key': good })).status).toBe(200);
    expect((await send({ 'x-goog-api-key': good })).status).toBe(200);
    expect((await send({ authorization: good.slice(3) })).status).toBe(200);
    expect((await send({ authorization: 'Bearer somebody-elses', 'x-api-key': good })).status).toBe(
      200,
    );
    expect((await send({}, `/v1/chat/completions?key=${good}`)).status).toBe(200);
    expect(
      JSON.stringify(upstream.requests.map((request) => [request.headers, request.path])),
    ).not.toContain(good.slice(3));
  });
});

describe('bodies', () => {
  it.each([
    ['no JSON', '{"model":"gpt-4o",', 'invalid_json'],
    ['a list', '[]', 'invalid_json'],
    ['nothing', '', 'invalid_json'],
    ['no model', JSON.stringify({ messages: [] }), 'model_required'],
    ['a model that is no text', chat({ model: 7 }), 'model_required'],
    ['no messages', JSON.stringify({ model: 'gpt-4o' }), 'invalid_text_request'],
    ['messages of the wrong type', chat({ messages: 'hi' }), 'invalid_text_request'],
    ['a stream flag of the wrong type', chat({ stream: 'yes' }), 'invalid_text_request'],
    ['max_tokens of the wrong type', chat({ max_tokens: 'many' }), 'invalid_text_request'],
    ['max_tokens beyond reason', chat({ max_tokens: 2 ** 40 }), 'invalid_text_request'],
    [
      'a forbidden word',
      chat({ messages: [{ role: 'user', content: 'a TEST_Sensitive b' }] }),
      'sensitive_words_detected',
    ],
    [
      'a forbidden word behind escapes',
      chat().replace('hi', 'test\\u005fsensitive'),
      'sensitive_words_detected',
    ],
  ])('%s', async (_name, body, code) => {
    const reply = await post('/v1/chat/completions', good, body);
    expect(reply).toMatchObject({ status: 400, body: { error: { code, type: 'new_api_error' } } });
    expect(upstream.requests).toHaveLength(0);
  });

  it.each([0, 100_000])('with a byte order mark, which no upstream gets (%s)', async (length) => {
    const body = chat({ user: 'x'.repeat(length) });
    const reply = await post('/v1/chat/completions', good, `\ufeff${body}`);
    expect(reply.status).toBe(200);
    expect(upstream.requests[0]?.text).toBe(body);
  });

  it('malformed or nested beyond reason inside a large body, without leaving a hold', async () => {
    const { key } = await gateway.addCustomer(6000);
    const large = 'word '.repeat(2000);
    const head = `{"model":"gpt-4o","max_tokens":100,"messages":[{"role":"user","content":"${large}"}],`;
    const deep = `${'['.repeat(100_000)}"test_sensitive"${']'.repeat(100_000)}`;
    for (const body of [`${head}"stream_options":{x}}`, `${head}"tools":[],"input":${deep}}`]) {
      const small = await gateway.addCustomer(100_000);
      const reply = await post('/v1/chat/completions', small.key, body);
      expect([reply.status, reply.body.error.code]).toEqual([400, 'invalid_json']);
      // The whole wallet can still be held.
      expect((await asked(small.key, { max_tokens: 19_000 })).status).toBe(200);
    }
    expect((await asked(key, { max_tokens: 1000 })).status).toBe(200);
  });

  it('too large, also behind compression', async () => {
    const big = chat({ messages: [{ role: 'user', content: 'x'.repeat(1_100_000) }] });
    expect(await post('/v1/chat/completions', good, big)).toMatchObject({
      status: 413,
      body: { error: { code: 'request_too_large' } },
    });
    const packed = gzipSync(big);
    expect(packed.length).toBeLessThan(20_000);
    expect(
      (await post('/v1/chat/completions', good, packed, { 'content-encoding': 'gzip' })).status,
    ).toBe(413);
    expect(
      (await post('/v1/chat/completions', good, gzipSync(chat()), { 'content-encoding': 'gzip' }))
        .status,
    ).toBe(200);
    expect(
      (await post('/v1/chat/completions', good, 'not gzip', { 'content-encoding': 'gzip' })).body
        .error.code,
    ).toBe('invalid_encoding');
    expect(
      (await post('/v1/chat/completions', good, 'x', { 'content-encoding': 'rot13' })).status,
    ).toBe(415);
  });

  it('rejected before they arrived leave the connection open', async () => {
    const body = chat({ messages: [{ role: 'user', content: 'x'.repeat(100_000) }] });
    const head = (key: string, length: number) =>
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: ${length}\r\n\r\n`;
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    let heard = '';
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString();
    });
    const statuses = () => [...heard.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
    socket.write(head('sk-nobody', body.length) + body.slice(0, 1000));
    await expect.poll(statuses).toEqual(['401']);
    socket.write(body.slice(1000) + head(good, chat().length) + chat());
    await expect.poll(statuses).toEqual(['401', '200']);
    expect(heard).not.toContain('connection: close');
    socket.write(head(good, 2_000_000));
    await expect.poll(statuses).toEqual(['401', '200', '413']);
    expect(heard).toContain('connection: close');
    socket.destroy();
  });

  it('models without a channel or without a price', async () => {
    const nobody = await asked(good, { model: 'nobody-has-this' });
    expect(nobody).toMatchObject({ status: 503, body: { error: { code: 'no_channel' } } });
    expect([nobody.headers.get('x-should-retry'), nobody.headers.get('retry-after')]).toEqual([
      'false',
      null,
    ]);
    const unpriced = await asked(good, { model: 'unpriced-model' });
    expect(unpriced).toMatchObject({ status: 403, body: { error: { code: 'model_price_error' } } });
    expect(unpriced.headers.get('x-should-retry')).toBe('false');
  });

  it('empty wallets', async () => {
    const { key } = await gateway.addCustomer(0);
    expect(await asked(key)).toMatchObject({
      status: 403,
      body: { error: { code: 'insufficient_user_quota' } },
    });
  });
});

describe('formats and languages', () => {
  it("replies to Anthropic's callers in Anthropic's shape", async () => {
    const wrong = await post('/v1/messages', 'sk-nobody', '{}');
    expect(wrong).toMatchObject({
      status: 401,
      body: { type: 'error', error: { type: 'authentication_error' } },
    });
    const invalid = await post('/v1/messages', good, '{"model":"gpt-4o"}');
    expect(invalid).toMatchObject({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error' } },
    });
  });

  it('uses Chinese unless English is requested', async () => {
    expect((await asked('sk-nobody', {}, { 'accept-language': '' })).body.error.message).toMatch(
      /令牌/,
    );
    expect(
      (await asked('sk-nobody', {}, { 'accept-language': 'en-GB,en;q=0.9' })).body.error.message,
    ).toMatch(/token/i);
  });

  it('distinguishes unsupported paths from unknown ones', async () => {
    expect(await post('/v1/edits', good, '{}')).toMatchObject({
      status: 501,
      body: { error: { code: 'api_not_implemented' } },
    });
    expect((await post('/v1/edits', 'sk-nobody', '{}')).status).toBe(401);
    const unknown = await post('/v1/nothing', good, '{}');
    expect(unknown).toMatchObject({
      status: 404,
      body: { error: { message: 'Invalid URL (POST /v1/nothing)', type: 'invalid_request_error' } },
    });
    expect(
      (await fetch(`${gateway.url}/v1/responses`, { headers: { authorization: `Bearer ${good}` } }))
        .status,
    ).toBe(426);
  });

  it('replies to preflights and lists models in three shapes', async () => {
    const preflight = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: { 'access-control-request-headers': 'authorization,x-own' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'authorization,x-own',
    ]);
    const list = async (headers: Record<string, string>) =>
      (
        await fetch(`${gateway.url}/v1/models`, {
          headers: { authorization: `Bearer ${good}`, ...headers },
        })
      ).json();
    expect(await list({})).toMatchObject({
      success: true,
      object: 'list',
      data: [{ id: 'gpt-4o', object: 'model', owned_by: 'openai' }],
    });
    expect(await list({ 'anthropic-version': '2023-06-01' })).toMatchObject({
      data: [{ id: 'gpt-4o', type: 'model' }],
      has_more: false,
    });
    expect(await list({ 'x-goog-api-key': good })).toMatchObject({
      models: [{ name: 'models/gpt-4o' }],
    });
    const one = await fetch(`${gateway.url}/v1/models/absent`, {
      headers: { authorization: `Bearer ${good}` },
    });
    expect([one.status, ((await one.json()) as Reply['body']).error.code]).toEqual([
      404,
      'model_not_found',
    ]);
  });
});

describe('channels', () => {
  it('are disabled when their key is rejected twice within a minute, and skipped immediately', async () => {
    await gateway.set('AutomaticDisableChannelEnabled', true);
    await gateway.set('RetryTimes', 0);
    const refusing = createServer((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(
        '{"error":{"message":"Incorrect API key provided: sk-secretsecretsecret","type":"invalid_request_error","code":"invalid_api_key"}}',
      );
    });
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const address = refusing.address();
    const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const id = await gateway.addChannel({ type: 1, baseUrl, models: 'gpt-4o', priority: 5 });
    const first = await asked(good);
    expect(first.status).toBe(502);
    expect(first.body.error.message).not.toContain('secretsecret');
    expect((await gateway.client.channel.get({ id })).status).toBe(1);
    await asked(good);
    expect((await asked(good)).status).toBe(200);
    await expect.poll(async () => (await gateway.client.channel.get({ id })).status).toBe(3);
    expect((await gateway.client.channel.get({ id })).other_info).toContain('status_reason');
    await gateway.client.channel.remove({ id });
    refusing.close();
  });
});

describe('rate limits per user', () => {
  it('count all requests and successful ones, and say when to come back', async () => {
    await gateway.set('ModelRequestRateLimitSuccessCount', 2);
    await gateway.set('ModelRequestRateLimitEnabled', true);
    const limited = await gateway.addCustomer(1_000_000);
    const other = await gateway.addCustomer(1_000_000);
    expect([(await asked(limited.key)).status, (await asked(limited.key)).status]).toEqual([
      200, 200,
    ]);
    const refused = await asked(limited.key);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
    expect((await asked(other.key)).status).toBe(200);
    await gateway.set('ModelRequestRateLimitCount', 1);
    const third = await gateway.addCustomer(1_000_000);
    expect([
      (await asked(third.key, { model: 'nobody' })).status,
      (await asked(third.key)).status,
    ]).toEqual([503, 429]);
    await gateway.set('ModelRequestRateLimitEnabled', false);
    expect((await asked(limited.key)).status).toBe(200);
  });
});
