import { describe, expect, test } from 'vitest';
import { testPassword } from '../support/app.ts';
import { startTestServer } from './http.ts';

describe('envelopes', () => {
  test('a list is a bare array with its total in a header', async () => {
    const { send, signIn, as } = await startTestServer();
    const me = await as(1);
    for (let index = 0; index < 12; index += 1) await me.token.create({ name: `t${index}` });
    const headers = await signIn('root');
    const first = await send('GET', '/api/token/?p=0&size=10', { headers });
    expect(first.json).toMatchObject({ success: true, message: '' });
    expect([(first.json.data as unknown[]).length, first.headers.get('x-total-count')]).toEqual([10, '12']);
    expect((await send('GET', '/api/token/?p=1&size=10', { headers })).json.data).toHaveLength(2);
    expect((await send('GET', '/api/token/?p=-5&size=zero', { headers })).json.data).toHaveLength(10);
    expect((await send('GET', '/api/token/?p=0&size=9999', { headers })).json.data).toHaveLength(12);
  });

  test('pages from 1 echo the corrected page', async () => {
    const { send, signIn } = await startTestServer();
    const headers = await signIn('root');
    const page = async (query: string) => (await send('GET', `/api/user/?${query}`, { headers })).json.data;
    expect(await page('')).toMatchObject({ page: 1, page_size: 10, total: 1 });
    expect(await page('p=0&page_size=0')).toMatchObject({ page: 1, page_size: 10 });
    expect(await page('p=abc&page_size=1000')).toMatchObject({ page: 1, page_size: 100 });
    expect(await page('p=7')).toMatchObject({ page: 7, items: [] });
  });

  test('flat replies have their keys beside success', async () => {
    const { send, signIn } = await startTestServer();
    const reply = await send('GET', '/api/pricing');
    expect(reply.json).toEqual({
      success: true,
      message: '',
      data: [],
      group_ratio: expect.anything(),
      usable_group: expect.anything(),
    });
    const headers = await signIn('root');
    await send('POST', '/api/channel/', {
      headers,
      body: { name: 'c', type: 1, key: 'k', models: 'm', base_url: 'http://127.0.0.1:1' },
    });
    expect((await send('GET', '/api/channel/test/1', { headers })).json).toMatchObject({
      success: false,
      time: expect.any(Number),
      message: expect.stringMatching(/./),
    });
  });

  test('every reply has a request id, none is kept by caches', async () => {
    const { send } = await startTestServer();
    for (const path of ['/api/status', '/api/user/self', '/api/nothing', '/']) {
      expect((await send('GET', path)).headers.get('x-oneapi-request-id')).toMatch(/^\d{23}[A-Za-z0-9]{8}$/);
    }
    expect((await send('GET', '/api/status')).headers.get('cache-control')).toBe('no-store');
  });

  test('the language is the one asked for, Chinese otherwise', async () => {
    const { send } = await startTestServer();
    const message = async (language: string) =>
      (await send('GET', '/api/user/self', { headers: { 'accept-language': language } })).json.message;
    expect(await message('en-GB,zh;q=0.5')).toBe('Not signed in and no access token given');
    expect(await message('fr')).toMatch(/\p{Script=Han}/u);
  });

  test('large replies are compressed', async () => {
    const { send } = await startTestServer();
    const reply = await send('GET', '/api/status', { headers: { 'accept-encoding': 'gzip' } });
    expect(reply.headers.get('content-encoding')).toBe('gzip');
    expect(
      (await send('GET', '/api/notice', { headers: { 'accept-encoding': 'gzip' } })).headers.get('content-encoding'),
    ).toBeNull();
  });
});

describe('paths', () => {
  test('with and without a slash at the end, answered directly', async () => {
    const { send, signIn } = await startTestServer();
    const headers = await signIn('root');
    for (const path of [
      '/api/user/self',
      '/api/user/self/',
      '/api/user',
      '/api/user/',
      '/api/log/self/',
      '/api/data/self/',
      '/api/user/1/',
    ]) {
      const reply = await send('GET', path, { headers });
      expect([path, reply.status, reply.json.success]).toEqual([path, 200, true]);
    }
  });

  test('literal segments win over ids; an id is a positive integer', async () => {
    const { send, signIn } = await startTestServer();
    const headers = await signIn('root');
    expect((await send('GET', '/api/user/search?keyword=root', { headers })).json.data).toMatchObject({ total: 1 });
    expect((await send('DELETE', '/api/channel/disabled', { headers })).json.data).toBe(0);
    for (const id of ['0', '-1', '1.5', 'abc', '1e999', '%20']) {
      expect((await send('GET', `/api/user/${id}`, { headers })).json.code).toBe('invalid_parameter');
    }
  });

  test('unknown ones and unknown methods are told in the shape clients expect', async () => {
    const { send } = await startTestServer();
    for (const [method, path] of [
      ['GET', '/api/nothing'],
      ['POST', '/api/status'],
      ['GET', '/assets/none.js'],
      ['PUT', '/'],
      ['GET', '/pg/x'],
    ] as const) {
      const reply = await send(method, path);
      expect([reply.status, reply.json]).toEqual([
        404,
        { error: { message: `Invalid URL (${method} ${path})`, type: 'invalid_request_error', param: '', code: '' } },
      ]);
    }
    expect((await send('GET', '/api/user/%c0%af')).status).toBe(404);
  });

  test('HEAD as GET', async () => {
    const { send } = await startTestServer();
    const reply = await send('HEAD', '/api/status');
    expect([reply.status, reply.text]).toEqual([200, '']);
  });

  test('each GET that changes something has a POST twin', async () => {
    const { send, signIn } = await startTestServer();
    const headers = await signIn('root');
    const tokens = [await send('GET', '/api/user/token', { headers }), await send('POST', '/api/user/token/', { headers })];
    expect(new Set(tokens.map(({ json }) => json.data)).size).toBe(2);
  });
});

describe('bodies', () => {
  const login = (body: unknown, headers = {}) => ({ body, headers });

  test.each([
    ['not JSON', '{"username":'],
    ['an array', '[1]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['wrong types', { username: 1, password: {} }],
  ])('%s', async (_, body) => {
    const { send } = await startTestServer();
    const reply = await send('POST', '/api/user/login', login(body));
    expect([reply.status, reply.json.success, reply.json.code]).toEqual([200, false, 'invalid_parameter']);
  });

  test('a body that is not JSON answers 400 for options', async () => {
    const { send, signIn } = await startTestServer();
    const reply = await send('PUT', '/api/option/', { headers: await signIn('root'), body: '{' });
    expect([reply.status, reply.json.code]).toEqual([400, 'invalid_parameter']);
  });

  test('up to a megabyte, for options four; decompressed size counts', async () => {
    const { send, signIn } = await startTestServer();
    const headers = await signIn('root');
    const big = await send('POST', '/api/user/login', login({ username: 'x'.repeat(1024 * 1024), password: 'y' }));
    expect([big.status, big.json.code]).toEqual([413, 'request_too_large']);
    const text = 'x'.repeat(900_000);
    expect((await send('PUT', '/api/option/', { headers, body: { key: 'About', value: text } })).json.success).toBe(true);
    expect((await send('PUT', '/api/option/', { headers, body: { key: 'About', value: 'x'.repeat(5_000_000) } })).status).toBe(
      413,
    );
    const { gzipSync } = await import('node:zlib');
    const bomb = gzipSync(JSON.stringify({ username: 'x'.repeat(8_000_000), password: 'y' }));
    const reply = await fetch(`${(await startTestServer()).url}/api/user/login`, {
      method: 'POST',
      body: bomb,
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });
    expect(reply.status).toBe(413);
  });

  test('unknown keys are ignored, also those that poison prototypes', async () => {
    const { send } = await startTestServer();
    const body = `{"username":"root","password":"${testPassword}","__proto__":{"role":100},"constructor":1,"extra":[]}`;
    expect((await send('POST', '/api/user/login', login(body))).json.success).toBe(true);
    expect(({} as { role?: unknown }).role).toBeUndefined();
  });

  test('a repeated query key is no text', async () => {
    const { send, signIn } = await startTestServer();
    const reply = await send('GET', '/api/user/search?keyword=a&keyword=b', { headers: await signIn('root') });
    expect(reply.json.code).toBe('invalid_parameter');
  });
});

describe('guards', () => {
  test.each([
    ['a page of another site', { origin: 'https://evil.example' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    ['a browser says cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a neighbour domain', { 'sec-fetch-site': 'same-site' }, 403],
    ['the console itself', { 'sec-fetch-site': 'same-origin' }, 200],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }, 200],
    ['a program', {}, 200],
  ])('%s', async (_, headers, status) => {
    const { send, signIn } = await startTestServer();
    const credentials = await signIn('root');
    for (const [method, path, body] of [
      ['PUT', '/api/user/self', {}],
      ['GET', '/api/user/token', undefined],
      ['GET', '/api/user/logout', undefined],
    ] as const) {
      const reply = await send(method, path, { headers: { ...credentials, ...headers }, body });
      expect([path, reply.status]).toEqual([path, status]);
      if (status === 403) expect(reply.json.code).toBe('cross_site_request');
    }
    expect((await send('GET', '/api/status', { headers })).status).toBe(200);
  });

  test('its own origin is known by Host and by ServerAddress', async () => {
    const { send, url, operator } = await startTestServer();
    const logout = async (origin: string) => (await send('POST', '/api/user/logout', { headers: { origin } })).status;
    expect([await logout(url), await logout('https://gw.example')]).toEqual([200, 403]);
    await operator.option.set({ key: 'ServerAddress', value: 'https://gw.example/' });
    expect([await logout('https://gw.example'), await logout('https://gw.example.evil')]).toEqual([200, 403]);
  });

  test('too many calls: 429 with the wait, per address; the operator is not counted', async () => {
    const { send, operatorKey } = await startTestServer({
      GLOBAL_API_RATE_LIMIT_ENABLE: 'true',
      GLOBAL_API_RATE_LIMIT: '3',
      TRUSTED_PROXIES: 'private',
    });
    for (let call = 0; call < 3; call += 1) expect((await send('GET', '/api/status')).status).toBe(200);
    const refused = await send('GET', '/api/status');
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.json.message).toMatch(/try again in \d+ seconds/);
    expect((await send('GET', '/api/status', { headers: { 'x-forwarded-for': '1.2.3.4' } })).status).toBe(200);
    expect((await send('GET', '/api/status', { headers: { authorization: `Bearer ${operatorKey}` } })).status).toBe(200);
  });

  test('critical calls share one limit: by address, by user once signed in', async () => {
    const { send, signIn } = await startTestServer({ CRITICAL_RATE_LIMIT_ENABLE: 'true', CRITICAL_RATE_LIMIT: '2' });
    const headers = await signIn('root');
    await send('POST', '/api/user/login', { body: {} });
    const refused = await send('POST', '/api/user/login', { body: { username: 'root', password: testPassword } });
    expect(refused.status).toBe(429);
    const redeem = async () => (await send('POST', '/api/user/topup', { headers, body: { key: 'guess' } })).json.code;
    expect([await redeem(), await redeem(), await redeem()]).toEqual(['code_unknown', 'code_unknown', 'rate_limited']);
  });

  test('a demo site can be looked at and not changed; its owner can end it', async () => {
    const { send, signIn, addUser, operator } = await startTestServer();
    await addUser('ann');
    await operator.option.set({ key: 'DemoSiteEnabled', value: true });
    const headers = await signIn('ann');
    expect((await send('GET', '/api/user/self', { headers })).status).toBe(200);
    for (const [method, path] of [
      ['PUT', '/api/user/self'],
      ['DELETE', '/api/user/self'],
      ['POST', '/api/token/'],
      ['GET', '/api/user/token'],
    ] as const) {
      const reply = await send(method, path, { headers, body: method === 'GET' ? undefined : { name: 'x' } });
      expect([path, reply.status, reply.json.code]).toEqual([path, 405, 'demo_site']);
    }
    const root = await signIn('root');
    expect(
      (await send('PUT', '/api/option/', { headers: root, body: { key: 'DemoSiteEnabled', value: 'false' } })).json.success,
    ).toBe(true);
    expect((await send('POST', '/api/token/', { headers, body: { name: 'x' } })).json.success).toBe(true);
  });

  test('strict headers on pages and calls', async () => {
    const { send } = await startTestServer();
    const { headers } = await send('GET', '/api/status');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com;");
    expect(policy).toContain("object-src 'none'");
    expect(policy).not.toContain('unsafe-eval');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  test('logs of a token may be read from any page, nothing else', async () => {
    const { send, as } = await startTestServer();
    const { key } = await (await as(1)).token.create({ name: 't' });
    const preflight = await send('OPTIONS', '/api/log/token');
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    const reply = await send('GET', '/api/log/token', {
      headers: { authorization: `Bearer sk-${key}`, origin: 'https://other.example' },
    });
    expect([reply.json.success, reply.headers.get('access-control-allow-origin')]).toEqual([true, '*']);
    expect((await send('GET', '/api/status')).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('what breaks', () => {
  test('a crash tells the request id and nothing else', async () => {
    const { send, app } = await startTestServer();
    app.storage.users.findByUsername = () => Promise.reject(new Error('secret detail in /home/somebody'));
    const reply = await send('POST', '/api/user/login', { body: { username: 'root', password: testPassword } });
    expect(reply.status).toBe(500);
    expect(reply.json).toEqual({
      error: { message: expect.stringMatching(/request id: \d{23}\w{8}/), type: 'new_api_error', param: '', code: '' },
    });
    expect(reply.text).not.toContain('secret detail');
  });
});

describe('setting up over HTTP', () => {
  const root = { username: 'root', password: testPassword, confirmPassword: testPassword };

  test('two at once make one root user', async () => {
    const { send, operator } = await startTestServer({}, false);
    const replies = await Promise.all([1, 2].map(() => send('POST', '/api/setup', { body: { ...root, setup_token: 'TESTAB' } })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await operator.user.list()).total).toBe(1);
  });

  test.each([
    [{ setup_token: '' }, 'setup_token_wrong'],
    [{ confirmPassword: 'x' }, 'passwords_differ'],
    [{ password: 'short', confirmPassword: 'short' }, 'password_invalid'],
  ])('%o answers 400 %s', async (fields, code) => {
    const { send } = await startTestServer({}, false);
    const reply = await send('POST', '/api/setup', { body: { ...root, setup_token: 'TESTAB', ...fields } });
    expect([reply.status, reply.json.code]).toEqual([400, code]);
  });

  test('the code can be tried before, and guessing is stopped', async () => {
    const { send } = await startTestServer({}, false);
    const check = (setup_token: string) => send('POST', '/api/turnpike/setup/check', { body: { setup_token } });
    expect((await check('test-ab')).json.data).toEqual({ valid: true });
    for (let guess = 0; guess < 10; guess += 1) expect((await check('guess')).json.data).toEqual({ valid: false });
    const locked = await check('TESTAB');
    expect([locked.status, locked.json.code, locked.headers.get('retry-after')]).toEqual([429, 'rate_limited', '60']);
  });
});

test('what administrators change is written down, for the owner to read', async () => {
  const { send, signIn, addUser } = await startTestServer();
  const ann = await addUser('ann');
  await addUser('adm', { role: 10 });
  const headers = await signIn('adm');
  await send('POST', '/api/turnpike/token', { headers, body: { name: 't', user: 'ann' } });
  await send('PUT', '/api/turnpike/token', { headers, body: { id: 1, status: 2 } });
  await send('POST', '/api/redemption/', { headers, body: { name: 'n', quota: 1, count: 1 } });
  await send('PUT', '/api/redemption/?status_only=true', { headers, body: { id: 1, status: 2 } });
  await send('POST', '/api/user/manage', { headers, body: { id: ann, action: 'disable' } });
  expect((await send('GET', '/api/turnpike/audit', { headers })).json.code).toBe('forbidden');
  const audit = await send('GET', '/api/turnpike/audit?actor_id=3', { headers: await signIn('root') });
  const { items } = audit.json.data as { items: { action: string; ip: string }[] };
  expect(items.map(({ action }) => action)).toEqual([
    'user.disable',
    'redemption.status',
    'redemption.create',
    'token.update',
    'token.create',
  ]);
  expect(items[0]?.ip).toBe('127.0.0.1');
});

test('before the setup the operator changes nothing of an account it has not', async () => {
  const { send, operatorKey } = await startTestServer({}, false);
  const headers = { authorization: `Bearer ${operatorKey}` };
  const reply = await send('POST', '/api/token/', { headers, body: { name: 't' } });
  expect(reply.json.code).toBe('not_set_up');
});
