// Covers src/server/handlers.
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
    expect([(first.json.data as unknown[]).length, first.headers.get('x-total-count')]).toEqual([
      10,
      '12',
    ]);
    expect((await send('GET', '/api/token/?p=1&size=10', { headers })).json.data).toHaveLength(2);
    expect((await send('GET', '/api/token/?p=-5&size=zero', { headers })).json.data).toHaveLength(
      10,
    );
    expect((await send('GET', '/api/token/?p=0&size=9999', { headers })).json.data).toHaveLength(
      12,
    );
  });

  test('pages from 1 echo the corrected page', async () => {
    const { send, signIn } = await startTestServer();
    const headers = await signIn('root');
    const page = async (query: string) =>
      (await send('GET', `/api/user/?${query}`, { headers })).json.data;
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
      expect((await send('GET', path)).headers.get('x-oneapi-request-id')).toMatch(
        /^\d{23}[A-Za-z0-9]{8}$/,
      );
    }
    expect((await send('GET', '/api/status')).headers.get('cache-control')).toBe('no-store');
  });

  test('the language is the requested one, else Chinese', async () => {
    const { send } = await startTestServer();
    const message = async (language: string) =>
      (await send('GET', '/api/user/self', { headers: { 'accept-language': language } })).json
        .message;
    expect(await message('en-GB,zh;q=0.5')).toBe('Not logged in and no access token given');
    expect(await message('fr')).toMatch(/\p{Script=Han}/u);
  });

  test('large replies are compressed', async () => {
    const { send } = await startTestServer();
    const reply = await send('GET', '/api/status', { headers: { 'accept-encoding': 'gzip' } });
    expect(reply.headers.get('content-encoding')).toBe('gzip');
    expect(
      (await send('GET', '/api/notice', { headers: { 'accept-encoding': 'gzip' } })).headers.get(
        'content-encoding',
      ),
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
    expect(
      (await send('GET', '/api/user/search?keyword=root', { headers })).json.data,
    ).toMatchObject({ total: 1 });
    expect((await send('DELETE', '/api/channel/disabled', { headers })).json.data).toBe(0);
    for (const id of ['0', '-1', '1.5', 'abc', '1e999', '%20']) {
      expect((await send('GET', `/api/user/${id}`, { headers })).json.code).toBe(
        'invalid_parameter',
      );
    }
  });

  test('unknown paths and methods are reported in the format that clients expect', async () => {
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
        {
          error: {
            message: `Invalid URL (${method} ${path})`,
            type: 'invalid_request_error',
            param: '',
            code: '',
          },
        },
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
    const tokens = [
      await send('GET', '/api/user/token', { headers }),
      await send('POST', '/api/user/token/', { headers }),
    ];
    expect(new Set(tokens.map(({ json }) => json.data)).size).toBe(2);
  });
});

describe('bodies', () => {
  const login = (body: unknown, headers = {}) => ({ body, headers });

  test.each([
    ['not JSON', '{"username":'],
    ['an array', '[1]'],
    ['text', '"x"'],
    ['null', 'null'],
    ['wrong types', { username: 1, password: {} }],
  ])('%s', async (_, body) => {
    const { send } = await startTestServer();
    const reply = await send('POST', '/api/user/login', login(body));
    expect([reply.status, reply.json.success, reply.json.code]).toEqual([
      200,
      false,
      'invalid_parameter',
    ]);
  });

  test('a body that is not JSON answers 400 for options', async () => {
    const { send, signIn } = await startTestServer();
    const reply = await send('PUT', '/api/option/', { headers: await signIn('root'), body: '{' });
    expect([reply.status, reply.json.code]).toEqual([400, 'invalid_parameter']);
  });

  test('up to a megabyte, for options four; decompressed size counts', async () => {
    const { send, signIn } = await startTestServer();
    const headers = await signIn('root');
    const big = await send(
      'POST',
      '/api/user/login',
      login({ username: 'x'.repeat(1024 * 1024), password: 'y' }),
    );
    expect([big.status, big.json.code]).toEqual([413, 'request_too_large']);
    const text = 'x'.repeat(900_000);
    expect(
      (await send('PUT', '/api/option/', { headers, body: { key: 'About', value: text } })).json
        .success,
    ).toBe(true);
    expect(
      (
        await send('PUT', '/api/option/', {
          headers,
          body: { key: 'About', value: 'x'.repeat(5_000_000) },
        })
      ).status,
    ).toBe(413);
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

  test.each([
    [
      'POST',
      '/api/user/register',
      { username: 'ann', password: testPassword, aff_code: 'a\0' },
      'aff_code',
    ],
    ['GET', '/api/log/?username=%00', undefined, 'username'],
    ['POST', '/api/redemption/', { name: '\0', quota: 5, count: 1 }, 'name'],
    [
      'PUT',
      '/api/user/setting',
      { notify_type: 'email', webhook_url: 'https://a.example/\0' },
      'webhook_url',
    ],
  ])('NUL, which PostgreSQL cannot store, is no text: %s %s', async (method, path, body, field) => {
    const { send, signIn } = await startTestServer();
    const reply = await send(method, path, {
      headers: await signIn('root'),
      ...(body && { body }),
    });
    expect([reply.status, reply.json.code, reply.json.field]).toEqual([
      200,
      'invalid_parameter',
      field,
    ]);
  });

  test.each([
    '/api/log/?type=2147483648',
    '/api/token/?status=-2147483649',
    '/api/channel/?status=1e10',
  ])('a code beyond its column is no code: %s', async (path) => {
    const { send, signIn } = await startTestServer();
    expect((await send('GET', path, { headers: await signIn('root') })).json.code).toBe(
      'invalid_parameter',
    );
  });

  test('a repeated query key is no text', async () => {
    const { send, signIn } = await startTestServer();
    const reply = await send('GET', '/api/user/search?keyword=a&keyword=b', {
      headers: await signIn('root'),
    });
    expect(reply.json.code).toBe('invalid_parameter');
  });
});

describe('what breaks', () => {
  test('a crash reports the request id and nothing else', async () => {
    const { send, app } = await startTestServer();
    app.storage.users.findByUsername = () =>
      Promise.reject(new Error('secret detail in /home/somebody'));
    const reply = await send('POST', '/api/user/login', {
      body: { username: 'root', password: testPassword },
    });
    expect(reply.status).toBe(500);
    expect(reply.json).toEqual({
      error: {
        message: expect.stringMatching(/request id: \d{23}\w{8}/),
        type: 'new_api_error',
        param: '',
        code: '',
      },
    });
    expect(reply.text).not.toContain('secret detail');
  });
});

describe('setting up over HTTP', () => {
  const root = { username: 'root', password: testPassword, confirmPassword: testPassword };

  test('two concurrent setups create one root user', async () => {
    const { send, operator } = await startTestServer({}, false);
    const replies = await Promise.all(
      [1, 2].map(() => send('POST', '/api/setup', { body: { ...root, setup_token: 'TESTAB' } })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await operator.user.list()).total).toBe(1);
  });

  test.each([
    [{ setup_token: '' }, 'setup_token_wrong'],
    [{ confirmPassword: 'x' }, 'passwords_differ'],
    [{ password: 'short', confirmPassword: 'short' }, 'password_invalid'],
  ])('%o answers 400 %s', async (fields, code) => {
    const { send } = await startTestServer({}, false);
    const reply = await send('POST', '/api/setup', {
      body: { ...root, setup_token: 'TESTAB', ...fields },
    });
    expect([reply.status, reply.json.code]).toEqual([400, code]);
  });

  test('the code can be tried before, and guessing is stopped', async () => {
    const { send } = await startTestServer({}, false);
    const check = (setup_token: string) =>
      send('POST', '/api/turnpike/setup/check', { body: { setup_token } });
    expect((await check('test-ab')).json.data).toEqual({ valid: true });
    for (let guess = 0; guess < 10; guess += 1)
      expect((await check('guess')).json.data).toEqual({ valid: false });
    const locked = await check('TESTAB');
    expect([locked.status, locked.json.code, locked.headers.get('retry-after')]).toEqual([
      429,
      'rate_limited',
      '60',
    ]);
  });
});
