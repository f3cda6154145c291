/**
 * Requests of the console's playgrounds: a login instead of a token
 * (docs/rules/relay.md#playground).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { logTypes } from '../../../../src/core/vocabulary/log-types.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import {
  chatReply,
  chatStream,
  errorReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startTestGateway();
  await gateway.set('ModelRatio', { 'gpt-test': 1, 'only-vip': 1 });
  await gateway.set('GroupRatio', { default: 1, vip: 2, secret: 1 });
  await gateway.set('UserUsableGroups', { default: 'Default', vip: 'VIP' });
  await gateway.set('RetryTimes', 0);
  await gateway.addChannel({
    type: 1,
    baseUrl: upstream.url,
    models: 'gpt-test,dall-e-3,dall-e-2,unpriced',
    group: 'default,vip,secret',
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

beforeEach(() => upstream.answer(chatReply()));

interface Login {
  readonly id: number;
  readonly username: string;
  readonly cookie: string;
  readonly token: string;
}

async function signIn(quota = 1_000_000): Promise<Login> {
  const { userId, username } = await gateway.addCustomer(quota);
  const reply = await fetch(`${gateway.url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'customer-password' }),
  });
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { id: userId, username, cookie, token: cookie.slice('session='.length) };
}

const byCookie = ({ id, cookie }: Login) => ({ cookie, 'new-api-user': String(id) });

async function post(
  headers: Record<string, string>,
  body: object | string = {},
  path = '/pg/chat/completions',
) {
  const chat = { model: 'gpt-test', messages: [{ role: 'user', content: 'hello' }] };
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'en', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify({ ...chat, ...body }),
  });
  const text = await reply.text();
  const json = text.startsWith('{')
    ? (JSON.parse(text) as { error?: { code?: string; message?: string } })
    : {};
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    error: json.error,
    outcome: [reply.status, json.error?.code],
  };
}

async function lastLog(username: string, type: number = logTypes.consume) {
  const { items } = await gateway.client.log.list({ username, type });
  return items[0];
}

describe('who may call', () => {
  test.each([
    [
      'cookie and new-api-user',
      ({ cookie, id }: Login) => ({ cookie, 'new-api-user': String(id) }),
    ],
    [
      'server-token and user-id',
      ({ token, id }: Login) => ({ 'server-token': token, 'user-id': String(id) }),
    ],
  ])('%s', async (_, headersOf) => {
    const login = await signIn();
    const reply = await post(headersOf(login));
    expect([reply.status, reply.text]).toEqual([
      200,
      expect.stringContaining('Hello from upstream'),
    ]);
  });

  test('visitors, ended sessions and other users’ ids are refused in the shape of OpenAI’s errors', async () => {
    const login = await signIn();
    const visitor = await post({});
    expect([visitor.status, visitor.error]).toEqual([
      401,
      expect.objectContaining({ code: 'not_signed_in', type: 'new_api_error' }),
    ]);
    expect((await post({ cookie: login.cookie })).outcome).toEqual([401, 'user_id_missing']);
    expect((await post({ cookie: login.cookie, 'new-api-user': '1' })).outcome).toEqual([
      401,
      'user_id_mismatch',
    ]);
    await fetch(`${gateway.url}/api/user/logout`, { method: 'POST', headers: byCookie(login) });
    expect((await post(byCookie(login))).outcome).toEqual([401, 'not_signed_in']);
  });

  test('banned and deactivated users are refused', async () => {
    const [banned, deleted] = [await signIn(), await signIn()];
    await gateway.client.user.manage({ id: banned.id, action: 'disable' });
    await gateway.client.user.manage({ id: deleted.id, action: 'delete' });
    for (const login of [banned, deleted]) expect((await post(byCookie(login))).status).toBe(401);
  });

  test('keys of tokens and system access tokens are refused', async () => {
    const login = await signIn();
    const { key } = await gateway.addCustomer(1000);
    const access = await fetch(`${gateway.url}/api/user/token`, {
      method: 'POST',
      headers: byCookie(login),
    });
    const { data } = (await access.json()) as { data: string };
    const id = { 'new-api-user': String(login.id) };
    const keys: Record<string, string>[] = [
      { authorization: `Bearer ${key}` },
      { 'x-api-key': key },
      { authorization: data },
    ];
    for (const headers of keys)
      expect((await post({ ...headers, ...id })).outcome).toEqual([
        400,
        'access_token_not_supported',
      ]);
  });

  test('pages of other sites cannot call, neither with the cookie nor with a header', async () => {
    const login = await signIn();
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://other.example' },
      { origin: 'null' },
    ];
    for (const headers of foreign) {
      expect((await post({ ...byCookie(login), ...headers })).outcome).toEqual([
        403,
        'cross_site_request',
      ]);
      const byHeader = { 'server-token': login.token, 'user-id': String(login.id), ...headers };
      expect((await post(byHeader)).outcome).toEqual([403, 'cross_site_request']);
    }
    const own = { ...byCookie(login), origin: gateway.url, 'sec-fetch-site': 'same-origin' };
    expect((await post(own)).status).toBe(200);
    const preflight = await fetch(`${gateway.url}/pg/chat/completions`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-headers': 'server-token' },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toBeNull();
  });

  test('the limit of API calls by address counts here, too', async () => {
    const limited = await startTestGateway({
      GLOBAL_API_RATE_LIMIT_ENABLE: 'true',
      GLOBAL_API_RATE_LIMIT: '3',
    });
    const call = () => fetch(`${limited.url}/pg/chat/completions`, { method: 'POST', body: '{}' });
    const replies = [await call(), await call(), await call(), await call()];
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    expect(Number(replies[3]?.headers.get('retry-after'))).toBeGreaterThan(1);
    await limited.close();
  });

  test('on a demo site only its owner chats', async () => {
    const login = await signIn();
    await gateway.set('DemoSiteEnabled', true);
    expect((await post(byCookie(login))).outcome).toEqual([405, 'demo_site']);
    await gateway.set('DemoSiteEnabled', false);
  });
});

describe('groups and models', () => {
  test('the group of the body prices the request, is logged, and is not sent on', async () => {
    const login = await signIn();
    expect((await post(byCookie(login), { group: 'vip' })).status).toBe(200);
    expect(upstream.requests.at(-1)?.path).toBe('/v1/chat/completions');
    expect(Object.keys(upstream.requests.at(-1)?.json ?? {})).not.toContain('group');
    const vip = await lastLog(login.username);
    expect(vip).toMatchObject({
      group: 'vip',
      token_name: 'playground-vip',
      token_id: 0,
      model_name: 'gpt-test',
    });
    await post(byCookie(login), { group: '' });
    const own = await lastLog(login.username);
    expect(own).toMatchObject({ group: 'default', token_name: 'playground-default' });
    expect(vip?.quota).toBe(2 * (own?.quota ?? 0));
    const { quota } = await gateway.client.user.get({ id: login.id });
    expect(quota).toBe(1_000_000 - 3 * (own?.quota ?? 0));
    expect((await gateway.client.ledger.verify({})).ok).toBe(true);
  });

  test('refusals have their codes', async () => {
    const headers = byCookie(await signIn());
    expect((await post(headers, { group: 'secret' })).outcome).toEqual([403, 'group_not_allowed']);
    expect((await post(headers, { group: 7 })).outcome).toEqual([403, 'group_not_allowed']);
    expect((await post(headers, { model: '' })).outcome).toEqual([400, 'model_required']);
    expect((await post(headers, { model: 'only-vip' })).outcome).toEqual([
      500,
      'get_playground_channel_failed',
    ]);
    expect((await post(headers, '{"model"')).outcome).toEqual([400, 'invalid_json']);
    const images = await post(
      headers,
      { model: undefined, prompt: 'a gate' },
      '/pg/images/generations',
    );
    expect(images.outcome).toEqual([400, 'model_required']);
  });

  test('a small wallet', async () => {
    const headers = byCookie(await signIn(1));
    expect((await post(headers, { max_tokens: 8192 })).outcome).toEqual([
      403,
      'insufficient_user_quota',
    ]);
  });

  test('consent to models without a price is the user’s own setting', async () => {
    const login = await signIn();
    const ask = () => post(byCookie(login), { model: 'unpriced' });
    expect((await ask()).outcome).toEqual([403, 'model_price_error']);
    await fetch(`${gateway.url}/api/user/setting`, {
      method: 'PUT',
      headers: { ...byCookie(login), 'content-type': 'application/json' },
      body: JSON.stringify({
        notify_type: 'email',
        quota_warning_threshold: 1,
        accept_unset_model_ratio_model: true,
      }),
    });
    expect((await ask()).status).toBe(200);
  });
});

describe('errors of upstreams', () => {
  test('a 401 never reaches the console as one, nor does the upstream’s empty wallet look like the user’s', async () => {
    const headers = byCookie(await signIn());
    upstream.answer(errorReply(401, { message: 'Incorrect API key', code: 'invalid_api_key' }));
    expect((await post(headers)).outcome).toEqual([502, 'upstream_unauthorized']);
    upstream.answer(
      errorReply(403, {
        message: 'no money',
        type: 'new_api_error',
        code: 'insufficient_user_quota',
      }),
    );
    expect((await post(headers)).outcome).toEqual([502, 'upstream_unauthorized']);
    upstream.answer(errorReply(400, { message: 'too long', code: 'context_length_exceeded' }));
    expect((await post(headers)).outcome).toEqual([400, 'context_length_exceeded']);
  });

  test('streams end with [DONE]; a broken one with an error', async () => {
    const headers = byCookie(await signIn());
    upstream.answer(chatStream(['one ', 'two']));
    const whole = await post(headers, { stream: true });
    expect(whole.text.endsWith('data: [DONE]\n\n')).toBe(true);
    upstream.answer(chatStream(['one ', 'two'], null, { end: 'cut' }));
    const cut = await post(headers, { stream: true });
    expect([cut.text.includes('"code":"upstream_cut"'), cut.text.includes('[DONE]')]).toEqual([
      true,
      false,
    ]);
  });
});

test('images are generated in the same way', async () => {
  const login = await signIn();
  upstream.answer((response) =>
    sendJson(response, 200, { created: 1, data: [{ b64_json: 'aGVsbG8=' }] }),
  );
  const body = { model: 'dall-e-3', prompt: 'a gate', messages: undefined, group: 'vip' };
  const reply = await post(byCookie(login), body, '/pg/images/generations');
  expect([reply.status, upstream.requests.at(-1)?.path]).toEqual([200, '/v1/images/generations']);
  expect(await lastLog(login.username)).toMatchObject({
    token_name: 'playground-vip',
    group: 'vip',
    model_name: 'dall-e-3',
  });
});

describe('the key that a page gives a request', () => {
  const playgroundKey = async (username: string, type?: number) =>
    readLogOther((await lastLog(username, type))?.other ?? '').playground_key;

  test('is on the row of its charge, and is not sent on; what is no key is left out', async () => {
    const login = await signIn();
    await post({ ...byCookie(login), 'x-playground-key': 'page-1_a' });
    expect(await playgroundKey(login.username)).toBe('page-1_a');
    expect(upstream.requests.at(-1)?.headers).not.toHaveProperty('x-playground-key');
    await post({ ...byCookie(login), 'x-playground-key': 'two words' });
    expect(await playgroundKey(login.username)).toBeUndefined();
  });

  test('finds what a request cost that was stopped before the reply began', async () => {
    const login = await signIn();
    const held = Promise.withResolvers<void>();
    upstream.answer(() => held.resolve());
    const abort = new AbortController();
    const reply = fetch(`${gateway.url}/pg/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-playground-key': 'stopped',
        ...byCookie(login),
      },
      body: JSON.stringify({
        model: 'gpt-test',
        stream: true,
        messages: [{ role: 'user', content: 'hello' }],
      }),
      signal: abort.signal,
    }).catch(() => undefined);
    await held.promise;
    abort.abort();
    await reply;
    // What nobody got a word of costs nothing, and the log says so.
    await expect
      .poll(() => playgroundKey(login.username, logTypes.error), { timeout: 30_000 })
      .toBe('stopped');
    expect((await lastLog(login.username, logTypes.error))?.quota).toBe(0);
    expect(await lastLog(login.username)).toBeUndefined();
    expect((await gateway.client.user.get({ id: login.id })).quota).toBe(1_000_000);
  });
});
